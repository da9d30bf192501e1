// The table: a paper a row, with what it introduces, uses and reports; sorted by any column.

const TABLE = document.getElementById("table");
const SORT = { column: 0, down: false };
const DATES = { Title: (node) => NODES[node].title, Year: (node) => NODES[node].year ?? "", Venue: (node) => NODES[node].venue };
const HAVING = {
  Introduces: ["introduces"], Methods: ["usesMethod"], Datasets: ["usesDataset"], Tasks: ["addressesTask"],
  Metrics: ["reportsMetric"], "Compares with": ["comparesWith"], Mentions: ["mentions"],
};
const COLUMNS = [...Object.keys(DATES), ...Object.keys(HAVING)];

function conceptsOf(node, predicates) {
  const found = LINKS[node].filter((one) => one.subject === node && predicates.includes(one.predicate)).map((one) => one.object);
  return [...new Set(found)].filter(isShown);
}

function sortKey(node, column) {
  const name = COLUMNS[column];
  if (DATES[name]) return DATES[name](node);
  return conceptsOf(node, HAVING[name]).length;
}

function sortedPapers() {
  const papers = shownNodes().filter(isPaper);
  const keys = new Map(papers.map((node) => [node, sortKey(node, SORT.column)]));
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en"));
  return papers.sort((a, b) => (SORT.down ? -1 : 1) * compare(keys.get(a), keys.get(b)) || a - b);
}

function tableRow(node) {
  const row = make("tr");
  COLUMNS.forEach((name, at) => {
    const cell = make(at ? "td" : "th");
    if (!at) [cell.scope] = ["row"];
    if (name === "Title") cell.append(link(node, NODES[node].title));
    else if (DATES[name]) cell.append(String(DATES[name](node)));
    else conceptsOf(node, HAVING[name]).forEach((concept, place) => cell.append(place ? ", " : "", link(concept)));
    row.append(cell);
  });
  return row;
}

function headCell(name, at) {
  const button = make("button", "", name, make("span", "", SORT.column !== at ? "" : SORT.down ? " ▼" : " ▲"));
  button.type = "button";
  button.addEventListener("click", () => {
    SORT.down = SORT.column === at ? !SORT.down : !DATES[name];
    SORT.column = at;
    showTable();
    TABLE.querySelectorAll("thead button")[at].focus();
  });
  const cell = make("th", "", button);
  cell.scope = "col";
  if (SORT.column === at) cell.setAttribute("aria-sort", SORT.down ? "descending" : "ascending");
  return cell;
}

function showTable() {
  const papers = sortedPapers();
  const body = make("tbody");
  const more = make("button", "more");
  const save = make("button", "more", "Download as CSV");
  more.type = save.type = "button";
  const grow = () => {
    const from = body.children.length;
    body.append(...papers.slice(from, from + 100).map(tableRow));
    more.textContent = `Show more of ${(papers.length - body.children.length).toLocaleString("en")}`;
    more.hidden = body.children.length >= papers.length;
  };
  more.addEventListener("click", grow);
  save.addEventListener("click", () => download("papers.csv", "text/csv", toCsv(papers)));
  grow();
  const head = make("thead", "", make("tr", "", ...COLUMNS.map(headCell)));
  const grid = make("table", "", make("caption", "unseen", "Papers and their concepts"), head, body);
  TABLE.replaceChildren(make("p", "hint", plural(papers.length, "paper"), " ", save), grid, more);
}

// A text that starts like a formula gets an apostrophe, so that no spreadsheet runs it.
const FORMULA = /^\s*[=+\-@＝＋－＠]/;
function csvCell(value) {
  const parts = (Array.isArray(value) ? value : [value]).map((one) => String(one).replace(/[\p{Cc}\u2028\u2029]+/gu, " "));
  const text = parts.map((one) => (FORMULA.test(one) ? `'${one}` : one)).join(" | ");
  return `"${text.replaceAll('"', '""')}"`;
}

function toCsv(papers) {
  const lines = [["Id", ...COLUMNS].map(csvCell).join(",")];
  for (const node of papers) {
    const cells = COLUMNS.map((name) => (DATES[name] ? DATES[name](node) : conceptsOf(node, HAVING[name]).map((one) => NODES[one].label)));
    lines.push([NODES[node].id, ...cells].map(csvCell).join(","));
  }
  return `${lines.join("\n")}\n`;
}
