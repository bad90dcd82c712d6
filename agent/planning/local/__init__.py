"""The planner without a model: a semantic parser over the catalogue. No network, no torch, milliseconds a clause.

    request -> clauses -> reading (values, targets, places) -> candidate operations -> slots -> calls, best first

Nothing here lists operations: an operation is reachable through its phrasings and its parameters' names and types.
"""

from agent.planning.local.local_planner import LocalPlanner

__all__ = ["LocalPlanner"]
