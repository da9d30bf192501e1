"""What a model is trained on: annotated texts, those held out, and plain papers."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kg.clean import clean_paper, find_passages
from kg.errors import InputError
from kg.evaluate import read_gold
from kg.extract import load_lexicon, to_sentence_case
from kg.model import Paper
from kg.read import read_papers
from kg.train.texts import to_sentences
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from kg.evaluate import Gold
    from kg.model import ConceptType

__all__ = ["Sources", "complete", "read_plain", "thin"]

_SURE = 0.5  # the share of a form's places that are marked, from which the others were forgotten
_HELD_OUT = 10  # one text in so many is held out where no file is
_WATCHED = 2000  # sentences of held-out texts that a run is watched on


@dataclass(frozen=True, slots=True)
class Sources:
    """Files to train on.

    Parameters
    ----------
    gold : sequence of Path
        Annotated texts, as `kg.evaluate.read_gold` reads them.
    held_out : sequence of Path
        Annotated texts to watch a run with. Without any, one text in ten of `gold`.
    plain : sequence of Path
        Papers without annotations.
    labels : mapping
        What labels mean, as for `read_gold`.
    """

    gold: Sequence[Path]
    held_out: Sequence[Path] = ()
    plain: Sequence[Path] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    def describe(self) -> dict[str, object]:
        """Return the files by name and hash, and what labels mean."""
        files = {"gold": self.gold, "held_out": self.held_out, "plain": self.plain}
        named = {use: [[path.name, _hash(path)] for path in some] for use, some in files.items()}
        return {**named, "labels": dict(self.labels)}

    def read(self) -> tuple[list[list[Gold]], list[Gold]]:
        """Return the annotated texts by file, completed, and the held-out ones, which are not among them.

        Raises
        ------
        InputError
            If a file can't be read or there are too few texts to hold one out.
        """
        files = [list(read_gold(path, labels=self.labels)) for path in self.gold]
        held = [one for path in self.held_out for one in read_gold(path, labels=self.labels)]
        if not self.held_out:
            held = [one for some in files for one in some][::_HELD_OUT]
        known = {one.text for one in held}
        kept = [[complete(one) for one in some if one.text not in known] for some in files]
        if not any(kept):
            count = sum(map(len, files))
            raise InputError(f"{count} annotated texts are too few to train on and to hold one out")
        return kept, held


def read_plain(files: Iterable[Path]) -> Iterator[list[str]]:
    """Yield the sentences of each paper, its title among them, as a pipeline is given them to read."""
    lexicon = load_lexicon(find_ontology())
    for paper in read_papers(files):
        if isinstance(paper, Paper):
            passages = find_passages(clean_paper(paper))
            yield [to_sentence_case(passage, passages, lexicon) for passage in passages]


def complete(gold: Gold) -> Gold:
    """Return an annotated text in which what is marked in one place is not denied in another.

    A form that people marked in most of its places is marked in the others too, with the type
    that it mostly has; one that they marked less often is left open there. Annotators of long
    texts miss repeats: those of SciREX one in six.
    """
    kinds: dict[str, Counter[ConceptType | None]] = defaultdict(Counter)
    for start, end, kind in gold.spans:
        kinds[gold.text[start:end]][kind] += 1
    forms = [form for form in kinds if len(form) > 2]
    if not forms:
        return gold
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(forms, key=len, reverse=True)))})(?!\w)")
    taken = sorted((start, end) for start, end, _ in gold.spans)
    free: dict[str, list[tuple[int, int]]] = defaultdict(list)
    at = 0
    for found in pattern.finditer(gold.text):
        while at < len(taken) and taken[at][1] <= found.start():
            at += 1
        if at == len(taken) or taken[at][0] >= found.end():
            free[found[0]].append(found.span())
    more = []
    for form, places in free.items():
        marked = kinds[form].total()
        sure = marked > 1 and marked / (marked + len(places)) >= _SURE
        kind = kinds[form].most_common(1)[0][0] if sure else None
        more += [(start, end, kind) for start, end in places]
    return replace(gold, spans=tuple(sorted({*gold.spans, *more}, key=lambda span: span[:2])))


def thin(golds: Sequence[Gold]) -> list[Gold]:
    """Return annotated texts with about as many of their sentences as are watched, evenly from all."""
    count = sum(len(to_sentences(one)) for one in golds)
    step = max(1, round(count / _WATCHED))
    thinned = []
    number = 0
    for gold in golds:
        for text, spans in to_sentences(gold):
            if number % step == 0:
                kept = tuple((start, min(end, len(text)), kind) for start, end, kind in spans)
                thinned.append(replace(gold, text=text, spans=kept, sentences=((0, len(text)),)))
            number += 1
    return thinned


def _hash(path: Path) -> str:
    """Return the SHA-256 of a file in hex digits."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{path.name}: can't be read ({error.strerror or error})") from error
