"""Progress of a training run: told as it goes, and kept for when it is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path
    from typing import Any, TextIO

    from spacy.language import Language

    Log: TypeAlias = tuple[Callable[[dict[str, Any] | None], None], Callable[[], None]]

__all__ = ["add_logger", "tell"]

_T = TypeVar("_T")
_TOLD = 50  # lines at most

_NAME = "kg.Progress.v1"


def add_logger(file: Path, done: int, steps: int) -> str:
    """Register a spaCy training logger; return its name for the config.

    After each evaluation it writes one line, and the number of steps done to a file, after
    spaCy has saved the weights of that step.

    Parameters
    ----------
    file : Path
        Where the number of steps done is kept.
    done, steps : int
        Steps done by earlier runs, and steps in all.
    """
    from spacy.util import registry

    def make() -> Callable[[Language, TextIO, TextIO], Log]:
        def setup(_nlp: Language, stdout: TextIO, _stderr: TextIO) -> Log:
            saved = done

            def log(info: dict[str, Any] | None) -> None:
                nonlocal saved
                if info is None:
                    return
                file.write_text(str(saved), encoding="utf-8")  # what was saved before this evaluation
                saved = done + int(info["step"])
                scores = " ".join(
                    f"{name} {info['other_scores'][name]:.3f}" for name in ("ents_f", "tag_acc", "dep_las")
                )
                stdout.write(f"step {saved} of {steps}, {info['seconds']} s: {scores}\n")
                stdout.flush()

            def finish() -> None:  # also when the run is stopped; spaCy saves after this
                file.write_text(str(saved), encoding="utf-8")

            return log, finish

        return setup

    registry.loggers.register(_NAME, func=make)
    return _NAME


def tell(things: Collection[_T], what: str, log: TextIO) -> Iterator[_T]:
    """Yield things, and write now and then how many of them were read."""
    step = max(1, len(things) // _TOLD)
    for number, thing in enumerate(things, 1):
        if number % step == 0 or number == len(things):
            log.write(f"{number} of {len(things)} {what}\n")
        yield thing
