// The drawing: vis-network keeps the camera, the gestures and where nodes are; nodes, edges
// and labels are drawn here, a style at a time, because an edge each costs vis-network
// seconds on large graphs.

const PLACES = new Map(GRAPH.drawn.map(([node, x, y]) => [node, { x, y }]));
const VIEW = { selected: -1, pair: null, near: new Set(), hover: -1, hidden: new Set() };
const EDGES = new Map(); // by style, the pairs that are drawn
const PAIRS = new Map(); // relations by the pair that they join
let INK = {};
let network = null;
let dots = null;

for (const relation of RELATIONS) {
  const [one, other] = [relation.subject, relation.object].sort((a, b) => a - b);
  const key = one * NODES.length + other;
  if (!PAIRS.has(key)) PAIRS.set(key, { one, other, relations: [] });
  PAIRS.get(key).relations.push(relation);
}

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ground", "ink", "soft", ...KINDS.map((kind) => kind.toLowerCase())]) {
    INK[name] = style.getPropertyValue(`--${name}`).trim();
  }
}

function styleOf({ one, other, relations }) {
  if (isPaper(other)) return "related";
  if (!isPaper(one)) return "concepts";
  const strong = relations.some((relation) => relation.predicate === "introduces");
  return `${NODES[other].kind} ${strong ? "strong" : "plain"}`;
}

// Faint first, so that what is introduced lies on top.
const STYLES = ["related", "concepts", ...GRAPH.types.flatMap((type) => [`${type} plain`, `${type} strong`])];

function gatherEdges() {
  for (const style of STYLES) EDGES.set(style, []);
  for (const pair of PAIRS.values()) {
    if (PLACES.has(pair.one) && PLACES.has(pair.other) && pair.one !== pair.other) EDGES.get(styleOf(pair)).push(pair);
  }
}

const shows = (node) => PLACES.has(node) && !VIEW.hidden.has(NODES[node].kind);
const inFocus = ({ one, other }) =>
  VIEW.pair ? one === VIEW.pair.one && other === VIEW.pair.other : one === VIEW.selected || other === VIEW.selected;
const hasFocus = () => VIEW.selected >= 0 || VIEW.pair !== null;

// Thousands of edges are hairlines without dashes, and are stroked a few at a time: browsers
// draw those ten times as fast as one long path of wider lines.
const isDense = () => PAIRS.size > 3000;
const AT_A_TIME = 8;

function setStroke(ctx, style, scale, focused) {
  const [kind, weight] = style.split(" ");
  const many = Math.max(1, Math.sqrt(PAIRS.size / 900));
  const faint = { related: 0.2, concepts: 0.35 }[kind] ?? (weight === "strong" ? 0.85 : 0.42);
  const dash = { related: [5 / scale, 5 / scale], concepts: [1.5 / scale, 4 / scale] }[kind];
  ctx.strokeStyle = INK[kind.toLowerCase()] ?? INK.soft;
  if (focused) {
    ctx.globalAlpha = Math.min(0.9, 5 / Math.sqrt(VIEW.near.size));
    ctx.lineWidth = (weight === "strong" ? 3 : 1.7) / scale;
  } else {
    ctx.globalAlpha = (hasFocus() ? 0.25 : 1) * Math.max(0.03, (isDense() ? 0.4 : 1) * (faint / many));
    ctx.lineWidth = (isDense() ? 1 / devicePixelRatio : weight === "strong" ? 2 : 1.1) / scale;
  }
  ctx.setLineDash(dash && (focused || !isDense()) ? dash : []);
}

function strokePairs(ctx, pairs) {
  const low = network.DOMtoCanvas({ x: 0, y: 0 });
  const high = network.DOMtoCanvas({ x: ctx.canvas.clientWidth, y: ctx.canvas.clientHeight });
  let waiting = 0;
  ctx.beginPath();
  for (const pair of pairs) {
    if (!shows(pair.one) || !shows(pair.other)) continue;
    const from = PLACES.get(pair.one);
    const to = PLACES.get(pair.other);
    if (Math.max(from.x, to.x) < low.x || Math.min(from.x, to.x) > high.x) continue;
    if (Math.max(from.y, to.y) < low.y || Math.min(from.y, to.y) > high.y) continue;
    ctx.moveTo(from.x, from.y);
    ctx.lineTo(to.x, to.y);
    waiting += 1;
    if (waiting % AT_A_TIME === 0) {
      ctx.stroke();
      ctx.beginPath();
    }
  }
  ctx.stroke();
}

function drawEdges(ctx) {
  const scale = network.getScale();
  ctx.save();
  for (const focused of hasFocus() ? [false, true] : [false]) {
    for (const [style, pairs] of EDGES) {
      setStroke(ctx, style, scale, focused);
      strokePairs(ctx, hasFocus() ? pairs.filter((pair) => inFocus(pair) === focused) : pairs);
    }
  }
  ctx.restore();
}

// Nodes grow slower than the zoom, and never vanish.
function radius(node) {
  const scale = network.getScale();
  const base = isPaper(node) ? 13 : 5.5 + 3.2 * Math.sqrt(Math.max(0, NODES[node].papers - 1));
  const grown = Math.min(base, 34) * (scale > 1 ? scale ** -0.45 : 1);
  return Math.max(grown, (isPaper(node) ? 3 : 2) / scale);
}

function trace(ctx, kind, x, y, r) {
  ctx.beginPath();
  if (kind === "Method") ctx.arc(x, y, r, 0, 2 * Math.PI);
  else if (kind === "Dataset") ctx.rect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
  else {
    const corners = {
      Paper: [[-0.72, -0.95], [0.3, -0.95], [0.72, -0.5], [0.72, 0.95], [-0.72, 0.95]],
      Task: [[0, -1.1], [1.1, 0.85], [-1.1, 0.85]],
      Metric: [[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]],
    }[kind];
    for (const [dx, dy] of corners) ctx.lineTo(x + dx * r, y + dy * r);
    ctx.closePath();
  }
}

function drawNode(ctx, node, x, y) {
  const scale = network.getScale();
  const kind = NODES[node].kind;
  const r = radius(node);
  ctx.save();
  ctx.globalAlpha = hasFocus() && !VIEW.near.has(node) ? 0.22 : 1;
  trace(ctx, kind, x, y, r);
  ctx.fillStyle = INK[kind.toLowerCase()];
  ctx.lineWidth = Math.min(2 / scale, r / 2);
  ctx.strokeStyle = INK.ground;
  ctx.stroke();
  ctx.fill();
  if (node === VIEW.selected || node === VIEW.hover) {
    trace(ctx, kind, x, y, r + 4.5 / scale);
    ctx.lineWidth = 2 / scale;
    ctx.strokeStyle = INK.ink;
    ctx.stroke();
  }
  ctx.restore();
}

function renderNode({ ctx, id, x, y }) {
  const size = 2 * radius(id);
  return { drawNode: () => drawNode(ctx, id, x, y), nodeDimensions: { width: size, height: size } };
}

const toDot = (node) => ({ id: node, ...PLACES.get(node), shape: "custom", ctxRenderer: renderNode });

function startCanvas(box) {
  readColours();
  gatherEdges();
  dots = new vis.DataSet([...PLACES.keys()].map(toDot));
  network = new vis.Network(box, { nodes: dots, edges: [] }, {
    physics: false,
    layout: { randomSeed: 1, improvedLayout: false },
    nodes: { chosen: false },
    interaction: { hover: true, keyboard: { enabled: true, bindToWindow: false }, zoomSpeed: 0.7 },
  });
  network.on("beforeDrawing", drawEdges);
  network.on("afterDrawing", drawLabels);
  network.on("dragging", ({ nodes }) => {
    for (const [node, place] of Object.entries(network.getPositions(nodes))) PLACES.set(Number(node), place);
  });
}

// The pair whose edge runs within a few pixels of a point.
function pairAt({ x, y }) {
  let best = null;
  let least = 7 / network.getScale();
  for (const pairs of EDGES.values()) {
    for (const pair of pairs) {
      if (!shows(pair.one) || !shows(pair.other)) continue;
      const from = PLACES.get(pair.one);
      const to = PLACES.get(pair.other);
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
      const at = Math.min(1, Math.max(0, along));
      const gap = Math.hypot(x - from.x - at * dx, y - from.y - at * dy);
      if (gap < least) [best, least] = [pair, gap];
    }
  }
  return best;
}

// A node that the drawing leaves out takes a place among its neighbours when it is asked for.
function reveal(node) {
  if (PLACES.has(node)) return;
  const near = [...neighbours(node)].filter((one) => PLACES.has(one)).map((one) => PLACES.get(one));
  const mean = (axis) => near.reduce((sum, place) => sum + place[axis], 0) / Math.max(1, near.length);
  const turn = 2.4 * node;
  PLACES.set(node, { x: mean("x") + 60 * Math.cos(turn), y: mean("y") + 60 * Math.sin(turn) });
  dots.add(toDot(node));
  gatherEdges();
}

// Move the camera so that nodes fill the screen, but no closer than `closest`.
function frame(nodes, closest, animated) {
  const places = nodes.filter((node) => PLACES.has(node)).map((node) => PLACES.get(node));
  const box = document.getElementById("canvas");
  if (!places.length || !box.clientWidth) return;
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of places) {
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  const margin = Math.min(70, box.clientWidth / 9);
  const scale = Math.min((box.clientWidth - 2 * margin) / (right - left || 1),
    (box.clientHeight - 2 * margin) / (bottom - top || 1), closest);
  const still = !animated || matchMedia("(prefers-reduced-motion: reduce)").matches;
  network.moveTo({
    position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale,
    animation: still ? false : { duration: 380, easingFunction: "easeInOutQuad" },
  });
}

function hideKinds(hidden) {
  VIEW.hidden = hidden;
  dots.update([...PLACES.keys()].map((node) => ({ id: node, hidden: !shows(node) })));
}
