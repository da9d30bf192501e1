"""In which language a text is, by py3langid, which knows 97."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

__all__ = ["find_language"]

_FEWEST = 60  # letters that tell a language
_MOST = 1_000  # characters that are looked at
_SURE = 0.95
_LATIN = re.compile(r"[A-Za-z]")


def find_language(text: str) -> str:
    """Return the ISO 639-1 code of a text's language, or "" where it is too short or mixed to tell.

    Examples
    --------
    >>> find_language("Wir untersuchen neuronale Netze, die aus wenigen Beispielen lernen und gut verallgemeinern.")
    'de'
    >>> find_language("LoRA")
    ''
    """
    letters = sum(char.isalpha() for char in text[:_MOST])
    wide = letters - len(_LATIN.findall(text[:_MOST]))
    if letters + 3 * wide < _FEWEST:  # scripts with a sign for a word say more by letter
        return ""
    code, sure = _identifier().classify(text[:_MOST])
    return str(code) if sure >= _SURE else ""


@cache
def _identifier() -> LanguageIdentifier:
    """Return the identifier, which takes half a second to load."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
