"""What a graph is built with: the settings that its report names, and what tells who read its texts from others."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RULES", "describe_build", "name_reader"]

RULES = ("acronyms.py", "clean", "endings.py", "extract", "names.py")  # of this package; what a text says goes by


def describe_build(model: str) -> dict[str, str]:
    """Return the program and the model that texts are read with."""
    return {"program": f"paperkg {_version('paperkg')}", "model": _name_model(model)}


def name_reader(settings: Mapping[str, str]) -> str:
    """Return what tells who read the texts of a build from others, whose readings are not trusted."""
    return f"{settings['program']}; {settings['model']}; rules {_digest_rules()}"


def _name_model(model: str) -> str:
    """Return what tells a model from others: the version of a package, the hash of a folder but for its description."""
    folder = Path(model)
    if not folder.is_dir():
        return f"{model} {_version(model)}".removesuffix(" 0")
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".md":
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{folder.name} {digest.hexdigest()[:12]}"


@cache
def _digest_rules() -> str:
    """Return a hash of the code and the word lists by which texts are read."""
    package, ontology = Path(__file__).parents[1], find_ontology()
    files = [
        (path.relative_to(base).as_posix(), path)
        for base, roots in ((package, RULES), (ontology, ("lexicon", "names")))
        for root in roots
        for path in ([base / root] if (base / root).is_file() else (base / root).rglob("*"))
        if path.suffix in {".py", ".tsv", ".txt", ".json"}
    ]
    digest = hashlib.sha256()
    for name, path in sorted(files):
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def _version(name: str) -> str:
    """Return the version of an installed distribution."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "0"
