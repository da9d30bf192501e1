// The panel: what is known of the selected node or edge, each claim with its sentences.

const PANEL = document.getElementById("panel");
const MOST_QUOTES = 3;

// Where a paper's text names its concepts.
function spansOf(node, section) {
  const spans = [];
  for (const relation of LINKS[node]) {
    if (relation.subject !== node || isPaper(relation.object)) continue;
    for (const one of relation.evidence.map(evidenceAt)) {
      if (one.paper === node && one.section === section) {
        spans.push({ ...one, node: relation.object, kind: NODES[relation.object].kind });
      }
    }
  }
  return spans;
}

const linked = (node, section) => marked(NODES[node].texts[section], spansOf(node, section), { wrap: (part, { node: to }) => link(to, part) });

function quoteElement({ paper, section, from, to, method, score, spans }, kind, named) {
  const marks = spans.map((span) => ({ ...span, kind }));
  const text = make("p", "quote", marked(NODES[paper].texts[section], marks, { from, to }));
  text.dir = "auto";
  text.append(make("cite", "", ...(named ? [link(paper), " · "] : []), `${method} · ${score.toFixed(2)}`));
  return text;
}

function quotesOf(relation, named = false) {
  const node = isPaper(relation.object) ? relation.via[0] : relation.object;
  const kind = node === undefined ? "" : NODES[node].kind;
  const toElement = (sentence) => make("li", "", quoteElement(sentence, kind, named));
  return growing(quotes(relation.evidence), toElement, "", MOST_QUOTES);
}

// Relations by predicate and direction, in the order of the ontology.
function rolesOf(node) {
  const groups = new Map();
  for (const predicate of GRAPH.predicates) for (const back of [0, 1]) groups.set(`${predicate} ${back}`, []);
  for (const relation of LINKS[node]) groups.get(`${relation.predicate} ${relation.subject === node ? 0 : 1}`).push(relation);
  const headings = new Map();
  for (const [key, relations] of groups) {
    const [predicate, back] = key.split(" ");
    if (!relations.length) continue;
    const text = ROLES[predicate][back];
    headings.set(text, [...(headings.get(text) ?? []), ...relations]);
  }
  return headings;
}

function head(kind, title) {
  const close = make("button", "close", "×");
  close.type = "button";
  close.setAttribute("aria-label", "Close");
  close.addEventListener("click", clear);
  const name = heading(2, title);
  name.dir = "auto";
  return [close, make("p", "kind", glyph(kind), kind), name];
}

function paperElements(node) {
  const paper = NODES[node];
  const title = head("Paper", "");
  title.at(-1).append(linked(node, "title"));
  const whence = [paper.authors.join(", "), [paper.venue, paper.year].filter(Boolean).join(" ")].filter(Boolean);
  const web = [webLink(paper.url, "Open the paper"), paper.doi && webLink(`https://doi.org/${encodeURI(paper.doi)}`, `doi:${paper.doi}`)];
  const elements = [...title, ...whence.map((line) => make("p", "whence", line))];
  for (const anchor of web.filter(Boolean)) elements.push(make("p", "whence", anchor));
  if (paper.texts.abstract) elements.push(make("p", "abstract", linked(node, "abstract")));
  elements.push(stepsElement(node));
  const roles = rolesOf(node);
  const related = roles.get("Related to") ?? [];
  roles.delete("Related to");
  for (const [role, relations] of roles) {
    elements.push(heading(3, role), chips([...new Set(relations.map((one) => one.object))], shared));
  }
  if (!roles.size) elements.push(make("p", "hint", "No concept was found in this paper."));
  elements.push(...resultElements(node));
  if (related.length) elements.push(heading(3, "Related papers", related.length), relatedElement(node, related));
  return elements;
}

const shared = (node) => (NODES[node].papers > 1 ? `${NODES[node].papers} papers` : "");

function relatedElement(node, related) {
  const rows = [...related].sort((a, b) => b.score - a.score);
  return growing(rows, (relation) => {
    const row = make("li", "", link(otherEnd(relation, node)));
    if (relation.via.length) row.append(make("small", "", "shares"), chips(relation.via.slice(0, 6)));
    return row;
  });
}

function conceptElements(node) {
  const concept = NODES[node];
  const elements = head(concept.kind, concept.label);
  if (concept.alts.length) elements.push(...namesElements(concept));
  elements.push(make("p", "whence", `Mentioned by ${plural(concept.papers, "paper")}`));
  const defined = definitionOf(node);
  if (defined) elements.push(make("div", "defined", quoteElement(defined, concept.kind, true)));
  elements.push(stepsElement(node), ...yearElements(node));
  for (const [role, relations] of rolesOf(node)) {
    elements.push(heading(3, role, relations.length));
    elements.push(growing(relations, (relation) => {
      const other = otherEnd(relation, node);
      const row = make("li", "", ...(isPaper(other) ? [link(other)] : [chips([other])]));
      if (isPaper(other)) row.append(...[NODES[other].year].filter(Boolean).map((year) => make("small", "", String(year))));
      row.append(quotesOf(relation, !isPaper(other)));
      return row;
    }, "rows", 20));
  }
  return [...elements, ...resultElements(node)];
}

function pairElements({ one, other, relations }) {
  const [close, , name] = head(NODES[one].kind, "What joins these");
  const elements = [close, name];
  elements.push(chips([one, other]));
  for (const relation of relations) {
    elements.push(heading(3, `${ROLES[relation.predicate][0]}: ${NODES[relation.object].label}`));
    if (relation.via.length) elements.push(make("p", "kind", "by"), chips(relation.via));
    elements.push(quotesOf(relation, !isPaper(relation.subject) || isPaper(relation.object)));
  }
  return elements;
}

function communityElements() {
  return growing([...GRAPH.communities.entries()], ([at, [name, members]]) => {
    const anchor = make("a", "", name);
    anchor.href = addressOf({ node: -1, other: -1, hops: 0, community: STATE.community === at ? -1 : at });
    if (STATE.community === at) anchor.setAttribute("aria-current", "true");
    return make("li", "", anchor, make("small", "", plural(members.filter(isPaper).length, "paper")));
  }, "rows", 12);
}

function overviewElements() {
  const concepts = NODES.map((_, node) => node).slice(PAPERS);
  const joined = concepts.filter((node) => NODES[node].papers > 1).sort((a, b) => NODES[b].papers - NODES[a].papers || a - b);
  const elements = [heading(2, joined.length ? "What these papers share" : "What these papers are about")];
  const guide = ISLANDS.length
    ? "Each circle is a community: papers, as specks, about the same things, and the concepts that tell most of them. Zoom in for more, and pick anything to read the sentences behind it."
    : "Around each paper stand the concepts that it alone mentions; between papers, those that they share. Pick one to read the sentences behind it.";
  elements.push(make("p", "hint", concepts.length ? guide : "No concepts were found in these papers."));
  if (joined.length) elements.push(heading(3, "Shared by the most papers"), chips(joined.slice(0, 16), (node) => String(NODES[node].papers)));
  if (ISLANDS.length) elements.push(heading(3, "Communities", GRAPH.communities.length), communityElements());
  elements.push(heading(3, "Papers", PAPERS), growing(NODES.map((_, node) => node).slice(0, PAPERS), paperRow));
  return elements;
}

function paperRow(node) {
  const row = make("li", "", link(node));
  const fresh = LINKS[node].filter((relation) => relation.predicate === "introduces").map((relation) => relation.object);
  const whence = [NODES[node].venue, NODES[node].year].filter(Boolean).join(" ");
  if (whence) row.append(make("small", "", whence));
  if (fresh.length) row.append(make("small", "", "introduces "), chips([...new Set(fresh)]));
  return row;
}

function showPanel() {
  let elements;
  if (VIEW.pair) elements = pairElements(VIEW.pair);
  else if (VIEW.selected < 0) elements = overviewElements();
  else elements = isPaper(VIEW.selected) ? paperElements(VIEW.selected) : conceptElements(VIEW.selected);
  PANEL.replaceChildren(...elements);
  PANEL.scrollTop = 0;
}
