// The list: what the drawing shows, as text for screen readers and small screens.

const LIST = document.getElementById("list");

function listRow(node) {
  if (isPaper(node)) {
    const row = paperRow(node);
    const rest = LINKS[node].filter((one) => one.subject === node && !isPaper(one.object) && one.predicate !== "introduces");
    const names = [...new Set(rest.map((relation) => NODES[relation.object].label))];
    if (names.length) row.append(make("small", "", `mentions ${names.join(", ")}`));
    return row;
  }
  const { alts, papers } = NODES[node];
  return make("li", "", link(node), make("small", "", [plural(papers, "paper"), ...alts].join(" · ")));
}

function showList() {
  const sections = KINDS.filter((kind) => !VIEW.hidden.has(kind)).flatMap((kind) => {
    const nodes = [...NODES.keys()].filter((node) => NODES[node].kind === kind && isShown(node));
    if (!nodes.length) return [];
    if (kind !== "Paper") nodes.sort((a, b) => NODES[b].papers - NODES[a].papers || a - b);
    const name = heading(2, PLURALS[kind], nodes.length);
    name.prepend(glyph(kind));
    return [name, growing(nodes, listRow, kind === "Paper" ? "rows" : "rows concepts", 120)];
  });
  LIST.replaceChildren(...sections);
  markCurrent();
}

function markCurrent() {
  const current = VIEW.selected < 0 ? "" : fragment(VIEW.selected);
  for (const anchor of LIST.querySelectorAll("a")) {
    if (anchor.getAttribute("href") === current) anchor.setAttribute("aria-current", "true");
    else anchor.removeAttribute("aria-current");
  }
}
