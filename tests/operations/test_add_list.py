"""Where lists are odd in Word: definitions, uses and their counters."""

from __future__ import annotations

from agent.document.mirror import Mirror
from agent.document.names import W
from agent.document.numbering import list_of, numbering_root
from agent.document.text import text_of
from agent.operations.catalogue import catalogue
from agent.operations.execution import execute
from agent.operations.specimens import doc, h, numbered, p


def test_a_new_numbered_list_leaves_the_counter_of_the_one_it_looks_like_alone() -> None:
    """Uses of one definition share its counter in Word: the old list would count on from the new one."""
    mirror = Mirror.open(doc(h(1, "Now"), p("Text."), h(1, "Next"), numbered("first", "second"))())
    execute(
        mirror,
        catalogue(),
        "add_list",
        {"items": ["a", "b"], "kind": "number", "place": {"after": {"text": "Text."}}},
        "1",
    )
    root = numbering_root(mirror)
    assert root is not None
    made = [e for e in mirror.body.iter("{*}p") if text_of(e) in ("a", "b")]
    number = {list_of(mirror, e)[0] for e in made}  # type: ignore[index]
    (new,) = number
    used = {
        n.get(f"{W}numId"): n.find(f"{W}abstractNumId").get(f"{W}val") for n in root.iterchildren(f"{W}num")
    }
    old = [e for e in mirror.body.iter("{*}p") if text_of(e) == "first"]
    assert used[str(new)] != used[str(list_of(mirror, old[0])[0])]  # type: ignore[index]
