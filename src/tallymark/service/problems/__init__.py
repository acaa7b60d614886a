"""What went wrong, as RFC 9457 has it: one closed table of types, and one place where errors become problems."""

from tallymark.service.problems.problem import PROBLEM_JSON, Problem, problem_response
from tallymark.service.problems.types import TYPES, ProblemType, type_named

__all__ = ["PROBLEM_JSON", "TYPES", "Problem", "ProblemType", "problem_response", "type_named"]
