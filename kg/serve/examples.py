"""Queries to start from; each answers something on any graph."""

from __future__ import annotations

__all__ = ["EXAMPLES"]

EXAMPLES = {
    "Concepts in most papers": """\
SELECT ?concept ?name (COUNT(DISTINCT ?paper) AS ?papers) {
  ?paper schema:mentions ?concept .
  ?concept skos:prefLabel ?name
}
GROUP BY ?concept ?name
ORDER BY DESC(?papers) ?name
LIMIT 50""",
    "What papers introduce": """\
SELECT ?paper ?title ?concept ?name {
  ?paper kg:introduces ?concept ; dcterms:title ?title .
  ?concept skos:prefLabel ?name
}
ORDER BY ?title ?name""",
    "Data sets, and who uses them": """\
SELECT ?dataset ?name ?paper ?title {
  ?paper kg:usesDataset ?dataset ; dcterms:title ?title .
  ?dataset skos:prefLabel ?name
}
ORDER BY ?name ?title""",
    "How concepts stand to each other, with the sentence": """\
SELECT ?from ?relation ?to ?confidence ?sentence {
  ?statement rdf:subject ?a ; rdf:predicate ?relation ; rdf:object ?b ;
    kg:confidence ?confidence ; kg:evidence/nif:anchorOf ?sentence .
  ?a skos:prefLabel ?from . ?b skos:prefLabel ?to
}
ORDER BY DESC(?confidence) ?from ?to
LIMIT 100""",
    "Papers to read together": """\
SELECT ?paper ?title ?other ?otherTitle ?score {
  ?statement rdf:subject ?paper ; rdf:predicate kg:relatedTo ; rdf:object ?other ; kg:confidence ?score .
  ?paper dcterms:title ?title . ?other dcterms:title ?otherTitle
}
ORDER BY DESC(?score) ?title
LIMIT 50""",
}
