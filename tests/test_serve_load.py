"""Many clients at once: cheap queries stay quick, and nothing grows."""

from __future__ import annotations

import random
import re
import statistics
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed")

from tests.served import Served
from tests.test_serve_clients import start

if TYPE_CHECKING:
    import subprocess

EXPORT = Path(__file__).parents[1] / "exports/icml2026"
CLIENTS, SECONDS, LIMIT = 8, 120, 3
PAUSE = 0.05  # seconds between two queries of a client
CHEAP = (
    "SELECT ?name { ?c a kg:Dataset ; skos:prefLabel ?name }",
    "SELECT ?p ?t { ?p kg:introduces ?c ; dcterms:title ?t } LIMIT 20",
    "ASK { ?p kg:usesMethod ?m }",
    "CONSTRUCT { ?c skos:prefLabel ?l } WHERE { ?c a kg:Task ; skos:prefLabel ?l }",
)
EXPENSIVE = (
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }",
    "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i",
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
)


def ask_cheaply(served: Served, chance: random.Random) -> tuple[int, float]:
    """Return status and seconds of a cheap query."""
    start = time.monotonic()
    status = served.query(chance.choice(CHEAP)).status
    return status, time.monotonic() - start


def find_p95(taken: list[float]) -> float:
    """Return what 95 of 100 queries stay below."""
    return statistics.quantiles(taken, n=20)[-1]


def measure_memory(server: subprocess.Popen[str]) -> int:
    """Return what a server and its processes have in memory, in MB."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    found = [Path(f"/proc/{process}/statm") for process in (server.pid, *children)]
    return sum(int(one.read_text().split()[1]) for one in found if one.exists()) * 4 // 1024


def run_client(served: Served, seed: int, end: float, found: dict[str, list[tuple[int, float]]]) -> None:
    """Ask until the end, one query in ten an expensive one; half of those are new each time."""
    chance = random.Random(seed)
    while time.monotonic() < end:
        if chance.random() < 0.1:
            number = chance.randrange(1_000_000) if chance.random() < 0.5 else 0
            start = time.monotonic()
            reply = served.query(f"{chance.choice(EXPENSIVE)} # {number}")
            found["expensive"].append((reply.status, time.monotonic() - start))
        else:
            found["cheap"].append(ask_cheaply(served, chance))
        time.sleep(PAUSE)


@pytest.mark.slow
def test_cheap_queries_stay_quick_beside_expensive_ones(capsys: pytest.CaptureFixture[str]) -> None:
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    server = start(EXPORT, "--timeout", str(LIMIT))
    assert server.stderr
    served = Served(EXPORT, re.findall(r"http://\S+/", server.stderr.readline())[0])
    alone = [ask_cheaply(served, random.Random(seed))[1] for seed in range(300)]
    before = measure_memory(server)
    end = time.monotonic() + SECONDS
    clients = [threading.Thread(target=run_client, args=(served, seed, end, found)) for seed in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    after = measure_memory(server)
    server.terminate()
    server.communicate()

    cheap = [taken for _, taken in found["cheap"]]
    with capsys.disabled():
        slow = [status for status, _ in found["expensive"]]
        print(  # noqa: T201  it is what was measured
            f"\ncheap: {len(cheap)}, p95 {find_p95(cheap) * 1e3:.1f} ms, max {max(cheap) * 1e3:.0f} ms; "
            f"alone {find_p95(alone) * 1e3:.1f} ms; expensive: {len(slow)}, {slow.count(503)} ended; "
            f"memory {before} -> {after} MB"
        )
    assert {status for status, _ in found["cheap"]} == {200}
    assert find_p95(cheap) <= 5 * find_p95(alone)
    assert {status for status, _ in found["expensive"]} <= {200, 503}
    assert max(taken for _, taken in found["expensive"]) < 2 * LIMIT + 2
    assert after < before + 100
