"""Write docs/ontology.html from ontology/kg.ttl and ontology/shapes.ttl: ``python docs/make_ontology.py``."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from rdflib import DCTERMS, OWL, RDF, RDFS, SH, SKOS, Graph, URIRef

if TYPE_CHECKING:
    from rdflib.term import Node

ROOT = Path(__file__).resolve().parents[1]
KINDS = {
    "Classes": (OWL.Class,),
    "Properties between nodes": (OWL.ObjectProperty,),
    "Properties with values": (OWL.DatatypeProperty,),
}
ROWS = {
    "subclass of": RDFS.subClassOf, "subproperty of": RDFS.subPropertyOf, "from": RDFS.domain, "to": RDFS.range,
    "disjoint with": OWL.disjointWith, "close match": SKOS.closeMatch, "see also": RDFS.seeAlso,
}  # fmt: skip
LIMITS = {"at least": SH.minCount, "at most": SH.maxCount, "from": SH.minInclusive, "to": SH.maxInclusive}
STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
article { margin: 1.5rem 0; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
article:target { background: var(--soft); }
h3 { margin: .25rem 0; } h3 small { font-weight: normal; opacity: .75; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .5rem 0; }
dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; }
code { font-size: .92em; } nav a { white-space: nowrap; margin-right: .6rem; }
"""


def make_page(ontology: Graph, shapes: Graph) -> str:
    """Return the page of an ontology with its shapes."""
    head = next(ontology.subjects(RDF.type, OWL.Ontology))
    sections, links = [], []
    for title, kinds in KINDS.items():
        terms = sorted(
            {term for kind in kinds for term in ontology.subjects(RDF.type, kind) if is_own(term, head)}, key=str
        )
        links.append(
            f"<p><b>{title}</b>: " + " ".join(f'<a href="#{local(one)}">{local(one)}</a>' for one in terms) + "</p>"
        )
        articles = "\n".join(describe(ontology, shapes, one) for one in terms)
        sections.append(f"<h2>{title}</h2>\n{articles}")
    title = text(ontology, head, DCTERMS.title)
    rows = {"IRI": link(ontology, head), "version": link(ontology, next(ontology.objects(head, OWL.versionIRI)))}
    rows["licence"] = link(ontology, next(ontology.objects(head, DCTERMS.license)))
    names = sorted((name, str(iri)) for name, iri in ontology.namespaces() if name in used_prefixes(ontology))
    prefixes = "\n".join(f"<dt><code>{name}:</code></dt><dd><code>{escape(iri)}</code></dd>" for name, iri in names)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p>{text(ontology, head, DCTERMS.description)}</p>
<p>{text(ontology, head, RDFS.comment)}</p>
{definition_list(rows)}
<nav>
{chr(10).join(links)}
</nav>
{chr(10).join(sections)}
<h2>Prefixes</h2>
<dl>
{prefixes}
</dl>
</body>
</html>
"""


def describe(ontology: Graph, shapes: Graph, term: Node) -> str:
    """Return what is said about a term."""
    rows = {name: ", ".join(link(ontology, one) for one in sorted(ontology.objects(term, predicate), key=str))
            for name, predicate in ROWS.items()}  # fmt: skip
    kinds = [
        local(one) for one in sorted(ontology.objects(term, RDF.type), key=str) if local(one).endswith("lProperty")
    ]
    rows["is"] = ", ".join(one.removesuffix("Property").lower() for one in kinds)
    rows["used by"] = ", ".join(
        f'<a href="#{local(one)}">{local(one)}</a>' for one in sorted(find_users(ontology, term), key=str)
    )
    rows["shape"] = "; ".join(describe_shape(shapes, term))
    name, label = local(term), text(ontology, term, RDFS.label)
    return (
        f'<article id="{name}">\n<h3>{name} <small>{label}</small></h3>\n'
        f"<p>{text(ontology, term, RDFS.comment)}</p>\n{definition_list(rows)}\n</article>"
    )


def describe_shape(shapes: Graph, term: Node) -> list[str]:
    """Return in words how many values a property may have, and between which limits."""
    words = []
    for part in sorted(shapes.subjects(SH.path, term), key=lambda one: str(shapes.value(one, SH.maxCount))):
        for name, predicate in LIMITS.items():
            words += [f"{name} {escape(str(value))}" for value in shapes.objects(part, predicate)]
    return list(dict.fromkeys(words))


def find_users(ontology: Graph, term: Node) -> set[Node]:
    """Return the properties that lead from or to a class, and the terms below a term."""
    return {
        one
        for predicate in (RDFS.domain, RDFS.range, RDFS.subPropertyOf, RDFS.subClassOf)
        for one in ontology.subjects(predicate, term)
    }


def is_own(term: Node, head: Node) -> bool:
    """Return whether a term is of the ontology itself."""
    return str(term).startswith(f"{head}#")


def local(term: Node) -> str:
    """Return the name that ends an IRI."""
    return escape(str(term).rpartition("#")[2].rpartition("/")[2])


def link(ontology: Graph, term: Node) -> str:
    """Return a link to a term, within the page where it is ours."""
    head = next(ontology.subjects(RDF.type, OWL.Ontology))
    if is_own(term, head):
        return f'<a href="#{local(term)}">{local(term)}</a>'
    name = ontology.namespace_manager.normalizeUri(str(term)).strip("<>")
    return f'<a href="{escape(str(term))}"><code>{escape(name)}</code></a>'


def text(ontology: Graph, term: Node, predicate: URIRef) -> str:
    """Return a text about a term."""
    return escape(str(ontology.value(term, predicate)), quote=False)


def definition_list(rows: dict[str, str]) -> str:
    """Return rows as a list of names and values, without empty ones."""
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows.items() if value) + "</dl>"


def used_prefixes(ontology: Graph) -> set[str]:
    """Return the prefixes of terms in the ontology."""
    iris = {str(node) for triple in ontology for node in triple if isinstance(node, URIRef)}
    return {name for name, iri in ontology.namespaces() if any(one.startswith(str(iri)) for one in iris)}


def make() -> str:
    """Return the page of the ontology in this repository."""
    files = (
        Graph(bind_namespaces="none").parse(ROOT / "ontology" / name, format="turtle")
        for name in ("kg.ttl", "shapes.ttl")
    )
    return make_page(*files)


if __name__ == "__main__":
    (ROOT / "docs" / "ontology.html").write_text(make(), encoding="utf-8", newline="\n")
