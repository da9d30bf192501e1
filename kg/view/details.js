// Parts of the panel: why names are one concept, a definition, years, results, and steps around a node.

function namesElements({ label, alts, why }) {
  const elements = [make("p", "whence", `Also: ${alts.join(", ")}`)];
  const rows = [label, ...alts].map((name, at) => [name, GRAPH.reasons[why[at]]]).filter(([, reason]) => reason);
  if (!rows.length) return elements;
  const list = make("ul", "reasons", ...rows.map(([name, reason]) => make("li", "", make("b", "", name), `: ${reason}`)));
  elements.push(make("details", "why", make("summary", "", "Why these names are one concept"), list));
  return elements;
}

// A sentence that says what a concept is: "LoRA (…) is a method that …".
const IS_A = /^\s*(\([^)]{1,40}\))?,?\s*(is|are|refers to)\s+(an?|the|one)\s/;
function definitionOf(node) {
  for (const relation of LINKS[node]) {
    if (!isPaper(relation.subject)) continue;
    for (const one of relation.evidence.map(evidenceAt)) {
      const text = NODES[one.paper].texts[one.section];
      const starts = one.start - one.from <= 4; // "The"
      if (starts && IS_A.test(stretch(text, one.end, one.to))) return { ...one, spans: [one] };
    }
  }
  return null;
}

// How many papers of each year have a concept, as bars with the numbers as text.
function yearElements(node) {
  const counts = new Map();
  for (const other of neighbours(node)) {
    const { year } = NODES[other];
    if (isPaper(other) && year) counts.set(year, (counts.get(year) ?? 0) + 1);
  }
  if (counts.size < 2) return [];
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  const most = Math.max(...counts.values());
  const years = Array.from({ length: Math.min(60, last - first + 1) }, (_, at) => last - Math.min(59, last - first) + at);
  const space = "http://www.w3.org/2000/svg";
  const draw = (tag, attributes) => {
    const element = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    return element;
  };
  const told = years.filter((year) => counts.has(year)).map((year) => `${year}: ${plural(counts.get(year), "paper")}`);
  const svg = draw("svg", { viewBox: `0 0 ${years.length * 10} 44`, class: "years", role: "img", "aria-label": told.join(", "), preserveAspectRatio: "none" });
  years.forEach((year, at) => {
    const height = ((counts.get(year) ?? 0) / most) * 42;
    const bar = draw("rect", { x: at * 10 + 1, y: 44 - height, width: 8, height });
    bar.append(draw("title", {}));
    bar.firstChild.textContent = `${year}: ${plural(counts.get(year) ?? 0, "paper")}`;
    svg.append(bar);
  });
  const scale = make("p", "scale", make("span", "", String(years[0])), make("span", "", String(last)));
  return [heading(3, "Papers by year"), make("div", "chart", svg, scale)];
}

function valueText({ value, unit, kind }) {
  const sign = kind === "change" && value > 0 && unit !== "×" ? "+" : "";
  return `${sign}${value.toLocaleString("en", { maximumFractionDigits: 6 })}${unit === "%" || unit === "×" ? unit : unit ? ` ${unit}` : ""}`;
}

function resultElements(node) {
  const results = resultsOf(node);
  if (!results.length) return [];
  const toElement = (one) => {
    const name = one.metric >= 0 ? NODES[one.metric].label : one.words;
    const ends = [["of", one.method], ["on", one.dataset], ["against", one.baseline]].filter(([, end]) => end >= 0 && end !== node);
    const row = make("li", "", make("b", "", valueText(one)), name ? ` ${name}` : "");
    for (const [word, end] of ends) row.append(` ${word} `, link(end));
    const place = evidenceAt(one.evidence);
    row.append(quoteElement({ ...place, spans: [place] }, "", !isPaper(node)));
    return row;
  };
  return [heading(3, "Results", results.length), growing(results, toElement, "rows", 12)];
}

// Show all, or only what is a few steps away.
function stepsElement(node) {
  const group = make("div", "steps");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "How much to show around it");
  ["All", "Neighbours", "2 steps", "3 steps"].forEach((text, hops) => {
    const button = make("button", "", text);
    button.type = "button";
    button.setAttribute("aria-pressed", String(STATE.hops === hops));
    button.addEventListener("click", () => go({ node, other: -1, hops }));
    group.append(button);
  });
  return group;
}
