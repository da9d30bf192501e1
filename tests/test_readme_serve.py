"""What the README says of serving is true: the commands run, and print something."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed")

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_commands_of_the_readme_serve_and_ask() -> None:
    (block,) = re.findall(r"^```bash\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    serve, *asking = block.splitlines()
    command = [sys.executable, "-m", *shlex.split(serve), "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert server.stderr
        address = re.findall(r"http://\S+/", server.stderr.readline())[0]
        shown = [
            subprocess.run(
                shlex.split(line.replace("http://127.0.0.1:8000/", address).replace("curl", "curl -sS --fail", 1)),
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for line in asking
        ]
    finally:
        server.terminate()
        server.communicate()

    assert shown[0].splitlines()[0] == "name"
    assert len(shown[0].splitlines()) == 4
    assert "skos:prefLabel" in shown[1]
