"""Progress of a training run: told as it goes, and kept for when it is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any, TextIO

    from spacy.language import Language

    Log: TypeAlias = tuple[Callable[[dict[str, Any] | None], None], Callable[[], None]]

__all__ = ["add_logger"]

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
