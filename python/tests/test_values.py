"""Compares every value with the models in plain fractions."""

import math
import random
from decimal import Decimal
from fractions import Fraction
from itertools import islice

import flipcost
import pytest

pytest.importorskip("hypothesis")

from hypothesis import given, settings
from hypothesis import strategies as st
from models import (
    cycle_rounds,
    knuth_yao_mean,
    optimal_moments,
    optimal_survival,
    rejection_mean,
    sum_of_dice,
)

FDR = flipcost.algorithms["fast-dice-roller"]
sides = st.integers(2, 12)
targets = st.integers(1, 60)


@given(sides, targets)
def test_the_law_of_the_fast_dice_roller(m: int, n: int) -> None:
    law = FDR.law(n, m)
    mean, variance = optimal_moments(m, n)
    assert (law.mean, law.variance) == (mean, variance)
    assert isinstance(law.mean, Fraction)
    survival = optimal_survival(m, n, 40)
    assert list(islice(law.survival(), 40)) == survival
    for t in range(40):
        before = survival[t - 1] if t else Fraction(1)
        assert law.pmf(t) == before - survival[t]
        assert law.cdf(t) == 1 - survival[t]


@given(sides, targets, st.fractions(0, Fraction(99, 100)))
def test_a_quantile_is_the_least_sufficient_number(m: int, n: int, q: Fraction) -> None:
    law = FDR.law(n, m)
    t = law.quantile(q)
    assert t is not None and law.cdf(t) >= q
    assert t == 0 or law.cdf(t - 1) < q


@given(st.fractions(Fraction(1, 100), Fraction(99, 100)))
def test_the_cost_from_an_unknown_coin_is_a_function_of_p(p: Fraction) -> None:
    formula = flipcost.algorithms["von-neumann"].formula(2, "unknown:2")
    answer = flipcost.ask("cost", target=2, source="unknown:2", algorithms=["von-neumann"])
    assert answer["expected_exact"] == [formula]
    if isinstance(formula, tuple):  # SymPy is not installed
        above, below = (sum(c * p**e for e, c in enumerate(part)) for part in formula)
        cost = Fraction(above, below)
    else:
        cost = Fraction(str(formula.subs("p", p)))
    assert cost == 1 / (p * (1 - p))
    known = flipcost.algorithms["von-neumann"].law(2, flipcost.Source.coin(p))
    assert known.mean == cost


@given(sides, targets, st.integers(0, 40))
def test_decimals_are_rounded_correctly(m: int, n: int, digits: int) -> None:
    mean = FDR.law(n, m).mean
    decimal = FDR.law(n, m).decimal(digits)
    assert isinstance(decimal, Decimal)
    assert abs(Fraction(decimal) - mean) <= Fraction(1, 2 * 10**digits)
    assert -int(decimal.as_tuple().exponent) == digits


@given(st.integers(2, 12), st.integers(2, 60))
def test_rejection(m: int, n: int) -> None:
    law = flipcost.algorithms["rejection-ceil"].law(n, m)
    assert law.mean == rejection_mean(m, n)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=6))
def test_the_optimum_for_weights(weights: list[int]) -> None:
    mean = flipcost.algorithms["knuth-yao"].law(weights, "coin").mean
    low, high = knuth_yao_mean(weights)
    assert low <= mean <= high


@given(st.integers(1, 4), st.integers(2, 8))
def test_sums_of_dice(count: int, sides: int) -> None:
    ways = sum_of_dice(count, sides)
    common = math.gcd(*ways.values())
    expected = {total: many // common for total, many in ways.items()}
    if count > 1:
        assert flipcost.Target.sum(f"{count}d{sides}").to_dict() == expected
    assert flipcost.Target(ways).to_dict() == expected


@given(st.integers(1, 400), st.integers(0, 30))
def test_terms_of_a136043(first: int, more: int) -> None:
    terms = flipcost.sequence("A136043")[first : first + more]
    assert terms == [cycle_rounds(n) for n in range(first, first + more)]


@settings(max_examples=20)
@given(sides, st.integers(1, 40), st.integers(0, 30))
def test_a_sweep_agrees_with_its_laws(m: int, first: int, more: int) -> None:
    targets = range(first, first + more + 1)
    sweep = flipcost.sweep(targets, m, columns=["n", "algorithm", "expected_exact", "expected", "worst_case"])
    assert list(sweep["n"]) == list(targets)
    assert list(sweep["algorithm"]) == ["fast-dice-roller"] * len(targets)
    for row, n in zip(sweep, targets):
        mean, _ = optimal_moments(m, n)
        assert row["expected_exact"] == mean
        # Python's division of ints is rounded correctly
        assert row["expected"] == mean.numerator / mean.denominator
        worst = FDR.law(n, m).worst_case
        assert row["worst_case"] == (math.inf if worst is None else worst)


def test_entropy_and_toll() -> None:
    law = FDR.law(6, "coin")
    assert law.entropy == math.nextafter(2.5849625007211559, 3) or law.entropy == 2.584962500721156
    # log2 6 = 2.58496250072115618145373894394781650875981440769248... (A020859)
    assert str(law.decimal(40, "entropy")) == "2.5849625007211561814537389439478165087598"
    assert str(law.decimal(20, "toll")) == "1.08170416594551048521"
    assert law.toll == 1.0817041659455104
    assert flipcost.Target(6).entropy() == law.entropy


def test_numbers_of_any_size() -> None:
    n = 10**18 + 9
    # the README's value
    assert str(FDR.law(n, "coin").decimal(50)) == "60.48692954918879674346819072031363912905588222471263"
    with pytest.raises(flipcost.TooLargeError, match="decimal"):
        FDR.law(n, "coin").mean
    cards = math.factorial(52)
    assert flipcost.Target("52!").sides == cards == flipcost.Target(cards).sides
    assert FDR.law(cards, "coin").decimal(5) == FDR.law("52!", "coin").decimal(5)


def test_plans_and_batches() -> None:
    # Branicky's d13 of a d6 and a d10, and the README's batch
    assert flipcost.plan(13, [6, 10])[0]["expected_exact"] == Fraction(7540540, 3599999)
    batch = flipcost.batch([4, 13], source=6, best_order=True)
    assert batch[0]["expected_exact"] == Fraction(2327482, 699855)
    priced = flipcost.plan(13, [6, 10], prices={10: Fraction(3, 2)})
    assert priced.query["cost"] == ["10=3/2"]


@given(sides, targets)
def test_further_values_of_a_law(m: int, n: int) -> None:
    law = FDR.law(n, m)
    mean, variance = optimal_moments(m, n)
    assert law.mean is law.mean and law.variance is law.variance
    assert math.isclose(law.std, math.sqrt(variance), rel_tol=1e-12)
    assert law.median == law.quantile("1/2")
    survival = optimal_survival(m, n, 80)
    pmf = [1 - survival[0]] + [a - b for a, b in zip(survival, survival[1:])]
    third = sum(p * (t - mean) ** 3 for t, p in enumerate(pmf))
    if variance == 0:
        assert math.isnan(law.skewness)
    else:
        assert math.isclose(law.skewness, float(third) / float(variance) ** 1.5, rel_tol=1e-6, abs_tol=1e-6)
    for z in (Fraction(0), Fraction(1, 3), Fraction(9, 10)):
        cut = sum(p * z**t for t, p in enumerate(pmf))
        assert cut <= law.pgf(z) <= cut + survival[-1] * z ** len(survival)
    assert law.pgf(1) == 1


def test_the_moments_of_a_d6() -> None:
    # T is 3 flips, then 2 more as long as an event of probability 1/4 occurs: T = 1 + 2 G with P(G = k) =
    # 3/4 1/4^(k-1)
    law = FDR.law(6, "coin")
    assert law.std == 4 / 3 and law.median == 3
    # the skewness (2 - p) / sqrt(1 - p) of a geometric law with p = 3/4
    assert law.skewness == 2.5 and str(law.decimal(3, "skewness")) == "2.500"
    assert str(law.decimal(20, "std")) == "1.33333333333333333333"
    assert law.pgf("1/2") == Fraction(3, 4) * Fraction(1, 8) / (1 - Fraction(1, 16))
    with pytest.raises(flipcost.FlipcostError, match="z = 2 is not a probability"):
        law.pgf(2)
    with pytest.raises(flipcost.TooLargeError, match="the exact fraction"):
        FDR.law(10**9 + 7, "coin").pgf("1/2")


def test_sources_have_probabilities() -> None:
    third = Fraction(1, 3)
    coin = flipcost.Source([1, 2])
    assert coin == flipcost.Source.coin(third) == flipcost.Source("p=1/3") == flipcost.Source((third, 1 - third))
    assert coin.probabilities == [third, 1 - third]
    assert flipcost.Source([5, 5]) == flipcost.Source.coin
    assert flipcost.Source.unknown(2).probabilities is None
    for wrong in ([1, 0], [3], "p=1", "unknown:1"):
        with pytest.raises(flipcost.SourceError):
            flipcost.Source(wrong)
    for p in (0, 1, Fraction(3, 2)):
        with pytest.raises(flipcost.SourceError):
            flipcost.Source.coin(p)
    with pytest.raises(flipcost.RefusedError):
        FDR.law(6, [1, 2])


def test_the_mean_of_a_fair_bit_from_a_loaded_coin() -> None:
    """The mean is (1/p + 1/q) / 2, although no fraction for the variance is known."""
    assert flipcost.algorithms["interval"].law(2, [1, 2]).mean == Fraction(9, 4)


def test_a_generator_rolls_a_loaded_source_by_its_weights() -> None:
    """A face of probability 10^-9 does not occur in 50 rolls, whichever algorithm is used."""
    rng, weights = random.Random(1), [1, 10**9]
    assert {flipcost.roll(weights, flipcost.Source(weights), rng=rng) for _ in range(50)} == {2}


@given(st.lists(st.integers(1, 9), min_size=2, max_size=2), st.integers(2, 9))
def test_the_interval_algorithm_on_a_loaded_coin(weights: list[int], n: int) -> None:
    """Checks every word of ten flips, whose intervals are divided as Han and Hoshi do."""
    law = flipcost.algorithms["interval"].law(n, weights)
    p = Fraction(weights[0], sum(weights))
    live, survival = [(Fraction(0), Fraction(1))], []
    for _ in range(10):
        live = [(low, width) for low, width in live if low * n // 1 != -(-(low + width) * n // 1) - 1]
        survival.append(sum((width for _, width in live), Fraction(0)))
        live = [cut for low, width in live for cut in ((low, p * width), (low + p * width, (1 - p) * width))]
    assert list(islice(law.survival(), 10)) == survival
