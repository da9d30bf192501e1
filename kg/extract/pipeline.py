"""The spaCy pipeline: tagger, parser, parts of speech, and a ruler that marks curated names as entities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import ModelError
from kg.extract.speech import to_speech_tagger
from kg.extract.words import RECOGNISED, get_text, get_words
from kg.names import fold_name

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from kg.extract.lexicon import Lexicon
    from kg.extract.words import Word
    from kg.names import Name

__all__ = ["DEFAULT_MODEL", "load_pipeline"]


DEFAULT_MODEL = str(Path(__file__).parents[1] / "paperkg_en")
_LONGEST = 6  # words of a curated name


def load_pipeline(lexicon: Lexicon, *, model: str = DEFAULT_MODEL) -> Language:
    """Return a spaCy pipeline that tags, parses and marks curated names in ``doc.ents``.

    An entity's label is the type of the name, its id the name's preferred form.

    Parameters
    ----------
    lexicon : Lexicon
        From `load_lexicon`.
    model : str
        The name or folder of a spaCy pipeline. A recogniser in it is used if it is one of
        ours; the entities of others are persons and places.

    Raises
    ------
    ModelError
        If the model is not installed or has no tagger, parser and attribute ruler.
    """
    import spacy
    from spacy.language import Language

    try:
        nlp = spacy.load(model, exclude=["lemmatizer", "ner", "senter"])
    except (OSError, ValueError) as error:
        raise ModelError(f"spaCy model {model!r} can't be loaded: {error}; install it, or name another") from error
    missing = {"tagger", "parser", "attribute_ruler"} - set(nlp.pipe_names)
    if missing:
        raise ModelError(f"spaCy model {model!r} has no {' and '.join(sorted(missing))}; it has {nlp.pipe_names}")
    Language.component("kg_speech_tagger", func=to_speech_tagger(nlp))
    nlp.replace_pipe("attribute_ruler", "kg_speech_tagger")
    Language.component("kg_name_ruler", func=lambda doc: mark_names(doc, lexicon))
    nlp.add_pipe("kg_name_ruler", last=True)
    return nlp


def mark_names(doc: Doc, lexicon: Lexicon) -> Doc:
    """Set the entities of a document to the curated names in it, from the left, the longest first.

    What a recogniser found before goes to ``doc.spans["recognised"]``.
    """
    from spacy.tokens import Span

    doc.spans[RECOGNISED] = list(doc.ents)
    words, text = get_words(doc), get_text(doc)
    spans: list[Span] = []
    at = 0
    while at < len(words):
        name, stop = _longest_name(text, words, at, lexicon)
        # What begins or ends inside a token can be no span.
        span = doc.char_span(words[at].start, words[stop - 1].end) if name else None
        if name and span and (not spans or span.start >= spans[-1].end):
            spans.append(Span(doc, span.start, span.end, label=name.type.value, span_id=name.label))
        at = stop
    doc.ents = tuple(spans)
    return doc


def _longest_name(text: str, words: list[Word], at: int, lexicon: Lexicon) -> tuple[Name | None, int]:
    """Return the longest curated name that starts at a word, and the word after it."""
    first = words[at]
    if first.is_break or fold_name(first.text).split(" ", 1)[0] not in lexicon.starts:
        return None, at + 1
    stop = at + 1
    while stop < min(at + _LONGEST, len(words)) and not words[stop].is_break:
        stop += 1
    for last in range(stop, at, -1):
        name = lexicon.find_name(text[first.start : words[last - 1].end])
        if name:
            return name, last
    return None, at + 1
