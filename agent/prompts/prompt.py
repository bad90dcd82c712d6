"""What a prompt is: one template, rendered from a frozen dataclass whose fields are the template's variables.

A template has two blocks. `rules` does not change within a session: it is sent first, as the system message,
so that an endpoint's prefix cache keeps it. `matter` is the rest: the most stable first, the request last.

Text from the document is only ever put between the lines of a fence. The fence's token is a hash over all
that the prompt holds, the fenced text included, so no document can contain its own; and the same question
always gives the same prompt, so that recorded answers can be replayed.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def environment() -> Environment:
    """The templates of this package. Plain text: nothing is escaped, an unknown variable is an error."""
    return Environment(
        loader=PackageLoader("agent.prompts", package_path=""),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


@dataclass(frozen=True)
class Prompt:
    """Base of the prompts; each is a frozen dataclass beside its template."""

    template: ClassVar[str]
    """Name of the template, without `.j2`; also the name of the question."""

    @property
    def name(self) -> str:
        """Name of the question."""
        return self.template

    def messages(self) -> list[dict[str, str]]:
        """The unchanging part as system message, the changing part as user message."""
        values: dict[str, Any] = {item.name: getattr(self, item.name) for item in fields(self)}
        values["fence"] = fence_for(self.template, repr(sorted(values.items())))
        template = environment().get_template(f"{self.template}.j2")
        context = template.new_context(values)
        rules, matter = ("".join(template.blocks[block](context)) for block in ("rules", "matter"))
        return [{"role": "system", "content": _tidy(rules)}, {"role": "user", "content": _tidy(matter)}]


def fence_for(name: str, content: str) -> str:
    """A token for the fence that the author of the content cannot know: it depends on every letter."""
    return hashlib.sha256(f"{name}\n{content}".encode()).hexdigest()[:24]


def _tidy(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text).strip()
