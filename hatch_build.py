"""Hatchling's build hook: a wheel, an sdist or an editable install always carries the built task pane."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Hatchling loads this file by its path, so the folder of the helper is not on sys.path yet.
sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))

from build_pane import NODE_WHEEL, Pane, PaneBuildError, node_is_new_enough


class PaneBuildHook(BuildHookInterface[Any]):
    """Builds the pane when its sources changed; asks for Node from PyPI only if it must."""

    def dependencies(self) -> list[str]:
        return [] if Pane(Path(self.root)).is_fresh() or node_is_new_enough() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        try:
            if Pane(Path(self.root)).build():
                self.app.display_info("Built the task pane.")
        except PaneBuildError as error:
            self.app.abort(str(error))
