// Search: a box with suggestions over labels, alt labels and titles.

const SEARCH = document.getElementById("search");
const FOUND = document.getElementById("found");
const MOST_FOUND = 12;
let folded = null;
let active = -1;

function foldNodes() {
  folded = NODES.map((node) => [...new Set([node.label, ...(node.title ? [node.title] : []), ...node.alts])].map((name) => [name, fold(name)]));
}

// 0 is best: the whole name, its start, a word's start, anywhere.
function closeness(name, query) {
  const at = name.indexOf(query);
  if (at < 0) return -1;
  if (at === 0) return name.length === query.length ? 0 : 1;
  return /[\p{L}\p{N}]/u.test(name[at - 1]) ? 3 : 2;
}

function findNodes(text) {
  const query = fold(text.trim());
  if (!query) return [];
  if (!folded) foldNodes();
  const hits = [];
  folded.forEach((names, node) => {
    let best = null;
    for (const [name, plain] of names) {
      const rank = closeness(plain, query);
      if (rank >= 0 && (!best || rank < best.rank)) best = { node, name, rank };
    }
    if (best) hits.push(best);
  });
  const weight = (node) => (isPaper(node) ? 1 : NODES[node].papers);
  hits.sort((a, b) => a.rank - b.rank || weight(b.node) - weight(a.node) || a.node - b.node);
  return hits.slice(0, MOST_FOUND);
}

function optionElement({ node, name }, at) {
  const text = make("span", "", NODES[node].label);
  const notes = name === NODES[node].label ? [] : [name];
  if (!isPaper(node)) notes.push(plural(NODES[node].papers, "paper"));
  if (notes.length) text.append(make("small", "", notes.join(" · ")));
  const option = make("li", "", glyph(NODES[node].kind), text);
  option.id = `found-${at}`;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  option.addEventListener("pointerdown", (event) => event.preventDefault()); // keep the focus in the box
  option.addEventListener("click", () => pick(node));
  return option;
}

function closeSearch() {
  FOUND.hidden = true;
  active = -1;
  SEARCH.setAttribute("aria-expanded", "false");
  SEARCH.removeAttribute("aria-activedescendant");
}

function pick(node) {
  SEARCH.value = "";
  closeSearch();
  goTo(node);
}

function suggest() {
  const hits = findNodes(SEARCH.value);
  closeSearch();
  if (!SEARCH.value.trim()) return;
  FOUND.replaceChildren(...hits.map(optionElement));
  if (!hits.length) {
    const none = make("li", "none", "Nothing found");
    none.setAttribute("role", "option");
    none.setAttribute("aria-disabled", "true");
    FOUND.append(none);
  }
  FOUND.hidden = false;
  SEARCH.setAttribute("aria-expanded", "true");
  if (hits.length) activate(0);
}

function activate(at) {
  const options = [...FOUND.querySelectorAll("[aria-selected]")];
  if (!options.length) return;
  active = (at + options.length) % options.length;
  options.forEach((option, place) => option.setAttribute("aria-selected", String(place === active)));
  options[active].scrollIntoView({ block: "nearest" });
  SEARCH.setAttribute("aria-activedescendant", options[active].id);
}

function startSearch() {
  SEARCH.addEventListener("input", suggest);
  SEARCH.addEventListener("blur", closeSearch);
  SEARCH.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (FOUND.hidden) suggest();
      else activate(active + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      FOUND.querySelector('[aria-selected="true"]')?.click();
    } else if (event.key === "Escape" && SEARCH.value) {
      event.stopPropagation();
      SEARCH.value = "";
      closeSearch();
    }
  });
}
