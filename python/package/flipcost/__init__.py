"""The exact cost of rolling dice with coins, and any die with any other.

>>> import flipcost
>>> law = flipcost.algorithms["fast-dice-roller"].law(6, "coin")
>>> law.mean
Fraction(11, 3)
>>> flipcost.cost("3d6", columns=["algorithm", "expected_exact"])[0]
{'algorithm': 'knuth-yao', 'expected_exact': Fraction(2345, 513)}

Exact values are Fractions and ints; a float is the double nearest to the exact value; `decimal`
gives any number of correctly rounded decimals. Bad input raises a FlipcostError, which is a
ValueError, with one sentence that says what is wrong and what would be right; a wrong type raises
an error that is also a TypeError.
"""

from . import _engine, _laws, _targets, questions
from ._ask import ask
from ._engine import (
    Again,
    Algorithm,
    Draws,
    Law,
    Out,
    Sequence,
    Source,
    Survival,
    Target,
    __version__,
    again,
    out,
)
from ._errors import (
    FlipcostError,
    KindError,
    QuestionError,
    RefusedError,
    SourceError,
    TargetError,
    TooLargeError,
    UnknownNameError,
)
from ._questions import algorithms, cite, compare, identify, roll, sequence, sequences, sweep
from ._rules import Chain, Rule, rule
from ._straight import flip, word
from ._table import Answer, Column, Sweep, Table, Verdict
from ._units import Part, Unit, merge, units
from .questions import *

__all__ = [
    "Again",
    "Algorithm",
    "Answer",
    "Chain",
    "Column",
    "Draws",
    "FlipcostError",
    "KindError",
    "Law",
    "Out",
    "Part",
    "QuestionError",
    "RefusedError",
    "Rule",
    "Sequence",
    "Source",
    "SourceError",
    "Survival",
    "Sweep",
    "Table",
    "Target",
    "TargetError",
    "TooLargeError",
    "Unit",
    "UnknownNameError",
    "Verdict",
    "__version__",
    "again",
    "algorithms",
    "ask",
    "cite",
    "flip",
    "identify",
    "merge",
    "out",
    "questions",
    "roll",
    "rule",
    "sequence",
    "sequences",
    "compare",
    "sweep",
    "units",
    "word",
]
# `UPDATE=1 cargo test -p flipcost-all --test it python` writes this list together with questions.py.
__all__ += [
    "advise",
    "batch",
    "bias",
    "cost",
    "decimals",
    "distance",
    "distribution",
    "export",
    "extract",
    "law",
    "libraries",
    "libraries_bernoulli",
    "libraries_doubles",
    "list_algorithms",
    "list_claims",
    "list_columns",
    "list_constants",
    "list_sequences",
    "oeis_check",
    "oeis_draft",
    "oeis_identify",
    "plan",
    "rule_check",
    "rule_new",
    "show",
    "shuffle",
    "stream",
    "subset",
    "supply",
    "test_die",
    "toll_extremes",
    "toll_loaded",
    "toll_oscillations",
    "verify",
    "verify_that",
]


# Makes Python show and pickle these objects under the name of this package.
for _name in __all__:
    if getattr(globals()[_name], "__module__", "").startswith("flipcost._"):
        globals()[_name].__module__ = "flipcost"
