"""The processes behind the endpoint: two lanes, and none left over."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="starlette is not installed")

from kg.errors import QueryError, QueryTimeoutError
from kg.serve.pool import QueryPool
from kg.serve.processes import find_lanes
from tests.test_query import is_running

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from tests.served import Served

SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }"
SLOWISH = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g a ?i }"
CHEAP = "ASK { ?s ?p ?o }"


@pytest.fixture
def folder(served: Served) -> Path:
    return served.folder


def run(work: Coroutine[object, object, None]) -> None:
    """Run a test that waits."""
    asyncio.run(work)


def test_a_query_that_takes_long_runs_on_at_low_priority(folder: Path) -> None:
    async def work() -> None:
        async with QueryPool(folder, patience=0.02) as pool:
            job = asyncio.ensure_future(pool.run(SLOW, timeout=1, limit=10))
            await asyncio.sleep(0.3)
            priorities = [os.getpriority(os.PRIO_PROCESS, process) for process in pool.process_ids]
            with pytest.raises(QueryTimeoutError, match="time limit of 1 s"):
                await job

        assert priorities.count(19) == 1

    run(work())


def test_a_slow_query_that_ends_is_answered_and_its_process_used_again(folder: Path) -> None:
    async def work() -> None:
        async with QueryPool(folder, patience=0.001) as pool:
            first = await pool.run(SLOWISH, timeout=20, limit=10)
            calmed = [one for one in pool.process_ids if os.getpriority(os.PRIO_PROCESS, one) == 19]
            second = await pool.run(SLOWISH, timeout=20, limit=10)
            again = [one for one in pool.process_ids if os.getpriority(os.PRIO_PROCESS, one) == 19]

        assert first.document == second.document
        assert len(calmed) == 1
        assert again == calmed

    run(work())


def test_more_slow_queries_than_there_is_room_for_wait_and_cheap_ones_do_not(folder: Path) -> None:
    async def work() -> None:
        async with QueryPool(folder, patience=0.05) as pool:
            jobs = [asyncio.ensure_future(pool.run(f"{SLOW} # {at}", timeout=1, limit=10)) for at in range(5)]
            await asyncio.sleep(0.5)
            for _ in range(3):
                assert (await asyncio.wait_for(pool.run(CHEAP, timeout=1, limit=10), 0.5)).boolean
            found = await asyncio.gather(*jobs, return_exceptions=True)
            await asyncio.sleep(0.5)
            assert len(pool.process_ids) <= 7

        assert [type(one) for one in found] == [QueryTimeoutError] * 5

    run(work())


def test_a_query_that_nobody_waits_for_is_ended(folder: Path) -> None:
    async def work() -> None:
        async with QueryPool(folder, patience=0.05) as pool:
            jobs = [asyncio.ensure_future(pool.run(SLOW, timeout=60, limit=10)) for _ in range(3)]
            await asyncio.sleep(0.5)
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
            assert (await asyncio.wait_for(pool.run(SLOWISH, timeout=5, limit=10), 5)).rows

    run(work())


@pytest.mark.parametrize("moment", [0.0, 0.001, 0.01, 0.2])
def test_no_process_is_left_whenever_a_pool_is_closed(folder: Path, moment: float) -> None:
    seen: set[int] = set()

    async def work() -> None:
        pool = QueryPool(folder, patience=0.01)
        await pool.__aenter__()
        jobs = [asyncio.ensure_future(pool.run(one, timeout=30, limit=10)) for one in (SLOW, CHEAP, SLOW, SLOWISH)]
        await asyncio.sleep(moment)
        seen.update(pool.process_ids)
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        seen.update(pool.process_ids)
        await pool.close()
        assert pool.process_ids == []

    run(work())

    assert seen
    assert not [process for process in seen if is_running(process)]


def test_a_query_that_is_wrong_costs_no_process(folder: Path) -> None:
    async def work() -> None:
        async with QueryPool(folder) as pool:
            before = pool.process_ids
            for sparql in ("SELECT", "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }"):
                with pytest.raises(QueryError):
                    await pool.run(sparql, timeout=5, limit=10)
            assert len(set(before) & set(pool.process_ids)) >= len(before) - 1

    run(work())


def test_a_large_graph_is_held_by_fewer_processes(tmp_path: Path) -> None:
    found = []
    for size in (1, 40_000_000, 900_000_000):
        with (tmp_path / "graph.ttl").open("wb") as file:
            file.truncate(size)
        found.append(tuple(find_lanes(tmp_path).values()))

    assert found == [(4, 2), (2, 2), (1, 1)]
