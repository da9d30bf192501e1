"""Parts of speech from a model's attribute ruler, and nothing else of it.

spaCy's attribute ruler also sets lemmas and morphology, which nobody here reads, and matches
every token against every pattern; on abstracts that takes a third of the pipeline's time.
Most of its patterns only turn a tag into a part of speech, which is a look-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["to_speech_tagger"]


def to_speech_tagger(nlp: Language) -> Callable[[Doc], Doc]:
    """Return a component that sets the parts of speech that the pipeline's attribute ruler would set.

    Raises
    ------
    KeyError
        If the pipeline has no attribute ruler.
    """
    from spacy.matcher import Matcher

    strings, by_tag, by_pattern = nlp.vocab.strings, {}, {}
    by_word: dict[tuple[int, int], list[tuple[int, str]]] = {}
    matcher = Matcher(nlp.vocab)
    for number, rule in enumerate(nlp.get_pipe("attribute_ruler").patterns):  # type: ignore[attr-defined]
        if "POS" not in rule["attrs"]:
            continue
        pos = strings[rule["attrs"]["POS"]]
        match rule["patterns"]:
            case [[{"TAG": str(tag), **more}]] if not more:
                by_tag[strings[tag]] = pos
            case [[{"TAG": str(tag), "LOWER": str(word) | {"IN": word}, **more}]] if not more:
                for one in [word] if isinstance(word, str) else word:
                    by_word.setdefault((strings[tag], strings.add(one)), []).append((number, pos))
            case patterns:
                matcher.add(str(number), patterns)
                by_pattern[strings[str(number)]] = (number, rule["index"], pos)

    def set_parts_of_speech(doc: Doc) -> Doc:
        found = [(*by_pattern[key], start) for key, start, _ in matcher(doc)]
        for at, token in enumerate(doc):
            tag = token.tag
            token.pos = by_tag.get(tag, token.pos)
            found += [(number, 0, pos, at) for number, pos in by_word.get((tag, token.lower), ())]
        for _, index, pos, start in sorted(found):  # in the order of the rules: a later one overrules
            doc[start + index].pos = pos
        return doc

    return set_parts_of_speech
