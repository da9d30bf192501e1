// Labels: in a constant size on the screen, the most telling first, none over another.

const CELL = 6; // pixels
const MOST_LABELS = 160;
const TEXTS = new Map();
const REACH = new Map(); // by paper, how far its petals go

// The paper that a petal stands around, or -1.
function spokeOf(node) {
  if (isPaper(node) || !IS_PETAL[node]) return -1;
  const relation = LINKS[node].find((one) => isPaper(one.subject));
  return relation ? relation.subject : -1;
}

function rank(node) {
  if (isPaper(node)) return ISLANDS.length ? 8 : 30;
  if (NODES[node].papers > 1) return (ISLANDS.length ? 9 : 12) * Math.log2(NODES[node].papers + (ISLANDS.length ? WEIGHT(node) / 100 : 0));
  return LINKS[node].some((relation) => relation.predicate === "introduces") ? 10 : 1;
}

const RANKS = new Map();
function rankOf(node) {
  if (!RANKS.has(node)) RANKS.set(node, rank(node));
  return RANKS.get(node);
}

function measureReach(painted) {
  REACH.clear();
  for (const node of painted) {
    const paper = spokeOf(node);
    if (paper < 0) continue;
    const length = Math.hypot(X[node] - X[paper], Y[node] - Y[paper]);
    if (length < 400) REACH.set(paper, Math.max(REACH.get(paper) ?? 0, length)); // not one dragged away
  }
}

// One line for a concept, up to two for a paper.
function linesOf(node) {
  const text = NODES[node].label.replace(/\s+/g, " ").trim();
  if (!isPaper(node)) return [shorten(text, 34)];
  const short = shorten(text, 46);
  if (Array.from(short).length <= 24) return [short];
  const words = short.split(" ");
  let first = words.shift();
  while (words.length && Array.from(`${first} ${words[0]}`).length <= 24) first += ` ${words.shift()}`;
  return words.length ? [shorten(first, 32), shorten(words.join(" "), 24)] : [shorten(first, 32)];
}

const fontOf = (node) => `${isPaper(node) || NODES[node].papers > 1 ? 600 : 400} ${isPaper(node) ? 12.5 : 12}px system-ui, sans-serif`;

function textOf(ctx, node) {
  if (!TEXTS.has(node)) {
    ctx.font = fontOf(node);
    const lines = linesOf(node);
    TEXTS.set(node, { lines, width: Math.max(...lines.map((line) => ctx.measureText(line).width)), height: 15 * lines.length });
  }
  return TEXTS.get(node);
}

// What of the screen is taken, in cells: 0 nothing, 1 a dot, 2 a label.
const DOT = 1;
const LABEL = 2;

class Room {
  constructor(width, height) {
    [this.width, this.height] = [width, height];
    this.columns = Math.ceil(width / CELL) + 1;
    this.rows = Math.ceil(height / CELL) + 1;
    this.taken = new Uint8Array(this.columns * this.rows);
  }

  span({ left, top, width, height }) {
    const cell = (value, most) => Math.min(most, Math.max(0, Math.floor(value / CELL)));
    return [cell(left, this.columns - 1), cell(left + width, this.columns - 1), cell(top, this.rows - 1), cell(top + height, this.rows - 1)];
  }

  isFree(box, over = 0) {
    if (box.left < 2 || box.top < 2 || box.left + box.width > this.width || box.top + box.height > this.height) return false;
    const [from, to, low, high] = this.span(box);
    for (let row = low; row <= high; row += 1) {
      for (let column = from; column <= to; column += 1) if (this.taken[row * this.columns + column] > over) return false;
    }
    return true;
  }

  take(box, what) {
    const [from, to, low, high] = this.span(box);
    for (let row = low; row <= high; row += 1) this.taken.fill(what, row * this.columns + from, row * this.columns + to + 1);
  }
}

// Where a label may stand, best first.
function sidesOf(spot, text, scale, squeezed) {
  const { node, x, y, r } = spot;
  const at = (left, top, align) => ({ left, top, width: text.width, height: text.height, align });
  const right = at(x + r + 5, y - text.height / 2, "left");
  const left = at(x - r - 5 - text.width, y - text.height / 2, "right");
  const below = (gap) => at(x - text.width / 2, y + gap, "center");
  const above = at(x - text.width / 2, y - r - 5 - text.height, "center");
  if (isPaper(node)) {
    const reach = (REACH.get(node) ?? 0) * scale;
    const outside = below(Math.max(reach + 9, r + 4));
    const over = at(x - text.width / 2, y - Math.max(reach + 9, r + 4) - text.height, "center");
    const beside = [at(x + Math.max(reach, r) + 9, y - text.height / 2, "left"), at(x - Math.max(reach, r) - 9 - text.width, y - text.height / 2, "right")];
    return reach > 90 ? [below(r + 4), outside] : [outside, over, ...(squeezed ? beside : [])];
  }
  const spoke = spokeOf(node);
  if (spoke < 0) {
    const corner = (leftmost, top) => at(leftmost ? x - 8 : x + 8 - text.width, top, leftmost ? "left" : "right");
    const corners = [true, false].flatMap((leftmost) => [corner(leftmost, y + r + 3), corner(leftmost, above.top)]);
    return [below(r + 3), right, left, above, ...corners];
  }
  const [dx, dy] = [X[node] - X[spoke], Y[node] - Y[spoke]];
  const ends = dy > 0 ? below(r + 3) : above;
  if (Math.abs(dx) < Math.abs(dy) * 0.35) return [ends, dx < 0 ? left : right];
  return dx < 0 ? [left, ends] : [right, ends];
}

function writeLabel(ctx, node, box, text) {
  const x = { left: box.left, right: box.left + box.width, center: box.left + box.width / 2 }[box.align];
  ctx.font = fontOf(node);
  ctx.textAlign = box.align;
  text.lines.forEach((line, at) => {
    ctx.strokeText(line, x, box.top + 15 * at + 12);
    ctx.fillText(line, x, box.top + 15 * at + 12);
  });
}

function spotsOnScreen(painted, width, height, scale, specks) {
  const origin = network.canvasToDOM({ x: 0, y: 0 });
  const spots = [];
  for (const node of painted) {
    if (specks && isPaper(node) && !VIEW.near.has(node)) continue;
    const spot = { node, x: origin.x + X[node] * scale, y: origin.y + Y[node] * scale, r: radius(node) * scale + (node === VIEW.selected ? 6 : 0) };
    const margin = 40 + (REACH.get(node) ?? 0) * scale;
    if (spot.x > -margin && spot.y > -margin && spot.x < width + margin && spot.y < height + margin) spots.push(spot);
  }
  const first = (node) => (node === VIEW.selected ? 2 : VIEW.near.has(node) ? 1 : 0);
  return spots.sort((a, b) => first(b.node) - first(a.node) || rankOf(b.node) - rankOf(a.node) || a.node - b.node);
}

// Whether a label tells enough at this zoom, if there is room for it.
function isWorthy(node, scale, crowded) {
  if (VIEW.near.has(node)) return true;
  if (hasFocus()) return scale > 1.3;
  if (isPaper(node)) return !crowded && (!ISLANDS.length || scale > 0.28);
  return ISLANDS.length > 0 || scale > 1.15 || NODES.length < 60 || rankOf(node) > 1;
}

function takeDots(room, spots, crowded) {
  for (const id of ["zoom", "capped"]) {
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = document.getElementById(id);
    if (width) room.take({ left, top, width, height }, LABEL);
  }
  for (const { node, x, y, r } of spots) {
    // A label may cover what is dimmed, and small dots where there is nowhere else.
    if (hasFocus() ? !VIEW.near.has(node) : crowded && r < 9) continue;
    room.take({ left: x - r, top: y - r, width: 2 * r, height: 2 * r }, spokeOf(node) >= 0 || (ISLANDS.length > 0 && r < 8) ? DOT : LABEL);
  }
}

// Labels in free places; then papers and shared concepts that found none, over petals.
function placeLabels(ctx, room, spots, scale, crowded) {
  const placed = new Map();
  const wanted = spots.slice(0, 1500).filter(({ node }) => isWorthy(node, scale, crowded));
  const find = (sides, over) => sides.find((side) => room.isFree(side, over));
  for (const over of [0, DOT]) {
    for (const spot of wanted) {
      const { node } = spot;
      if (placed.size >= MOST_LABELS || placed.has(node) || (over && spokeOf(node) >= 0 && node !== VIEW.selected)) continue;
      const sides = sidesOf(spot, textOf(ctx, node), scale, over > 0);
      const box = find(sides, over) ?? (ISLANDS.length && !isPaper(node) ? find(sides, DOT) : undefined)
        ?? (over && node === VIEW.selected ? sides[0] : undefined);
      if (!box) continue;
      room.take(box, LABEL);
      placed.set(node, box);
    }
  }
  return placed;
}

// Names of islands, along their upper edge, as long as the island is not all of the screen.
function nameIslands(ctx, room, scale) {
  const origin = network.canvasToDOM({ x: 0, y: 0 });
  for (const { x, y, radius: r, name } of [...ISLANDS].sort((a, b) => b.radius - a.radius)) {
    const wide = r * scale;
    if (!name || wide < 26 || wide > 3 * room.width) continue;
    ctx.font = `700 ${Math.min(15, 11 + wide / 60)}px system-ui, sans-serif`;
    const parts = name.split(", ");
    const lines = parts.slice(0, wide > 70 ? 2 : 1).map((part) => shorten(part, 28));
    const width = Math.max(...lines.map((line) => ctx.measureText(line).width));
    const height = 16 * lines.length;
    const left = origin.x + x * scale - width / 2;
    const [high, low] = [origin.y + (y - r) * scale, origin.y + (y + r) * scale];
    const inside = wide > 40 ? [high + 6] : []; // even over what stands there
    const top = [high - height - 2, high + 6, low + 3].find((one) => room.isFree({ left, top: one, width, height })) ?? inside[0];
    if (top === undefined) continue;
    room.take({ left, top, width, height }, LABEL);
    ctx.textAlign = "center";
    ctx.fillStyle = INK.soft;
    lines.forEach((line, at) => {
      ctx.strokeText(line, left + width / 2, top + 16 * at + 12);
      ctx.fillText(line, left + width / 2, top + 16 * at + 12);
    });
  }
}

function drawLabels(ctx, painted, specks) {
  const [width, height] = [ctx.canvas.clientWidth, ctx.canvas.clientHeight];
  const scale = network.getScale();
  measureReach(painted);
  const spots = spotsOnScreen(painted, width, height, scale, specks);
  const crowded = spots.length > 900;
  const room = new Room(width, height);
  takeDots(room, spots, crowded);
  ctx.save();
  ctx.setTransform(ctx.canvas.width / width, 0, 0, ctx.canvas.height / height, 0, 0);
  ctx.lineJoin = "round";
  ctx.lineWidth = 3.5;
  ctx.strokeStyle = ISLANDS.length ? INK.sheet : INK.ground;
  ctx.globalAlpha = hasFocus() ? 0.5 : 1;
  nameIslands(ctx, room, scale);
  ctx.fillStyle = INK.ink;
  for (const [node, box] of placeLabels(ctx, room, spots, scale, crowded)) {
    ctx.globalAlpha = hasFocus() && !VIEW.near.has(node) ? 0.4 : 1;
    writeLabel(ctx, node, box, textOf(ctx, node));
  }
  ctx.restore();
}
