// The bar below: kinds with counts, which switch them on and off, and the form of filters.

const LEGEND = document.getElementById("legend");
const FILTERS = document.getElementById("filters");
const OPENER = document.getElementById("open-filters");
const COUNTS = new Map();
const ROLE_NAMES = {
  introduces: "introduced", usesMethod: "used as method", usesDataset: "used as data set", addressesTask: "addressed",
  reportsMetric: "reported", comparesWith: "compared with",
};

function startLegend() {
  for (const kind of KINDS) {
    const count = make("span");
    const button = make("button", "", glyph(kind), PLURALS[kind], count);
    button.type = "button";
    button.dataset.kind = kind;
    button.addEventListener("click", () => {
      const hidden = new Set(VIEW.hidden);
      if (!hidden.delete(kind)) hidden.add(kind);
      go({ hide: KINDS.filter((one) => hidden.has(one)).join(",") });
    });
    COUNTS.set(kind, count);
    LEGEND.insertBefore(button, OPENER);
  }
}

function option(value, text) {
  const element = make("option", "", text);
  element.value = String(value);
  return element;
}

function field(label, control, name) {
  control.name = name;
  control.id = `filter-${name}`;
  const caption = make("label", "", label);
  caption.htmlFor = control.id;
  return make("p", "field", caption, control);
}

function numberBox(low, high) {
  const box = make("input");
  [box.type, box.min, box.max, box.inputMode] = ["number", String(low), String(high), "numeric"];
  return box;
}

function startFilters() {
  const roles = make("select", "", option("", "any role"), ...Object.entries(ROLE_NAMES)
    .filter(([role]) => GRAPH.predicates.includes(role)).map(([role, text]) => option(role, text)));
  const community = make("select", "", option(-1, "all communities"), ...GRAPH.communities.map(([name], at) => option(at, shorten(name, 48))));
  const years = NODES.slice(0, PAPERS).map(({ year }) => year).filter(Boolean);
  const [low, high] = [years.reduce((a, b) => Math.min(a, b), 9999), years.reduce((a, b) => Math.max(a, b), 0)];
  const fields = [field("Concepts that papers have", roles, "role")];
  if (GRAPH.communities.length) fields.push(field("Community", community, "community"));
  if (years.length) fields.push(field(`From year (${low})`, numberBox(low, high), "from"), field(`to year (${high})`, numberBox(low, high), "to"));
  fields.push(field("Concepts in at least … papers", numberBox(1, PAPERS || 1), "least"));
  const reset = make("button", "more", "Clear filters");
  reset.type = "button";
  reset.addEventListener("click", () => go({ role: "", from: 0, to: 0, community: -1, least: 1, hops: 0 }));
  FILTERS.append(...fields, reset);
  FILTERS.addEventListener("submit", (event) => event.preventDefault());
  FILTERS.addEventListener("change", ({ target }) => {
    const plain = PLAIN[target.name];
    go({ [target.name]: target.name === "role" ? target.value : target.value === "" ? plain : Math.max(0, Math.trunc(Number(target.value))) });
  });
  OPENER.addEventListener("click", () => openFilters(FILTERS.hidden));
  FILTERS.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    openFilters(false);
    OPENER.focus();
  });
}

function openFilters(open) {
  FILTERS.hidden = !open;
  OPENER.setAttribute("aria-expanded", String(open));
  if (open) FILTERS.querySelector("select, input").focus();
}

// Show in the bar and the form what holds.
function showFilters() {
  const counts = new Map(KINDS.map((kind) => [kind, 0]));
  for (let node = 0; node < NODES.length; node += 1) if (ALLOWED[node]) counts.set(NODES[node].kind, counts.get(NODES[node].kind) + 1);
  for (const button of LEGEND.querySelectorAll("button[data-kind]")) {
    const { kind } = button.dataset;
    button.setAttribute("aria-pressed", String(!VIEW.hidden.has(kind)));
    COUNTS.get(kind).textContent = counts.get(kind).toLocaleString("en");
  }
  const active = ["role", "from", "to", "community", "least"].filter((name) => STATE[name] !== PLAIN[name]);
  OPENER.textContent = active.length ? `Filters (${active.length})` : "Filters";
  OPENER.classList.toggle("active", active.length > 0);
  for (const control of FILTERS.querySelectorAll("select, input")) {
    const value = STATE[control.name];
    control.value = control.tagName === "INPUT" && value === PLAIN[control.name] ? "" : String(value);
  }
}
