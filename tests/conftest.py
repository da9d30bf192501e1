"""The small world that tests share: a graph made by hand, without a language model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from kg.build.outside import link_vocabularies
from kg.landscape import add_landscape
from kg.mentions import mention_schema, write_mentions
from kg.model import (
    Concept,
    ConceptType,
    Evidence,
    KnowledgeGraph,
    MentionFile,
    Paper,
    Predicate,
    Relation,
    Report,
    Section,
    Term,
    Vocabulary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tests.served import Served

    Built = Callable[..., KnowledgeGraph]

LODA = "We propose LoDA, which extends low-rank adaptation (LoRA)."
SPARSE = "LoRA is evaluated on ImageNet & Zoë's «corpus» by top-1 accuracy."


def say(paper: str, sentence: str, name: str, method: str = "cue: we propose", offset: int = 0) -> Evidence:
    """Return evidence that `name` stands in `sentence`."""
    start = sentence.index(name)
    return Evidence(paper, Section.ABSTRACT, offset, start, start + len(name), sentence, method, 0.9)


@pytest.fixture(scope="session")
def built() -> Built:
    """Return `kg.build` with its options, with the word lists and the pipeline loaded once for all tests."""
    module, executor = map(import_module, ("kg.build", "kg.build.executor"))
    reader = executor.load_reader(import_module("kg.extract").DEFAULT_MODEL)

    def build(source: Path | Iterable[Path] | Iterable[Paper], **options: object) -> KnowledgeGraph:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "load_lexicon", lambda _: reader[1])
            patch.setattr(executor, "load_reader", lambda _: reader)
            graph: KnowledgeGraph = module.build(source, **options)
        return graph

    return build


@pytest.fixture
def small_graph(tmp_path: Path) -> KnowledgeGraph:
    """Return a graph of three papers and five concepts."""
    return make_small_graph(tmp_path)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Return a server of the small graph, for tests that only ask."""
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    folder = tmp_path_factory.mktemp("served")
    import_module("kg.folder").write(make_small_graph(folder), folder / "graph")
    with import_module("tests.served").run_server(folder / "graph", timeout=3) as server:
        yield server


def make_small_graph(folder: Path) -> KnowledgeGraph:
    """Return a graph of three papers and five concepts, with its mentions in a folder."""
    papers = [
        Paper(
            id="7",
            title="LoDA",
            abstract=LODA,
            year=2026,
            venue="ICML",
            authors=("Zoë Lee", "O'Brien"),
            url="https://openreview.net/forum?id=UJJ",
        ),
        Paper(id="p<2>", title="Sparse <b>tests</b> & </script>", abstract=SPARSE, doi="10.1000/a<b>(c)"),
        Paper(id="lonely", title="A paper without concepts 🚀"),
    ]
    concepts = [
        Concept("concept:c++", "C++", ConceptType.METHOD, papers=1),
        Concept("concept:imagenet", "ImageNet", ConceptType.DATASET, papers=1),
        Concept("concept:loda", "LoDA", ConceptType.METHOD, papers=1),
        Concept("concept:low rank adaptation", "low-rank adaptation", ConceptType.METHOD, ("LoRA",), papers=2),
        Concept("concept:top 1 accuracy", "top-1 accuracy", ConceptType.METRIC, papers=1),
    ]
    loda, lora = say("paper:7", LODA, "LoDA"), say("paper:7", LODA, "low-rank adaptation", "cue: extends")
    lora2 = say("paper:p<2>", SPARSE, "LoRA", "type")
    accuracy, imagenet = (say("paper:p<2>", SPARSE, name) for name in ("top-1 accuracy", "ImageNet"))
    relations = [
        Relation("paper:7", Predicate.INTRODUCES, "concept:loda", 0.9, (loda,)),
        Relation("paper:7", Predicate.RELATED_TO, "paper:p<2>", 0.5, (lora, lora2), ("concept:low rank adaptation",)),
        Relation("paper:7", Predicate.USES_METHOD, "concept:low rank adaptation", 0.7, (lora,)),
        Relation("paper:p<2>", Predicate.MENTIONS, "concept:c++", 0.7, (lora2,)),
        Relation("paper:p<2>", Predicate.REPORTS_METRIC, "concept:top 1 accuracy", 0.8, (accuracy,)),
        Relation("paper:p<2>", Predicate.USES_DATASET, "concept:imagenet", 0.8, (imagenet,)),
        Relation("paper:p<2>", Predicate.USES_METHOD, "concept:low rank adaptation", 0.8, (lora2,)),
    ]  # fmt: skip
    return KnowledgeGraph(
        papers={one.id: one for one in sorted(papers, key=lambda paper: paper.id)},
        concepts={one.id: one for one in concepts},
        relations=tuple(relations),
        mentions=_write_mentions(relations, concepts, folder / "mentions.parquet"),
        report=Report(read=3, kept=3, steps={"concepts": 5}, settings={"program": "paperkg 0"}),
    )


@pytest.fixture(scope="session")
def measured_graph(built: Built) -> KnowledgeGraph:
    """Return the graph of three papers that report results."""
    wide = (
        "We propose ZetaNet, a convolutional network. Our method achieves a top-1 accuracy of 81.5% on ImageNet."
        " It is 2.5× faster than ResNet-50."
    )
    deep = "We train ResNet-50 again. ResNet-50 reaches 76.1% top-1 accuracy on ImageNet."
    patched = (
        "We present QuiltMix, a training scheme. QuiltMix improves top-1 accuracy by 1.2% over ResNet-50 on ImageNet."
        " We report an FID of 3.2 on CelebA, down from 4.1."
    )
    papers = [
        Paper(id="1", title="Wider Is Enough", abstract=wide, year=2026),
        Paper(id="2", title="Depth Revisited", abstract=deep, year=2025),
        Paper(id="3", title="Patches in Order", abstract=patched, year=2026),
    ]
    return built(papers)


@pytest.fixture
def matched_graph(small_graph: KnowledgeGraph) -> KnowledgeGraph:
    """Return the small graph with two concepts that match a term exactly, and one that does closely."""
    terms = (
        Term("https://example.org/v#accuracy", ("Top-1 Accuracy",), (), ConceptType.METHOD),
        Term("https://example.org/v#imagenet", ("ImageNet",), (), ConceptType.DATASET),
        Term("https://example.org/v#lora", ("Low-Rank Adaptation",), ("LoRA",), ConceptType.METHOD),
        Term("https://example.org/v#unused", ("something else",)),
    )
    return link_vocabularies(small_graph, [Vocabulary("terms.ttl", "0123456789abcdef" * 4, terms)])


@pytest.fixture
def placed_graph(small_graph: KnowledgeGraph) -> KnowledgeGraph:
    """Return the small graph with its communities: two papers with their concepts are one."""
    return add_landscape(small_graph)


def _write_mentions(relations: list[Relation], concepts: list[Concept], path: Path) -> MentionFile:
    """Write the mentions that stand behind relations between papers and concepts."""
    types = {one.id: one.type for one in concepts}
    rows = [
        {
            "paper": one.paper, "section": one.section, "offset": one.offset, "length": len(one.sentence),
            "start": one.start, "end": one.end, "surface": one.sentence[one.start : one.end],
            "type": types[relation.object], "role": relation.predicate, "score": one.score, "source": "name",
            "long": "", "cue": one.method, "role_score": 1.0, "own": False, "concept": relation.object,
            "reason": "folded form",
        }
        for relation in relations
        if relation.object in types
        for one in relation.evidence
    ]  # fmt: skip
    rows.sort(key=lambda row: (row["paper"], row["section"], row["offset"], row["start"], row["concept"]))
    write_mentions(pa.Table.from_pylist(rows, schema=mention_schema()).to_batches(), path)
    return MentionFile(path)
