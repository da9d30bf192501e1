"""Texts read by a Ray cluster: an actor for each core holds the model, and batches go to whichever is free.

What comes back is what a process of our own would give, in the order of the texts, so the rest
of a build does not know the difference. It comes through the cluster, or is fetched from shared
parts that the actors write. ``RAY_ADDRESS`` names a cluster; without it Ray starts on this machine.
"""

from __future__ import annotations

import logging
import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from kg.build.executor import from_bytes, load_reader, to_bytes
from kg.build.settings import describe_build, name_reader
from kg.build.texts import Tables, Text, read_texts
from kg.errors import KgError, ModelError
from kg.extract import DEFAULT_MODEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kg.build.shared import Shared

__all__ = ["read_on_cluster"]

_OURS = ""  # the model of the package, which may lie elsewhere on another machine
_NOTHING: Mapping[str, bytes] = MappingProxyType({})


def read_on_cluster(
    batches: Sequence[list[Text]], *, model: str, workers: int, shared: Shared | None = None
) -> Iterator[Tables]:
    """Yield what batches of texts say, in their order, read by the actors of a Ray cluster.

    Parameters
    ----------
    batches : sequence of lists of Text
    model : str
        A spaCy pipeline; a folder must be there under the same path on every machine.
    workers : int
        Actors, each with one core; 0 is as many as the cluster has cores.
    shared : Shared, optional
        Where the actors write, so that only the names of parts come back through the cluster.

    Raises
    ------
    ModelError
        If Ray is not installed, or a machine has no such model, another version of this package, or
        no access to the shared parts.
    """
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise ModelError("reading on a cluster needs Ray; pip install 'paperkg[ray]'") from error
    tables = [pa.table(list(map(list, zip(*batch, strict=True))), names=Text._fields) for batch in batches]
    if not tables:
        return
    started = not ray.is_initialized()
    if started:
        dashboard = None if os.environ.get("RAY_ADDRESS") else False
        ray.init(log_to_driver=False, logging_level=logging.ERROR, include_dashboard=dashboard)
    held = (_OURS if model == DEFAULT_MODEL else model, name_reader(describe_build(model)), shared)
    try:
        replies = _ask(tables, held, workers)
        if shared:
            yield from shared.fetch(str(one["part"]) for one in replies)
        else:
            yield from (Tables(*(from_bytes(one[name]) for name in Tables._fields)) for one in replies)
    except (ray.exceptions.RayError, ConnectionError) as error:
        raise ModelError(f"the cluster could not read the texts: {error}") from error
    finally:
        if started:
            ray.shutdown()


def _ask(tables: list[pa.Table], held: tuple[str, str, Shared | None], workers: int) -> Iterator[dict[str, Any]]:
    """Yield what actors reply to tables of texts."""
    import ray.data

    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    actors = min(workers or int(ray.cluster_resources().get("CPU", 1)), len(tables))
    read = ray.data.from_arrow(tables).map_batches(
        _Reader,
        fn_constructor_args=held,
        batch_size=None,
        batch_format="pyarrow",
        concurrency=actors,
        num_cpus=1,
    )
    for some in read.iter_batches(batch_size=None, batch_format="pyarrow"):
        for row in some.to_pylist():
            if row["fault"]:
                raise ModelError(f"a machine of the cluster can't read texts: {row['fault']}")
            yield row


class _Reader:
    """What reads texts, in a process of the cluster."""

    def __init__(self, model: str, key: str, shared: Shared | None) -> None:
        model = DEFAULT_MODEL if model == _OURS else model
        own = name_reader(describe_build(model))
        self._shared = shared
        self._fault = "" if own == key else f"it has {own!r}, but the build is by {key!r}; install the same on both"
        try:
            self._held = load_reader(model)
        except ModelError as error:  # Ray would start actors that fail again and again
            self._fault = str(error)

    def __call__(self, table: pa.Table) -> pa.Table:
        """Return what a batch of texts says or the name of the part with that, or why there is none."""
        if self._fault:
            return _to_reply(fault=self._fault)
        said = read_texts([Text(**row) for row in table.to_pylist()], *self._held)
        if not self._shared:
            return _to_reply({name: to_bytes(one) for name, one in said._asdict().items()})
        try:
            return _to_reply(part=self._shared.write(said))
        except KgError as error:
            return _to_reply(fault=str(error))


def _to_reply(said: Mapping[str, bytes] = _NOTHING, *, part: str = "", fault: str = "") -> pa.Table:
    """Return a reply as a row: each table in Arrow's bytes, the name of a part, and what went wrong."""
    columns = {name: pa.array([said.get(name)], pa.large_binary()) for name in Tables._fields}
    return pa.table({**columns, "part": [part], "fault": [fault]})
