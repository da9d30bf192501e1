// The stage: vis-network keeps the camera and the gestures on the ground; what stands on it is
// kept and drawn here, so that tens of thousands of nodes cost nothing until they are looked at.

const X = new Float64Array(NODES.length);
const Y = new Float64Array(NODES.length);
const ISLANDS = GRAPH.islands.map(([x, y, radius], at) => ({
  x, y, radius, at, isCommunity: at < GRAPH.communities.length,
  name: at < GRAPH.communities.length ? GRAPH.communities[at][0] : "other papers",
}));
const VIEW = {
  selected: -1, pair: null, near: new Set(), hover: -1, hidden: new Set(), painted: [], island: -1,
};
const MOST_PAPERS = NODES.slice(PAPERS).reduce((most, { papers }) => Math.max(most, papers), 1);
let PAIRS = null; // what joins two nodes, by the two; made when edges are first wanted
const INK = {};
let network = null;

for (let node = 0; node < NODES.length; node += 1) {
  [X[node], Y[node]] = [GRAPH.places[2 * node], GRAPH.places[2 * node + 1]];
}

function pairs() {
  if (PAIRS) return PAIRS;
  PAIRS = new Map();
  for (const relation of RELATIONS) {
    const [one, other] = [relation.subject, relation.object].sort((a, b) => a - b);
    const key = one * NODES.length + other;
    if (one !== other && !PAIRS.has(key)) PAIRS.set(key, { one, other, relations: [] });
    PAIRS.get(key)?.relations.push(relation);
  }
  return PAIRS;
}

function pairsOf(node) {
  const found = new Map();
  for (const relation of LINKS[node]) {
    const [one, other] = [relation.subject, relation.object].sort((a, b) => a - b);
    const key = one * NODES.length + other;
    if (one !== other && !found.has(key)) found.set(key, { one, other, relations: [] });
    found.get(key)?.relations.push(relation);
  }
  return [...found.values()];
}

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ground", "ink", "soft", "line", "sheet", ...KINDS.map((kind) => kind.toLowerCase())]) {
    INK[name] = style.getPropertyValue(`--${name}`).trim();
  }
}

const shows = (node) => isShown(node);
const hasFocus = () => VIEW.selected >= 0 || VIEW.pair !== null;

// The part of the ground that is on the screen.
function visible(ctx, margin = 0) {
  const low = network.DOMtoCanvas({ x: -margin, y: -margin });
  const high = network.DOMtoCanvas({ x: ctx.canvas.clientWidth + margin, y: ctx.canvas.clientHeight + margin });
  return (x, y, r = 0) => x + r >= low.x && x - r <= high.x && y + r >= low.y && y - r <= high.y;
}

// Nodes grow slower than the zoom, and never vanish.
function radius(node) {
  const scale = network.getScale();
  const base = isPaper(node) ? 13 : 5.5 + 3.2 * Math.sqrt(Math.max(0, NODES[node].papers - 1));
  const grown = Math.min(base, 34) * (scale > 1 ? scale ** -0.45 : 1);
  if (isPaper(node)) return Math.max(grown, (ISLANDS.length ? 1.6 : 3) / scale);
  const least = ISLANDS.length ? 2.8 + 6 * Math.sqrt(NODES[node].papers / MOST_PAPERS) : 2;
  return Math.max(grown, least / scale);
}

function nodeAt({ x, y }) {
  const slack = 3 / network.getScale();
  let best = -1;
  let least = Infinity;
  for (const node of VIEW.painted) {
    const gap = Math.hypot(X[node] - x, Y[node] - y) - Math.max(radius(node), 5 / network.getScale());
    if (gap < slack && gap < least) [best, least] = [node, gap];
  }
  return best;
}

const islandAt = ({ x, y }) => ISLANDS.find((one) => Math.hypot(one.x - x, one.y - y) < one.radius)?.at ?? -1;

// The pair whose edge runs within a few pixels of a point.
function pairAt({ x, y }) {
  let best = null;
  let least = 7 / network.getScale();
  for (const pair of VIEW.edges ?? []) {
    const [dx, dy] = [X[pair.other] - X[pair.one], Y[pair.other] - Y[pair.one]];
    const along = ((x - X[pair.one]) * dx + (y - Y[pair.one]) * dy) / (dx * dx + dy * dy || 1);
    const at = Math.min(1, Math.max(0, along));
    const gap = Math.hypot(x - X[pair.one] - at * dx, y - Y[pair.one] - at * dy);
    if (gap < least) [best, least] = [pair, gap];
  }
  return best;
}

// A node under the pointer moves with it; a press that does not move picks it.
function startDragging(box) {
  let held = null;
  const at = ({ clientX, clientY }) => {
    const { left, top } = box.getBoundingClientRect();
    return network.DOMtoCanvas({ x: clientX - left, y: clientY - top });
  };
  box.addEventListener("pointerdown", (event) => {
    const node = event.button === 0 ? nodeAt(at(event)) : -1;
    if (node < 0) return;
    held = { node, from: at(event), place: [X[node], Y[node]], moved: false };
    event.stopPropagation();
    box.setPointerCapture(event.pointerId);
  }, true);
  box.addEventListener("pointermove", (event) => {
    if (!held) return;
    const { x, y } = at(event);
    const [dx, dy] = [x - held.from.x, y - held.from.y];
    held.moved ||= Math.hypot(dx, dy) * network.getScale() > 4;
    if (!held.moved) return;
    [X[held.node], Y[held.node]] = [held.place[0] + dx, held.place[1] + dy];
    network.redraw();
  }, true);
  box.addEventListener("pointerup", (event) => {
    if (!held) return;
    const { node, moved } = held;
    held = null;
    event.stopPropagation();
    if (!moved) choose(node);
  }, true);
  box.addEventListener("pointercancel", () => { held = null; }, true);
}

function startCanvas(box) {
  readColours();
  network = new vis.Network(box, { nodes: [], edges: [] }, {
    physics: false,
    interaction: { keyboard: { enabled: true, bindToWindow: false }, zoomSpeed: 0.7 },
  });
  network.on("afterDrawing", paint);
  startDragging(box);
}

// Move the camera so that circles on the ground fill the screen, but no closer than `closest`.
function frameCircles(circles, closest, animated) {
  const box = document.getElementById("canvas");
  if (!circles.length || !box.clientWidth) return;
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y, radius: r } of circles) {
    [left, right, top, bottom] = [Math.min(left, x - r), Math.max(right, x + r), Math.min(top, y - r), Math.max(bottom, y + r)];
  }
  const margin = Math.min(ISLANDS.length ? 28 : 70, box.clientWidth / 9);
  const scale = Math.min((box.clientWidth - 2 * margin) / (right - left || 1),
    (box.clientHeight - 2 * margin) / (bottom - top || 1), closest);
  const still = !animated || matchMedia("(prefers-reduced-motion: reduce)").matches;
  network.moveTo({
    position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale,
    animation: still ? false : { duration: 380, easingFunction: "easeInOutQuad" },
  });
}

const frame = (nodes, closest, animated) => frameCircles(nodes.map((node) => ({ x: X[node], y: Y[node], radius: 0 })), closest, animated);

function showAll(animated) {
  if (ISLANDS.length) frameCircles(ISLANDS, 1.6, animated);
  else frame([...NODES.keys()], 1.6, animated);
}
