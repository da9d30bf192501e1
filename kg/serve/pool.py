"""The processes that answer queries, so that cheap ones never wait for expensive ones.

What a query costs shows only when it runs. So each starts in the quick lane, where a process is
always free soon: a query that is not done after a moment leaves it. If the slow lane has room,
it runs on there, with its process at the lowest priority; else it is ended and starts again
when there is room. A query that was slow once goes to the slow lane at once.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Self

from kg.errors import GraphError, QueryTimeoutError
from kg.query import QueryWorker
from kg.serve.processes import calm, measure

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path
    from types import TracebackType

    from kg.query import Result

__all__ = ["QueryPool"]

_REMEMBERED = 1_000  # slow queries
_WAITING = 64  # queries that may wait for the slow lane
_ACTIVE = 256  # queries that may run or wait
_MOST = 10  # moments on the clock that a query may take for one on a processor
_START = 60.0  # seconds for the first query of a process, after it has read the graph
_GRACE = 2.0  # seconds in which a request that began with this pool gets to its query


class _SlowError(Exception):
    """A query took longer than the quick lane allows, and the slow lane has no room."""


class QueryPool:
    """Processes that hold one graph and answer queries on it at the same time.

    Parameters
    ----------
    folder : Path
        A folder that ``kg build`` wrote.
    quick, slow : int
        How many queries run at the same time in each lane. One process more than both stands by.
    patience : float
        Seconds that a query may take in the quick lane.
    """

    def __init__(self, folder: Path, *, quick: int = 4, slow: int = 2, patience: float = 0.1) -> None:
        self._folder = folder
        self._patience = patience
        self._size, self._room = quick + 1, slow
        self._quick, self._slow = asyncio.Semaphore(quick), asyncio.Semaphore(slow)
        self._fresh: asyncio.Queue[QueryWorker] = asyncio.Queue()
        self._calmed: list[QueryWorker] = []  # idle, of low priority for good
        self._workers: set[QueryWorker] = set()
        self._jobs: dict[QueryWorker, asyncio.Future[Result]] = {}  # what each was last asked
        self._known: OrderedDict[bytes, None] = OrderedDict()  # hashes of queries that were slow, the last one last
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(4 * (quick + slow) + 2, thread_name_prefix="kg-query")
        self._active = self._waiting = 0
        self._closed = False

    async def __aenter__(self) -> Self:
        await asyncio.gather(*(self._add_fresh() for _ in range(self._size)))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def process_ids(self) -> list[int]:
        """Return the ids of the processes that are there now."""
        return sorted(process for worker in self._workers if (process := worker.process_id))

    async def run(self, sparql: str, *, timeout: float, limit: int) -> Result:
        """Return the answer to a query; see `kg.query.query` for the arguments.

        Where this is cancelled, the query is ended.

        Raises
        ------
        QueryError
            If the query is malformed or asks for what is not allowed.
        QueryTimeoutError
            If it takes longer than `timeout`, or there was no room for it for as long.
        """
        if self._closed or self._active >= _ACTIVE:
            why = "the graph was just built again" if self._closed else f"{_ACTIVE} queries are being answered"
            raise QueryTimeoutError(f"{why}; ask again")
        key = hashlib.sha256(sparql.encode("utf-8", "surrogatepass")).digest()
        self._active += 1
        try:
            if key not in self._known:
                with suppress(_SlowError):
                    return await self._run_quickly(key, sparql, timeout, limit)
            start = asyncio.get_running_loop().time()
            result = await self._run_slowly(sparql, timeout, limit)
            if asyncio.get_running_loop().time() - start < self._patience:
                self._known.pop(key, None)
            return result
        finally:
            self._active -= 1

    async def retire(self) -> None:
        """Close as soon as no query runs any more."""
        await asyncio.sleep(_GRACE)
        while self._active:
            await asyncio.sleep(0.05)
        await self.close()

    async def close(self) -> None:
        """End all processes, and the queries in them."""
        self._closed = True
        await asyncio.gather(*map(self._end, list(self._workers)))
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*map(self._end, list(self._workers)))  # those that were just being added
        self._threads.shutdown(wait=False)

    async def _run_quickly(self, key: bytes, sparql: str, timeout: float, limit: int) -> Result:
        """Return the answer to a query, which leaves the quick lane after a moment."""
        async with self._quick:
            worker = await self._fresh.get()
            job = self._submit(worker, sparql, timeout, limit)
            try:
                await self._wait_a_moment(worker, job)
            except asyncio.CancelledError:
                self._replace(worker)
                raise
            if job.done():
                if worker.process_id is None:
                    self._replace(worker)
                else:
                    self._fresh.put_nowait(worker)
                return job.result()
            self._remember(key)
            if self._slow.locked():
                self._replace(worker)
                raise _SlowError
            await self._slow.acquire()
        return await self._finish(worker, job)

    async def _wait_a_moment(self, worker: QueryWorker, job: asyncio.Future[Result]) -> None:
        """Wait until a query is done, or has had the moment that it may take in the quick lane.

        What counts is the time that its process was given, so that a cheap query on a busy
        machine is not taken for an expensive one.
        """
        now = asyncio.get_running_loop().time
        before, end = measure(worker), now() + _MOST * self._patience
        left = self._patience
        while not job.done() and left > 0 and now() < end:
            await asyncio.wait({job}, timeout=max(left, 0.01))
            left = self._patience - (measure(worker) - before)

    async def _run_slowly(self, sparql: str, timeout: float, limit: int) -> Result:
        """Return the answer to a query that waits for room in the slow lane."""
        if self._waiting >= _WAITING:
            raise QueryTimeoutError(f"{self._waiting} expensive queries wait already; ask again later")
        self._waiting += 1
        try:
            async with asyncio.timeout(timeout):
                await self._slow.acquire()
        except TimeoutError as error:
            raise QueryTimeoutError(
                f"other expensive queries took all of the time limit of {timeout:g} s; ask again later"
            ) from error
        finally:
            self._waiting -= 1
        try:  # a new process is of low priority from its start, so that this costs the quick lane nothing
            worker = self._calmed.pop() if self._calmed else QueryWorker(self._folder)
        except BaseException:
            self._slow.release()
            raise
        self._workers.add(worker)
        return await self._finish(worker, self._submit(worker, sparql, timeout, limit), is_fresh=False)

    async def _finish(self, worker: QueryWorker, job: asyncio.Future[Result], *, is_fresh: bool = True) -> Result:
        """Return the answer to a query that has room in the slow lane, and give that room back."""
        if is_fresh:
            self._start(self._add_fresh())
            if self._calmed:  # it takes the place of one that stands by
                self._start(self._end(self._calmed.pop()))
        done = False
        try:
            while worker.process_id is None and not job.done():
                await asyncio.sleep(0.002)
            calm(worker)
            await asyncio.wait({job})  # not cancelled with this: its thread would run on
            result = job.result()
            done = True
            return result
        finally:
            if done and not self._closed:
                self._calmed.append(worker)
            else:
                self._start(self._end(worker))
            self._slow.release()

    def _submit(self, worker: QueryWorker, sparql: str, timeout: float, limit: int) -> asyncio.Future[Result]:
        """Return the answer to come of a worker."""
        call = partial(worker.run, sparql, timeout=timeout, limit=limit)
        job = asyncio.get_running_loop().run_in_executor(self._threads, call)
        self._jobs[worker] = job
        job.add_done_callback(lambda one: one.cancelled() or one.exception())  # one that nobody waits for is no error
        return job

    def _remember(self, key: bytes) -> None:
        """Note that a query is slow."""
        self._known[key] = None
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def _replace(self, worker: QueryWorker) -> None:
        """End a worker of the quick lane, and have another in its place."""
        self._start(self._end(worker))
        self._start(self._add_fresh())

    def _start(self, work: Coroutine[object, object, None]) -> None:
        """Do something while requests go on."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _add_fresh(self) -> None:
        """Add a worker that has read the graph; if it can't, the next query says why."""
        while not self._closed:
            try:
                worker = QueryWorker(self._folder)
                break
            except GraphError:  # the folder is being replaced
                await asyncio.sleep(0.2)
        else:
            return
        self._workers.add(worker)
        await asyncio.wait({self._submit(worker, "ASK {}", _START, 1)})
        self._fresh.put_nowait(worker)

    async def _end(self, worker: QueryWorker) -> None:
        """End a worker, whatever it does."""
        if worker not in self._workers:
            return
        self._workers.discard(worker)
        job = self._jobs.pop(worker, None)
        await asyncio.get_running_loop().run_in_executor(self._threads, worker.close)
        while job and not job.done():  # it was about to start, and starts the process anew
            await asyncio.get_running_loop().run_in_executor(self._threads, worker.close)
            await asyncio.wait({job}, timeout=0.05)
        await asyncio.get_running_loop().run_in_executor(self._threads, worker.close)
