// Drawing: islands and their names, what is worth seeing of the nodes at this zoom, the edges
// between them, and last the labels.

const MOST_CONCEPTS = 240; // on a screen
const PETAL_ZOOM = 0.42; // below it the concepts of one paper are too near to each other
const EDGE_ZOOM = 0.3; // below it edges are a haze
const WEIGHT = (node) => GRAPH.weights[node - PAPERS];

// Concepts, the most telling first; in islands each island has its turn.
const BY_WEIGHT = NODES.map((_, node) => node).slice(PAPERS).sort((a, b) => WEIGHT(b) - WEIGHT(a) || NODES[b].papers - NODES[a].papers || a - b);
const IS_PETAL = new Uint8Array(NODES.length);
const HOME = new Int16Array(NODES.length).fill(-1);
for (let node = PAPERS; node < NODES.length; node += 1) IS_PETAL[node] = NODES[node].papers < 2 ? 1 : 0;
GRAPH.communities.forEach(([, members], at) => members.forEach((node) => { HOME[node] = at; }));

// The most telling concepts on the screen, but no more than can be told apart: first a share for
// each island, then the best of the rest.
function chooseConcepts(sees, most) {
  const tiny = ISLANDS.length > 0 && network.getScale() < PETAL_ZOOM;
  const fits = (node) => !(tiny && IS_PETAL[node]) && shows(node) && sees(X[node], Y[node]);
  const share = Math.max(3, Math.ceil(most / Math.max(1, ISLANDS.length)));
  const each = new Map();
  const chosen = new Set();
  for (const limit of [share, Infinity]) {
    for (const node of BY_WEIGHT) {
      if (chosen.size >= most) break;
      const had = each.get(HOME[node]) ?? 0;
      if (had >= limit || chosen.has(node) || !fits(node)) continue;
      each.set(HOME[node], had + 1);
      chosen.add(node);
    }
  }
  return chosen;
}

function choosePainted(ctx) {
  const sees = visible(ctx, 30);
  const papers = [];
  for (let node = 0; node < PAPERS; node += 1) if (shows(node) && sees(X[node], Y[node])) papers.push(node);
  const most = ISLANDS.length ? MOST_CONCEPTS + (papers.length < 120 ? 400 : 0) : Infinity;
  const concepts = chooseConcepts(sees, most);
  for (const node of VIEW.near) if (!isPaper(node) && shows(node)) concepts.add(node);
  return [...papers, ...concepts];
}

function styleOf({ one, other, relations }) {
  if (isPaper(other)) return "related";
  if (!isPaper(one)) return "concepts";
  const strong = relations.some((relation) => relation.predicate === "introduces");
  return `${NODES[other].kind} ${strong ? "strong" : "plain"}`;
}

// Faint first, so that what is introduced lies on top.
const STYLES = ["related", "concepts", ...GRAPH.types.flatMap((type) => [`${type} plain`, `${type} strong`])];
const MOST_EDGES = 2500;

function chooseEdges(ctx, painted) {
  const focused = VIEW.pair ? [VIEW.pair] : VIEW.selected >= 0 ? pairsOf(VIEW.selected) : [];
  const kept = focused.filter(({ one, other }) => shows(one) && shows(other));
  const there = new Set(painted);
  const rest = [];
  if (!ISLANDS.length) rest.push(...pairs().values());
  else if (network.getScale() > EDGE_ZOOM && !hasFocus()) {
    for (const node of painted) {
      if (isPaper(node)) rest.push(...pairsOf(node).filter(({ one, other }) => node === one && there.has(other) && !isPaper(other)));
      if (rest.length > MOST_EDGES) break;
    }
  }
  const sees = visible(ctx);
  const plain = rest.filter(({ one, other }) => {
    if (!there.has(one) || !there.has(other)) return false;
    if (hasFocus() && (VIEW.pair ? one === VIEW.pair.one && other === VIEW.pair.other : one === VIEW.selected || other === VIEW.selected)) return false;
    const [x, y] = [(X[one] + X[other]) / 2, (Y[one] + Y[other]) / 2];
    return sees(x, y, Math.hypot(X[one] - X[other], Y[one] - Y[other]) / 2);
  });
  return [plain, kept];
}

function strokePairs(ctx, found, focused) {
  const scale = network.getScale();
  const many = Math.max(1, Math.sqrt(found.length / 900));
  const groups = new Map(STYLES.map((style) => [style, []]));
  for (const pair of found) groups.get(styleOf(pair)).push(pair);
  for (const [style, some] of groups) {
    if (!some.length) continue;
    const [kind, weight] = style.split(" ");
    const faint = { related: 0.2, concepts: 0.35 }[kind] ?? (weight === "strong" ? 0.85 : 0.42);
    const dash = { related: [5 / scale, 5 / scale], concepts: [1.5 / scale, 4 / scale] }[kind];
    ctx.strokeStyle = INK[kind.toLowerCase()] ?? INK.soft;
    ctx.globalAlpha = focused ? Math.min(0.9, 5 / Math.sqrt(VIEW.near.size || 1)) : (hasFocus() ? 0.25 : 1) * (faint / many);
    ctx.lineWidth = (focused ? (weight === "strong" ? 3 : 1.7) : weight === "strong" ? 2 : 1.1) / scale;
    ctx.setLineDash(dash ?? []);
    ctx.beginPath();
    for (const { one, other } of some) {
      ctx.moveTo(X[one], Y[one]);
      ctx.lineTo(X[other], Y[other]);
    }
    ctx.stroke();
  }
  ctx.setLineDash([]);
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
    corners.forEach(([dx, dy], at) => (at ? ctx.lineTo(x + dx * r, y + dy * r) : ctx.moveTo(x + dx * r, y + dy * r)));
    ctx.closePath();
  }
}

function paintNode(ctx, node) {
  const scale = network.getScale();
  const kind = NODES[node].kind;
  const r = radius(node);
  ctx.globalAlpha = hasFocus() && !VIEW.near.has(node) ? 0.22 : 1;
  trace(ctx, kind, X[node], Y[node], r);
  ctx.fillStyle = INK[kind.toLowerCase()];
  ctx.lineWidth = Math.min(2 / scale, r / 2);
  ctx.strokeStyle = INK.ground;
  ctx.stroke();
  ctx.fill();
  if (node === VIEW.selected || node === VIEW.hover) {
    trace(ctx, kind, X[node], Y[node], r + 4.5 / scale);
    ctx.lineWidth = 2 / scale;
    ctx.strokeStyle = INK.ink;
    ctx.stroke();
  }
}

// Papers that are specks are drawn in one go.
function paintSpecks(ctx, papers) {
  const r = 1.6 / network.getScale();
  for (const near of [false, true]) {
    ctx.beginPath();
    for (const node of papers) {
      if ((hasFocus() && VIEW.near.has(node)) !== near) continue;
      const size = near ? 2.2 * r : r;
      ctx.rect(X[node] - size, Y[node] - size, 2 * size, 2 * size);
    }
    ctx.fillStyle = INK.paper;
    ctx.globalAlpha = near ? 1 : hasFocus() ? 0.15 : 0.5;
    ctx.fill();
  }
}

function paintIslands(ctx) {
  const scale = network.getScale();
  for (const { x, y, radius: r, isCommunity, at } of ISLANDS) {
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 2 * Math.PI);
    ctx.globalAlpha = isCommunity ? 1 : 0.4;
    ctx.fillStyle = INK.sheet;
    ctx.fill();
    ctx.lineWidth = (at === VIEW.island ? 2.5 : 1) / scale;
    ctx.strokeStyle = at === VIEW.island ? INK.ink : INK.line;
    ctx.stroke();
  }
}

// All of the picture, on any context: the screen's, or one that writes it down.
function paint(ctx) {
  ctx.save();
  paintIslands(ctx);
  const painted = choosePainted(ctx);
  const [plain, focused] = chooseEdges(ctx, painted);
  strokePairs(ctx, plain, false);
  strokePairs(ctx, focused, true);
  const papers = painted.filter(isPaper);
  const specks = ISLANDS.length > 0 && network.getScale() < 0.2;
  if (specks) paintSpecks(ctx, papers);
  else for (const node of papers) paintNode(ctx, node);
  for (const node of painted) if (!isPaper(node)) paintNode(ctx, node);
  for (const node of [VIEW.selected, VIEW.hover]) if (node >= 0 && shows(node)) paintNode(ctx, node);
  ctx.restore();
  VIEW.painted = painted;
  VIEW.edges = [...plain, ...focused];
  drawLabels(ctx, painted, specks);
}
