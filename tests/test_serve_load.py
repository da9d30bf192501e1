"""Many clients at once: cheap queries stay quick, and nothing grows."""

from __future__ import annotations

import os
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
CLIENTS, LIMIT = 8, 3
SECONDS = int(os.environ.get("KG_LOAD_SECONDS", "20"))  # two minutes and more show whether memory grows
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
    tasks = Path(f"/proc/{server.pid}/task").iterdir()
    children = [process for task in tasks for process in (task / "children").read_text().split()]
    found = [Path(f"/proc/{process}/statm") for process in (server.pid, *children)]
    return sum(int(one.read_text().split()[1]) for one in found if one.exists()) * 4 // 1024


def run_clients(served: Served, seconds: float, share: float) -> dict[str, list[tuple[int, float]]]:
    """Have clients ask for a while, a share of it expensive; return status and seconds of each query."""
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    end = time.monotonic() + seconds

    def run_client(seed: int) -> None:
        chance = random.Random(seed)
        while time.monotonic() < end:
            if chance.random() < share:  # half of these are new each time
                number = chance.randrange(1_000_000) if chance.random() < 0.5 else 0
                start = time.monotonic()
                reply = served.query(f"{chance.choice(EXPENSIVE)} # {number}")
                found["expensive"].append((reply.status, time.monotonic() - start))
            else:
                found["cheap"].append(ask_cheaply(served, chance))
            time.sleep(PAUSE)

    clients = [threading.Thread(target=run_client, args=(seed,)) for seed in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    return found


@pytest.mark.slow
def test_cheap_queries_stay_quick_beside_expensive_ones(capsys: pytest.CaptureFixture[str]) -> None:
    server = start(EXPORT, "--timeout", str(LIMIT))
    assert server.stderr
    served = Served(EXPORT, re.findall(r"http://\S+/", server.stderr.readline())[0])
    single = [ask_cheaply(served, random.Random(seed))[1] for seed in range(300)]
    alone = [taken for _, taken in run_clients(served, SECONDS / 4, 0)["cheap"]]
    before = measure_memory(server)
    found = run_clients(served, SECONDS, 0.1)
    time.sleep(1)
    after = measure_memory(server)
    server.terminate()
    server.communicate()

    cheap = [taken for _, taken in found["cheap"]]
    slow = [status for status, _ in found["expensive"]]
    with capsys.disabled():
        print(  # noqa: T201  it is what was measured
            f"\ncheap: {len(cheap)}, p95 {find_p95(cheap) * 1e3:.1f} ms, max {max(cheap) * 1e3:.0f} ms; "
            f"alone {find_p95(alone) * 1e3:.1f} ms, one client {find_p95(single) * 1e3:.1f} ms; "
            f"expensive: {len(slow)}, {slow.count(503)} ended; memory {before} -> {after} MB"
        )
    assert {status for status, _ in found["cheap"]} == {200}
    assert find_p95(cheap) <= 5 * find_p95(alone)
    assert set(slow) <= {200, 503}
    assert max(taken for _, taken in found["expensive"]) < 2 * LIMIT + 2
    assert after < before + 100
