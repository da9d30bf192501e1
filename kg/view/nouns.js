// The graph as the page knows it: nodes by number, papers first.

const GRAPH = JSON.parse(document.getElementById("graph").textContent);
const KINDS = ["Paper", ...GRAPH.types];
const PLURALS = { Paper: "Papers", Method: "Methods", Dataset: "Datasets", Task: "Tasks", Metric: "Metrics" };
const PAPERS = GRAPH.papers.length;

// An address can't hold half of a surrogate pair.
const wellFormed = (text) => text.replace(/\p{Cs}/gu, "\ufffd");

const PAPER = ([id, label, title, abstract, year, venue, authors, doi, url]) => ({
  id: wellFormed(id), label, title: title || label, texts: { title: title || label, abstract }, kind: "Paper",
  year, venue, authors, doi, url, alts: [],
});
const CONCEPT = ([id, label, type, alts, papers, why = []]) => ({ id: wellFormed(id), label, kind: GRAPH.types[type], alts, papers, why });
const NODES = [...GRAPH.papers.map(PAPER), ...GRAPH.concepts.map(CONCEPT)];
const BY_ID = new Map(NODES.map((node, at) => [node.id, at]));

const RELATIONS = GRAPH.relations.map(([subject, predicate, object, score, evidence, via = []]) => ({
  subject, predicate: GRAPH.predicates[predicate], object, score, evidence, via,
}));
const LINKS = NODES.map(() => []); // relations by node
for (const relation of RELATIONS) {
  LINKS[relation.subject].push(relation);
  if (relation.object !== relation.subject) LINKS[relation.object].push(relation);
}

// How a relation reads from its subject, and from its object.
const ROLES = {
  introduces: ["Introduces", "Introduced by"],
  usesMethod: ["Uses methods", "Used by"],
  usesDataset: ["Uses datasets", "Used by"],
  addressesTask: ["Addresses tasks", "Addressed by"],
  reportsMetric: ["Reports metrics", "Reported by"],
  comparesWith: ["Compares with", "Compared with in"],
  mentions: ["Mentions", "Mentioned by"],
  broader: ["Is a kind of", "Has kinds"],
  usedFor: ["Used for", "Done with"],
  partOf: ["Part of", "Has parts"],
  comparedWith: ["Compared with", "Compared with"],
  evaluatedOn: ["Evaluated on", "Used to evaluate"],
  trainedOn: ["Trained on", "Used to train"],
  benchmarkFor: ["Benchmark for", "Has benchmarks"],
  relatedTo: ["Related to", "Related to"],
};

const isPaper = (node) => node < PAPERS;
const otherEnd = (relation, node) => (relation.subject === node ? relation.object : relation.subject);
const neighbours = (node) => new Set(LINKS[node].map((relation) => otherEnd(relation, node)));
const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

// Offsets count code points; a JavaScript string counts UTF-16 units.
const SURROGATE = /[\ud800-\udfff]/;
function stretch(text, start, end) {
  return SURROGATE.test(text) ? Array.from(text).slice(start, end).join("") : text.slice(start, end);
}

function shorten(text, limit) {
  const chars = Array.from(text);
  if (chars.length <= limit) return text;
  const cut = chars.slice(0, limit - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > limit * 0.6 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

// Evidence by its number; all offsets count in the text of its section.
function evidenceAt(number) {
  const [paper, section, offset, length, start, end, method, score] = GRAPH.evidence[number];
  return {
    paper, section: GRAPH.sections[section], from: offset, to: offset + length,
    start: offset + start, end: offset + end, method: GRAPH.methods[method], score,
  };
}

// Evidence by sentence: one that names a concept twice is one quote with two marks.
function quotes(numbers) {
  const sentences = new Map();
  for (const one of numbers.map(evidenceAt)) {
    const key = `${one.paper} ${one.section} ${one.from} ${one.to}`;
    if (!sentences.has(key)) sentences.set(key, { ...one, spans: [] });
    sentences.get(key).spans.push(one);
  }
  return [...sentences.values()];
}

// Lower case without accents, for search.
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

// Results by the papers, metrics, methods and data sets that they are of.
const RESULTS = GRAPH.results.map(([paper, metric, words, value, unit, kind, method, dataset, baseline, evidence]) => ({
  paper, metric, words, value, unit, kind, method, dataset, baseline, evidence,
}));
const resultsOf = (node) => RESULTS.filter((one) => [one.paper, one.metric, one.method, one.dataset].includes(node));
