"""`python -m vouch` is the program `vouch`, of the same installation."""

import os
import signal
import sys
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path


def program() -> Path | None:
    """Where pip has put the program: it notes that; or, after `pip install --target`, beside the package."""
    here = Path(__file__).resolve().parents[1]
    try:
        noted = [Path(str(f.locate())) for f in files("vouch") or () if f.name == "vouch" and ".." in f.parts]
    except PackageNotFoundError:
        noted = []
    return next((path for path in [*noted, here / "bin" / "vouch"] if os.access(path, os.X_OK)), None)


def main() -> None:
    found = program()
    if found is None:
        raise SystemExit("vouch: expected the program, which pip installs beside Python, found none: install it again")
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python, which the program must not inherit
        signal.signal(ignored, signal.SIG_DFL)
    os.execv(found, ["vouch", *sys.argv[1:]])


if __name__ == "__main__":
    main()
