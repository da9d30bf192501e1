"""``python -m kg`` is the command ``kg``."""

from __future__ import annotations

from kg.cli import main

if __name__ == "__main__":
    main(prog_name="kg")
