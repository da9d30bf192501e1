"""Names of terms and nodes, and their IRIs; nothing else translates between the two.

A node id is a CURIE such as ``paper:UXbNXAJRCo`` or ``concept:low-rank-adaptation``. Its
IRI percent-encodes every character that is not unreserved in RFC 3986, so two ids never
share one. Terms of our own exist in ``ontology/kg.ttl``; one that does not raises.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote, unquote

from kg.errors import VocabularyError

__all__ = [
    "BASE",
    "PREFIXES",
    "TERMS",
    "find_ontology",
    "from_iri",
    "to_iri",
    "to_part_iri",
    "to_term",
]

BASE = "https://w3id.org/paperkg/"

PREFIXES = {
    "bibo": "http://purl.org/ontology/bibo/",
    "cskg-ont": "https://w3id.org/cskg/ontology#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "dqv": "http://www.w3.org/ns/dqv#",
    "fabio": "http://purl.org/spar/fabio/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "itsrdf": "http://www.w3.org/2005/11/its/rdf#",
    "kg": BASE + "ontology#",
    "lpwcc": "https://linkedpaperswithcode.com/class/",
    "lpwcp": "https://linkedpaperswithcode.com/property/",
    "mls": "http://www.w3.org/ns/mls#",
    "nif": "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

# The terms that ontology/kg.ttl defines.
TERMS = frozenset(
    {
        "Community",
        "Dataset",
        "Method",
        "Metric",
        "Result",
        "Task",
        "addressesTask",
        "baseline",
        "baselineValue",
        "benchmarkFor",
        "better",
        "centrality",
        "comparedWith",
        "comparesWith",
        "confidence",
        "dataset",
        "direction",
        "evaluatedOn",
        "evidence",
        "evidenceMethod",
        "firstYear",
        "hasResult",
        "inCommunity",
        "introduces",
        "kind",
        "matchReason",
        "mentions",
        "method",
        "metric",
        "metricText",
        "partOf",
        "relatedTo",
        "reportsMetric",
        "setting",
        "trainedOn",
        "unit",
        "usedFor",
        "usesDataset",
        "usesMethod",
        "value",
        "via",
    }
)

_UNRESERVED = re.compile(r"(?=.*[^.])[A-Za-z0-9_.~-]+")
_NODE_KINDS = ("paper", "concept", "statement", "result", "run", "venue", "vocabulary", "community")


def to_term(name: str) -> str:
    """Return the IRI of a term.

    Parameters
    ----------
    name : str
        A CURIE with a known prefix; without a prefix, a term of ours.

    Raises
    ------
    VocabularyError
        If the prefix is unknown, or the term is ours and does not exist.

    Examples
    --------
    >>> to_term("introduces")
    'https://w3id.org/paperkg/ontology#introduces'
    >>> to_term("skos:prefLabel")
    'http://www.w3.org/2004/02/skos/core#prefLabel'
    """
    prefix, _, local = name.rpartition(":")
    prefix = prefix or "kg"
    if prefix not in PREFIXES:
        raise VocabularyError(f"unknown prefix {prefix!r} in {name!r}; known are {', '.join(PREFIXES)}")
    if prefix == "kg" and local not in TERMS:
        raise VocabularyError(f"the ontology has no term {local!r}; it has {', '.join(sorted(TERMS))}")
    return PREFIXES[prefix] + local


def to_iri(node: str, *, base: str = BASE) -> str:
    """Return the IRI of a node id.

    Examples
    --------
    >>> to_iri("concept:c++")
    'https://w3id.org/paperkg/concept/c%2B%2B'
    """
    kind, _, local = node.partition(":")
    if kind not in _NODE_KINDS or not local:
        raise VocabularyError(f"node id {node!r} does not read KIND:NAME with KIND one of {', '.join(_NODE_KINDS)}")
    return f"{base}{kind}/{_encode(local)}"


def to_part_iri(node: str, *parts: str | int, base: str = BASE) -> str:
    """Return the IRI of a part of a node: an author, a section's text, a stretch of it.

    It is a path below the node's own IRI. No encoded id holds a slash, so the part of one
    node never has the IRI of another node or of its part.

    Examples
    --------
    >>> to_part_iri("paper:7", "abstract", "sentence", "0-58")
    'https://w3id.org/paperkg/paper/7/abstract/sentence/0-58'
    """
    return "/".join([to_iri(node, base=base), *(_encode(str(part)) for part in parts)])


def from_iri(iri: str, *, base: str = BASE) -> str:
    """Return the node id whose IRI this is; `to_iri` undone.

    Examples
    --------
    >>> from_iri("https://w3id.org/paperkg/concept/c%2B%2B")
    'concept:c++'
    """
    kind, _, local = iri.removeprefix(base).partition("/")
    if not iri.startswith(base) or kind not in _NODE_KINDS or not local or "/" in local:
        raise VocabularyError(f"{iri!r} is not the IRI of a node under {base!r}")
    return f"{kind}:{unquote(local)}"


def find_ontology() -> Path:
    """Return the folder with kg.ttl, shapes.ttl and names/, in the package or the checkout."""
    here = Path(__file__).resolve().parent
    for folder in (here / "ontology", here.parent / "ontology"):
        if (folder / "kg.ttl").is_file():
            return folder
    raise VocabularyError(f"no ontology/kg.ttl beside {here}; is the installation whole?")


def _encode(local: str) -> str:
    """Percent-encode all but unreserved characters, and dots that would be a path step."""
    if _UNRESERVED.fullmatch(local):  # most ids, and much quicker
        return local
    encoded = quote(local, safe="", errors="surrogatepass")
    return encoded.replace(".", "%2E") if set(encoded) == {"."} else encoded
