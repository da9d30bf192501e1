// What a person looks at: it stands in the address, so that a view can be shared and gone back to.

const PLAIN = { node: -1, other: -1, hops: 0, view: "graph", hide: "", role: "", from: 0, to: 0, community: -1, least: 1 };
const NUMBERS = ["hops", "from", "to", "community", "least"];
const VIEWS = ["graph", "list", "table"];
let STATE = { ...PLAIN };

function nodeOf(text) {
  try {
    return BY_ID.get(decodeURIComponent(text)) ?? -1;
  } catch {
    return -1; // not a fragment of ours
  }
}

// What is no word of ours, or out of range, counts as not said.
function readState(fragment) {
  const [first, ...rest] = fragment.replace(/^#/, "").split("&");
  const said = Object.fromEntries(rest.map((part) => part.split("=", 2)));
  const state = { ...PLAIN, node: nodeOf(first), other: nodeOf(said.with ?? "") };
  for (const name of NUMBERS) if (/^\d{1,5}$/.test(said[name] ?? "")) state[name] = Number(said[name]);
  if (VIEWS.includes(said.view)) state.view = said.view;
  if (GRAPH.predicates.includes(said.role)) state.role = said.role;
  state.hide = (said.hide ?? "").split(",").filter((kind) => KINDS.includes(kind)).join(",");
  state.hops = state.node < 0 ? 0 : Math.min(3, state.hops);
  if (state.community >= GRAPH.communities.length) state.community = -1;
  return state;
}

function addressOf(changes = {}) {
  const state = { ...STATE, ...changes };
  const parts = [state.node < 0 ? "" : encodeURIComponent(NODES[state.node].id)];
  if (state.node >= 0 && state.other >= 0) parts.push(`with=${encodeURIComponent(NODES[state.other].id)}`);
  for (const name of ["view", "role", "hide", ...NUMBERS]) if (state[name] !== PLAIN[name]) parts.push(`${name}=${state[name]}`);
  return `#${parts.join("&")}`;
}

const fragment = (node) => addressOf({ node, other: -1, hops: 0 });

// Filters: which nodes are left, before kinds are hidden.
const ALLOWED = new Uint8Array(NODES.length).fill(1);

function isFiltered({ role, from, to, community, least, hops }) {
  return role !== "" || from > 0 || to > 0 || community >= 0 || least > 1 || hops > 0;
}

function allowsPaper(node, { role, from, to, community }) {
  const { year } = NODES[node];
  if ((from > 0 && !(year >= from)) || (to > 0 && !(year <= to))) return false;
  if (community >= 0 && HOME[node] !== community) return false;
  return role === "" || LINKS[node].some((relation) => relation.predicate === role && relation.subject === node);
}

function allowsConcept(node, { role, from, to, community, least }) {
  if (NODES[node].papers < least || (community >= 0 && HOME[node] !== community)) return false;
  if (role === "" && !from && !to) return true;
  return LINKS[node].some((relation) => isPaper(relation.subject) && ALLOWED[relation.subject] && (role === "" || relation.predicate === role));
}

function within(start, hops) {
  const found = new Set([start]);
  let edge = [start];
  for (let step = 0; step < hops; step += 1) {
    const next = new Set();
    for (const node of edge) for (const other of neighbours(node)) if (!found.has(other)) next.add(other);
    next.forEach((node) => found.add(node));
    edge = [...next];
  }
  return found;
}

function applyFilters(state) {
  ALLOWED.fill(1);
  if (!isFiltered(state)) return;
  for (let node = 0; node < PAPERS; node += 1) ALLOWED[node] = allowsPaper(node, state) ? 1 : 0;
  for (let node = PAPERS; node < NODES.length; node += 1) ALLOWED[node] = allowsConcept(node, state) ? 1 : 0;
  if (state.hops > 0) {
    const near = within(state.node, state.hops);
    for (let node = 0; node < NODES.length; node += 1) if (!near.has(node)) ALLOWED[node] = 0;
  }
  for (const node of [state.node, state.other]) if (node >= 0) ALLOWED[node] = 1;
}

const isShown = (node) => ALLOWED[node] === 1 && !VIEW.hidden.has(NODES[node].kind);
const shownNodes = () => [...NODES.keys()].filter(isShown);
