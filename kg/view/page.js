// The page: what is selected stands in the address, and all else follows from it.

const CANVAS = document.getElementById("canvas");
const TIP = document.getElementById("tip");
let still = false; // the selection came from the drawing, which need not move

function nodeInAddress() {
  try {
    return BY_ID.get(decodeURIComponent(location.hash.slice(1))) ?? -1;
  } catch {
    return -1; // not a fragment of ours
  }
}

function show(node, pair = null) {
  VIEW.selected = node;
  VIEW.pair = pair;
  VIEW.near = new Set(pair ? [pair.one, pair.other] : node < 0 ? [] : [node, ...neighbours(node)]);
  TIP.hidden = true;
  showPanel();
  markCurrent();
  if (node >= 0 && !still) frame([...VIEW.near], 1.4, true);
  network.redraw();
}

// What a person chose by keyboard or in text is told, and read on in the panel.
function followAddress() {
  const node = nodeInAddress();
  show(node);
  document.getElementById("said").textContent = node < 0 ? "" : `${NODES[node].kind} ${NODES[node].label} is selected`;
  if (!still) PANEL.focus({ preventScroll: true });
  still = false;
}

function go(node) {
  if (nodeInAddress() === node) followAddress();
  else location.hash = fragment(node);
}

function clear() {
  if (location.hash) history.pushState(null, "", "#");
  show(-1);
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
  go(node);
}

function startPointer() {
  network.on("click", ({ pointer }) => {
    const pair = pairAt(pointer.canvas);
    if (pair) {
      if (location.hash) history.replaceState(null, "", "#");
      show(-1, pair);
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

function startLegend() {
  const legend = document.getElementById("legend");
  for (const kind of KINDS) {
    const count = NODES.filter((node) => node.kind === kind).length;
    const button = make("button", "", glyph(kind), PLURALS[kind], make("span", "", count.toLocaleString("en")));
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      const hidden = new Set(VIEW.hidden);
      if (!hidden.delete(kind)) hidden.add(kind);
      button.setAttribute("aria-pressed", String(!hidden.has(kind)));
      VIEW.hidden = hidden;
      setShown((node) => !VIEW.hidden.has(NODES[node].kind));
      if (!LIST.hidden) showList();
    });
    legend.append(button);
  }
}

function showAs(list) {
  LIST.hidden = !list;
  CANVAS.style.visibility = list ? "hidden" : "";
  document.getElementById("zoom").hidden = list;
  document.getElementById("as-graph").setAttribute("aria-pressed", String(!list));
  document.getElementById("as-list").setAttribute("aria-pressed", String(list));
  TIP.hidden = true;
  if (list) showList();
}

function startButtons() {
  const press = (id, action) => document.getElementById(id).addEventListener("click", action);
  const zoom = (factor) => network.moveTo({ scale: network.getScale() * factor });
  press("as-graph", () => showAs(false));
  press("as-list", () => showAs(true));
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
  startButtons();
  startSearch();
  describe();
  showAll(false);
  if (GRAPH.focus >= 0 && nodeInAddress() < 0) history.replaceState(null, "", fragment(GRAPH.focus));
  show(nodeInAddress());
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
