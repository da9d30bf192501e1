// The page: what is selected stands in the address, and all else follows from it.

const CANVAS = document.getElementById("canvas");
const TIP = document.getElementById("tip");
let still = false; // the selection came from the drawing, which need not move

function show(node, pair = null) {
  VIEW.selected = node;
  VIEW.pair = pair;
  VIEW.near = new Set(pair ? [pair.one, pair.other] : node < 0 ? [] : [node, ...neighbours(node)]);
  TIP.hidden = true;
  showPanel();
  if ((node >= 0 || pair) && !still) frame([...VIEW.near].filter(isShown), 1.4, true);
  network.redraw();
}

function showAs(view) {
  LIST.hidden = view !== "list";
  TABLE.hidden = view !== "table";
  CANVAS.style.visibility = view === "graph" ? "" : "hidden";
  for (const id of ["zoom", "save"]) document.getElementById(id).hidden = view !== "graph";
  for (const name of VIEWS) document.getElementById(`as-${name}`).setAttribute("aria-pressed", String(name === view));
  if (view === "list") showList();
  if (view === "table") showTable();
}

// Show what the address says. What a person chose by keyboard or in text is told, and read on in
// the panel.
function followAddress() {
  const before = STATE;
  STATE = readState(location.hash);
  const { node, other, view } = STATE;
  VIEW.hidden = new Set(STATE.hide.split(",").filter(Boolean));
  applyFilters(STATE);
  showFilters();
  show(other >= 0 ? -1 : node, other >= 0 ? pairsOf(node).find((pair) => pair.one === other || pair.other === other) ?? null : null);
  showAs(view);
  if (STATE.community !== before.community && node < 0) frameCircles(STATE.community < 0 ? ISLANDS : ISLANDS.slice(STATE.community, STATE.community + 1), 1.6, true);
  if (STATE.hops !== before.hops) frame(STATE.hops ? shownNodes() : [...NODES.keys()], 1.4, true);
  const chosen = node !== before.node || other !== before.other;
  if (chosen && node >= 0) {
    document.getElementById("said").textContent = `${NODES[node].kind} ${NODES[node].label} is selected`;
    if (!still) PANEL.focus({ preventScroll: true });
  }
  still = false;
}

function go(changes) {
  const address = addressOf(changes);
  if (address !== (location.hash || "#")) history.pushState(null, "", address);
  followAddress();
}

const goTo = (node) => go({ node, other: -1, hops: 0 });

function clear() {
  if (STATE.node >= 0) go({ node: -1, other: -1, hops: 0 });
  else show(-1);
}

function tipAt({ x, y }, text) {
  TIP.textContent = text;
  TIP.hidden = false;
  const { clientWidth, clientHeight } = CANVAS;
  TIP.style.left = `${Math.max(4, Math.min(x + 14, clientWidth - TIP.offsetWidth - 8))}px`;
  TIP.style.top = `${Math.max(4, Math.min(y + 14, clientHeight - TIP.offsetHeight - 8))}px`;
}

function tipText(node) {
  const { label, title, kind, papers } = NODES[node];
  return isPaper(node) ? title : `${label} · ${kind} · ${plural(papers, "paper")}`;
}

function choose(node) {
  still = true;
  goTo(node);
}

function startPointer() {
  network.on("click", ({ pointer }) => {
    const pair = pairAt(pointer.canvas);
    if (pair) {
      still = true;
      go({ node: pair.one, other: pair.other, hops: 0 });
      return;
    }
    const island = hasFocus() ? -1 : islandAt(pointer.canvas);
    clear();
    if (island >= 0 && network.getScale() * ISLANDS[island].radius < 0.4 * CANVAS.clientHeight) frameCircles([ISLANDS[island]], 1.6, true);
  });
  for (const event of ["dragStart", "zoom"]) network.on(event, () => { TIP.hidden = true; });
  CANVAS.addEventListener("pointermove", ({ clientX, clientY, buttons }) => {
    if (buttons) return;
    const box = CANVAS.getBoundingClientRect();
    const point = network.DOMtoCanvas({ x: clientX - box.left, y: clientY - box.top });
    const node = nodeAt(point);
    CANVAS.style.cursor = node >= 0 || pairAt(point) ? "pointer" : "";
    if (node === VIEW.hover) return;
    VIEW.hover = node;
    if (node >= 0) tipAt({ x: clientX - box.left, y: clientY - box.top }, tipText(node));
    else TIP.hidden = true;
    network.redraw();
  });
  CANVAS.addEventListener("pointerleave", () => { TIP.hidden = true; });
}

function startButtons() {
  const press = (id, action) => document.getElementById(id).addEventListener("click", action);
  const zoom = (factor) => network.moveTo({ scale: network.getScale() * factor });
  for (const view of VIEWS) press(`as-${view}`, () => go({ view }));
  press("png", savePng);
  press("svg", () => download("graph.svg", "image/svg+xml", toSvg()));
  press("nearer", () => zoom(1.4));
  press("farther", () => zoom(1 / 1.4));
  press("whole", () => showAll(true));
  press("skip", (event) => {
    event.preventDefault();
    PANEL.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
    if (event.key === "/" && event.target !== SEARCH) {
      event.preventDefault();
      SEARCH.focus();
    }
  });
}

function describe() {
  const concepts = NODES.length - PAPERS;
  document.getElementById("counts").textContent = `${plural(PAPERS, "paper")} · ${plural(concepts, "concept")}`;
  document.title = `Knowledge graph of ${plural(PAPERS, "paper")}`;
  if (PAPERS === GRAPH.whole[0]) return;
  const note = document.getElementById("capped");
  note.textContent = `This page has the ${plural(PAPERS, "paper")} with most relations, of ${GRAPH.whole[0].toLocaleString("en")}. Queries and exports have all.`;
  note.hidden = false;
}

function start() {
  startCanvas(CANVAS);
  startPointer();
  startLegend();
  startFilters();
  startButtons();
  startSearch();
  describe();
  showAll(false);
  if (GRAPH.focus >= 0 && !location.hash) history.replaceState(null, "", fragment(GRAPH.focus));
  followAddress();
  addEventListener("hashchange", followAddress);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    readColours();
    network.redraw();
  });
  network.once("afterDrawing", () => {
    performance.mark("kg-drawn");
    document.documentElement.dataset.ready = "true";
  });
  network.redraw();
}

start();
