// Making elements. Text becomes text nodes only, so markup in it stays text.

function make(tag, className = "", ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

const OUTLINES = {
  Paper: "M3 1h7l3 3v11H3z",
  Method: "M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z",
  Dataset: "M2.5 2.5h11v11h-11z",
  Task: "M8 1.5L15 14H1z",
  Metric: "M8 .8L15.2 8L8 15.2L.8 8z",
};

function glyph(kind) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "glyph");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", kind);
  path.setAttribute("d", OUTLINES[kind]);
  path.style.fill = `var(--${kind.toLowerCase()})`;
  svg.append(path);
  return svg;
}

function link(node, text = NODES[node].label) {
  const anchor = make("a", "", text);
  anchor.href = fragment(node);
  anchor.dir = "auto";
  return anchor;
}

function chip(node, note = "") {
  const anchor = link(node, "");
  anchor.append(glyph(NODES[node].kind), make("span", "", NODES[node].label));
  if (note) anchor.append(make("span", "times", note));
  return anchor;
}

const chips = (nodes, note = () => "") => make("div", "chips", ...nodes.map((node) => chip(node, note(node))));

function webLink(address, text) {
  let url;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  const anchor = make("a", "", text);
  anchor.href = url.href;
  anchor.rel = "noopener noreferrer";
  anchor.target = "_blank";
  return anchor;
}

// A list that grows by a button, so that thousands of rows cost nothing before they are wanted.
function growing(rows, toElement, className = "rows", step = 40) {
  const list = make("ul", className);
  const box = make("div", "", list);
  const more = make("button", "more");
  more.type = "button";
  const grow = () => {
    const from = list.children.length;
    list.append(...rows.slice(from, from + step).map(toElement));
    const rest = rows.length - list.children.length;
    more.textContent = rest > step ? `Show ${step} more of ${rest.toLocaleString("en")}` : `Show ${rest} more`;
    more.hidden = rest <= 0;
    if (from > 0) list.children[from]?.querySelector("a")?.focus();
  };
  more.addEventListener("click", grow);
  grow();
  if (!more.hidden) box.append(more);
  return box;
}

// Text with marks, `wrap` makes a mark's content. Spans are in code points and count from `from`;
// where they overlap, the earlier and longer wins.
function marked(text, spans, { from = 0, to = Infinity, wrap = (part) => part } = {}) {
  const box = document.createDocumentFragment();
  let at = from;
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start < at || span.end <= span.start) continue;
    box.append(stretch(text, at, span.start), make("mark", span.kind, wrap(stretch(text, span.start, span.end), span)));
    at = span.end;
  }
  box.append(stretch(text, at, to));
  return box;
}

function heading(level, text, count) {
  const element = make(`h${level}`, "", text);
  if (count !== undefined) element.append(" ", make("span", "", count.toLocaleString("en")));
  return element;
}
