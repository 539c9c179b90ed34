"""Loaded and unknown sources, functions of an unknown probability, and formulas with SymPy and without."""

import random
import sys
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from math import prod
from types import SimpleNamespace
from typing import Any

import flipcost
import pytest
from flipcost import Source, Target

COUNTS = [17, 12, 20, 15, 18, 18]
THIRD = Fraction(1, 3)


@pytest.fixture
def without_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sympy", None)


def value(formula: Any, *probabilities: Fraction) -> Fraction:
    """Evaluates a formula given by its coefficients, the form that formulas have without SymPy."""

    def of(part: Any) -> Fraction:
        if isinstance(part, list):
            part = {(e,): c for e, c in enumerate(part)}
        return sum((c * prod(p**e for p, e in zip(probabilities, es)) for es, c in part.items()), Fraction(0))

    above, below = formula
    return of(above) / of(below)


@pytest.mark.parametrize("load", ["1/2", Fraction(1, 2), Decimal("0.5"), "0.5", [2, 2, 2, 2, 2, 3], "2:2:2:2:2:3"])
def test_a_load_is_given_by_a_number_or_by_weights(load) -> None:
    usual = flipcost.test_die(COUNTS)
    assert usual == flipcost.ask("test-die", counts=COUNTS)
    told = flipcost.test_die(COUNTS, load=load)
    assert told["rolls_to_see"] == usual["rolls_to_see"]


def test_loads_of_all_kinds_of_weights() -> None:
    known = flipcost.test_die(COUNTS, load="1:1:1:1:1:2")
    for load in (1, (1, 1, 1, 1, 1, 2), Target("1:1:1:1:1:2"), Counter(range(1, 7)) + Counter([6]), iter([1, 1, 1, 1, 1, 2])):
        assert flipcost.test_die(COUNTS, load=load)["rolls_to_see"] == known["rolls_to_see"]


@pytest.mark.parametrize(
    ("load", "says"),
    [
        (0.5, "is 0.5, a float"),
        ([5], r"load is \[5\]: a number above 0, or two weights or more, were expected"),
        (Target(6), "are the weights of the tested law"),
        (0, "a number above 0 such as 1/2"),
        ("x", "a number above 0 such as 1/2"),
    ],
)
def test_invalid_loads_are_refused(load, says) -> None:
    with pytest.raises(flipcost.QuestionError, match=says) as caught:
        flipcost.test_die(COUNTS, load=load)
    assert caught.value.field in ("load", None)


def test_an_unknown_source_needs_the_users_own_rolls() -> None:
    unknown = Source.unknown(2)
    flips = iter([1, 1, 1, 2, 1, 2])
    outcome = flipcost.roll(2, unknown, algorithm="von-neumann", rng=lambda sides: next(flips))
    assert [outcome] == flipcost.questions.roll(2, unknown, algorithm="von-neumann", input="HHHTHT")["result"]
    assert flipcost.algorithms["von-neumann"].roll(2, unknown, lambda sides, up=iter([1, 2]): next(up))[1] == 2
    assert flipcost.roll(2, unknown, rng=random.Random(1)) in (1, 2)
    for wrong in (
        lambda: flipcost.roll(2, unknown),
        lambda: flipcost.algorithms["von-neumann"].roll(2, unknown),
        lambda: flipcost.roll([1, 1], unknown),
    ):
        with pytest.raises(flipcost.RefusedError, match="pass your own rolls as rng") as caught:
            wrong()
        assert "cost" not in str(caught.value)
    with pytest.raises(flipcost.RefusedError, match="fast-dice-roller: "):
        flipcost.algorithms["fast-dice-roller"].roll(6, unknown)


def test_a_law_needs_known_probabilities() -> None:
    with pytest.raises(flipcost.RefusedError) as caught:
        flipcost.algorithms["von-neumann"].law(2, Source.unknown(2))
    assert str(caught.value) == (
        "von-neumann: a law in numbers needs known probabilities, and those of an unknown coin are unknown: "
        "formula() is the expected number of rolls as a function of them, and cost() with at= has the moments at known ones"
    )


def test_a_formula_is_a_sympy_expression_if_sympy_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sympy", SimpleNamespace(sympify=lambda text: ("SymPy", text)))
    assert flipcost.extract(4, source="unknown:2", method=["von-neumann"])["bits_exact"] == [("SymPy", "4*p - 4*p**2")]
    costs = flipcost.cost(2, source="unknown:2", algorithms=["von-neumann"])
    assert costs["expected_exact"] == [("SymPy", "1/(p - p**2)")]
    dice = flipcost.extract(2, source="unknown:3", method=["elias"])
    assert dice["bits_exact"] == [("SymPy", "2*p1*p2 + 2*p1*p3 + 2*p2*p3")]


def test_formulas_may_be_sympy_expressions() -> None:
    sympy = pytest.importorskip("sympy")
    p = sympy.Symbol("p")
    [bits] = flipcost.extract(4, source="unknown:2", method=["von-neumann"])["bits_exact"]
    assert sympy.expand(bits - 4 * p * (1 - p)) == 0


@pytest.mark.usefixtures("without_sympy")
def test_a_formula_without_sympy() -> None:
    costs = flipcost.cost(2, source="unknown:2", algorithms=["von-neumann"])
    assert costs["expected_exact"] == [([1], [0, 1, -1])]
    coin = flipcost.extract(4, source="unknown:2", method=["von-neumann"])
    assert coin["bits_exact"] == [([0, 4, -4], [1])] and coin["bits"] == [None]
    dice = flipcost.extract(2, source="unknown:3", method=["elias"])
    assert dice["bits_exact"] == [({(1, 1): 2, (1, 0, 1): 2, (0, 1, 1): 2}, {(): 1})]
    for faces, length in ((2, 5), (3, 4)):
        weights = list(range(1, faces + 1))
        known = flipcost.extract(length, source=weights)["bits_exact"]
        formulas = flipcost.extract(length, source=f"unknown:{faces}")["bits_exact"]
        assert [value(one, *(Fraction(w, sum(weights)) for w in weights)) for one in formulas] == known


@pytest.mark.usefixtures("without_sympy")
def test_formulas_can_be_pickled_printed_and_put_in_data_frames() -> None:
    import pickle

    answer = flipcost.extract(2, source="unknown:2", method=["elias"])
    assert "2*p - 2*p^2" in str(answer)
    assert [column.kind for column in answer.columns][2] == "formula"
    assert pickle.loads(pickle.dumps(answer)) == answer
    pytest.importorskip("polars")
    assert answer.to_polars()["bits_exact"].to_list() == ["2*p - 2*p^2"]


def test_a_loaded_coin_yields_bits() -> None:
    assert flipcost.extract(8, source=[1, 2]) == flipcost.extract(8, source="p=1/3")
    with pytest.raises(flipcost.SourceError):
        flipcost.extract(8, source="x")


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (THIRD, "1/3"),
        (Decimal("0.1"), "p=1/10"),
        ([THIRD, "1/10"], "p=1/3,1/10"),
        ((Decimal("0.1"), "p=1/3"), "p=0.1,1/3"),
        ([[1, 2], "1:3"], "1:2,1:3"),
    ],
)
def test_probabilities_to_evaluate_at(at, text) -> None:
    cost = flipcost.cost(2, source="unknown:2", at=at)
    assert cost == flipcost.cost(2, source="unknown:2", at=text) == flipcost.ask("cost", target=2, source="unknown:2", at=at)
    assert flipcost.extract(4, source="unknown:2", at=at) == flipcost.extract(4, source="unknown:2", at=text)
    assert cost["p"][0] in (THIRD, Fraction(1, 10))


def test_weights_of_dice_to_evaluate_at() -> None:
    dice = flipcost.extract(3, source="unknown:3", at=[[1, 2, 3], (1, 1, Fraction(1, 2))], method=["elias"])
    assert dice["at"] == ["1:2:3", "2:2:1"]


@pytest.mark.parametrize(
    ("at", "says"),
    [
        (0.1, "at is 0.1, a float: an int, a Fraction, a text or a list of them was expected"),
        ([THIRD, 0.1], "at is 0.1, a float: an int, a Fraction, a text or a list of them was expected"),
        ([], "at is empty"),
        (1, "p=1 is not a coin"),
        ([[1, 1, 2]], "does not have as many faces as an unknown coin"),
    ],
)
def test_invalid_probabilities_to_evaluate_at_are_refused(at, says) -> None:
    for ask in (
        lambda: flipcost.cost(2, source="unknown:2", at=at),
        lambda: flipcost.extract(4, source="unknown:2", at=at),
    ):
        with pytest.raises(flipcost.QuestionError, match=says) as caught:
            ask()
        assert caught.value.field == "at"


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([], "a source needs 2 weights or more, one for each face, and 0 was given"),
        ([3], "a source needs 2 weights or more, one for each face, and 1 was given"),
        ([-1, 2], 'the weight of 1 is -1'),
        ([1, 0], "face 2 of 2 has the weight 0 and never shows"),
        (["x", 2], "the weight of 1 is 'x'"),
    ],
)
def test_invalid_weights_of_a_source_are_refused(weights, says) -> None:
    with pytest.raises(flipcost.SourceError) as caught:
        Source(weights)
    assert says in str(caught.value) and "target" not in str(caught.value)


def test_the_rolls_to_follow_may_be_empty() -> None:
    assert flipcost.show(6, rolls="") == flipcost.ask("show", target=6, rolls="")


def test_a_draft_has_a_place_for_its_author() -> None:
    draft = flipcost.oeis_draft("A136043")
    assert draft == flipcost.ask("oeis-draft", id="A136043") and "_Your Name_" in (draft.document or "")
