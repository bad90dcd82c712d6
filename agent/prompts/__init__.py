"""The questions that the agent asks a language model: one template each, rendered through a dataclass."""

from agent.prompts.prompt import Prompt, environment
from agent.prompts.questions import (
    CatalogueLine,
    ChooseCall,
    IntentGroup,
    NextSubInstruction,
    ReviseOperation,
    ReviseParameters,
    StepLine,
    TriedCall,
    Verify,
)
from agent.prompts.signatures import Example, Signature, signatures

QUESTIONS: tuple[type[Prompt], ...] = (
    NextSubInstruction,
    ChooseCall,
    ReviseParameters,
    ReviseOperation,
    Verify,
)

__all__ = [
    "QUESTIONS",
    "CatalogueLine",
    "ChooseCall",
    "Example",
    "IntentGroup",
    "NextSubInstruction",
    "Prompt",
    "ReviseOperation",
    "ReviseParameters",
    "Signature",
    "StepLine",
    "TriedCall",
    "Verify",
    "environment",
    "signatures",
]
