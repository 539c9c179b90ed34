"""Loaded and unknown sources, functions of an unknown probability, and formulas with SymPy and without."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction

import flipcost
import pytest
from flipcost import Source, Target

COUNTS = [17, 12, 20, 15, 18, 18]


@pytest.mark.parametrize("load", ["1/2", Fraction(1, 2), Decimal("0.5"), "0.5", [2, 2, 2, 2, 2, 3], "2:2:2:2:2:3"])
def test_a_load_is_a_number_or_weights(load) -> None:
    usual = flipcost.test_die(COUNTS)
    assert usual == flipcost.ask("test-die", counts=COUNTS)
    told = flipcost.test_die(COUNTS, load=load)
    assert told["power"] == usual["power"] and told["load"] == usual["load"] == ["2:2:2:2:2:3"]


def test_loads_of_all_kinds_of_weights() -> None:
    known = flipcost.test_die(COUNTS, load="1:1:1:1:1:2")
    for load in (1, (1, 1, 1, 1, 1, 2), Target("1:1:1:1:1:2"), Counter(range(1, 7)) + Counter([6]), iter([1, 1, 1, 1, 1, 2])):
        assert flipcost.test_die(COUNTS, load=load)["power"] == known["power"]


@pytest.mark.parametrize(
    ("load", "says"),
    [
        (0.5, "0.5 is a float"),
        ([5], r"load is \[5\]: a number above 0, or two weights or more, were expected"),
        (Target(6), "are the weights of a fair die"),
        (0, "a number above 0 such as 1/2"),
        ("x", "a number above 0 such as 1/2"),
    ],
)
def test_what_is_no_load(load, says) -> None:
    with pytest.raises(flipcost.QuestionError, match=says) as caught:
        flipcost.test_die(COUNTS, load=load)
    assert caught.value.field in ("load", None)


def test_a_coin_with_memory_yields_bits() -> None:
    told = flipcost.extract(8, source="markov:1/3,3/5")
    assert told == flipcost.ask("extract", length=8, source="markov:1/3,3/5") and len(told) == 4
    assert flipcost.extract(8, source=[1, 2]) == flipcost.extract(8, source="p=1/3")
    for wrong in ("markov:1/3", "markov:2,3", "x"):
        with pytest.raises(flipcost.SourceError):
            flipcost.extract(8, source=wrong)
    with pytest.raises(flipcost.SourceError, match="has memory"):
        flipcost.cost(2, source="markov:1/3,3/5")


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([], "a source needs 2 weights or more, one for each face, and 0 was given"),
        ([3], "a source needs 2 weights or more, one for each face, and 1 was given"),
        ([-1, 2], '"-1:2" is not a source'),
        ([1, 0], "face 2 of 2 has the weight 0 and never shows"),
        (["x", 2], '"x:2" is not a source'),
    ],
)
def test_weights_that_make_no_source(weights, says) -> None:
    with pytest.raises(flipcost.SourceError) as caught:
        Source(weights)
    assert says in str(caught.value) and "target" not in str(caught.value)


def test_rolls_to_follow_may_be_none_yet() -> None:
    assert flipcost.follow(6) == flipcost.ask("follow", target=6)


def test_a_draft_has_a_place_for_its_author() -> None:
    draft = flipcost.oeis_draft("A136043")
    assert draft == flipcost.ask("oeis-draft", id="A136043") and "_Your Name_" in (draft.document or "")
