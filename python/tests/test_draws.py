"""The law of several draws, compared with convolutions in plain fractions."""

import math
import pickle
from fractions import Fraction

import flipcost
import pytest

LAWS = [
    flipcost.algorithms["rejection"].law(6, "coin"),
    flipcost.algorithms["fast-dice-roller"].law(8, 3),
    flipcost.algorithms["knuth-yao"].law("4:7:8", "coin"),
]


def convolved(laws: list[flipcost.Law], last: int) -> list[Fraction]:
    """Returns P(T = t) for t up to `last`, where T is the sum of these laws."""
    total = [Fraction(1)] + [Fraction(0)] * last
    for law in laws:
        one = [law.pmf(t) for t in range(last + 1)]
        total = [sum((total[u] * one[t - u] for u in range(t + 1)), Fraction(0)) for t in range(last + 1)]
    return total


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.algorithm.id)
def test_draws_are_convolutions(law: flipcost.Law) -> None:
    other = LAWS[1]
    draws = law.repeat(2) + other
    assert (draws.count, draws.mean) == (3, 2 * law.mean + other.mean)
    assert draws.variance == 2 * law.variance + other.variance
    left = Fraction(1)
    assert draws.sf(-1) == 1
    for t, p in enumerate(convolved([law, law, other], 20)):
        left -= p
        assert draws.sf(t) == left
        assert draws.log2_sf(t) == pytest.approx(math.log2(left), rel=1e-14)
        assert draws.isf(left) == next(u for u in range(t + 1) if draws.sf(u) <= left)
    assert law.sf(4) == 1 - law.cdf(4) and law.isf("1/10") == law.quantile("9/10")
    assert law.sf(-1) == 1 and law.cdf(-1) == 0


def test_far_tails() -> None:
    many = LAWS[0].repeat(1000)
    q = Fraction(1, 2**256)
    t = many.isf(q)
    assert t is not None and many.sf(t) <= q < many.sf(t - 1)
    assert str(many.log2_sf(t, 5)).startswith("-256.")
    million = LAWS[0].repeat(10**6)
    far = million.isf("2^-128")
    assert far is not None and isinstance(million.sf(far), float)
    bounded = flipcost.algorithms["fast-dice-roller"].law(8, "coin").repeat(5)
    assert (bounded.worst_case, bounded.sf(15), bounded.log2_sf(15)) == (15, 0, -math.inf)
    assert bounded.isf(0) == 15 and many.isf(0) is None


def test_sums_and_copies() -> None:
    draws = sum(LAWS)
    assert isinstance(draws, flipcost.Draws) and draws.count == 3
    copy = pickle.loads(pickle.dumps(draws))
    assert copy.mean == draws.mean and repr(copy) == repr(draws)
    assert repr(LAWS[0].repeat(3)) == "<Draws, 3 draws: 12 flips on average>"


def test_invalid_draws_are_refused() -> None:
    with pytest.raises(flipcost.FlipcostError, match="count is 0"):
        LAWS[0].repeat(0)
    with pytest.raises(flipcost.FlipcostError, match="q = 2 is not a probability"):
        LAWS[0].repeat(2).isf(2)
    with pytest.raises(TypeError, match="a Law or Draws was expected"):
        LAWS[0] + 3  # type: ignore[operator]
    with pytest.raises(flipcost.TooLargeError):
        LAWS[1].repeat(2).log2_sf(10**12)
    with pytest.raises(flipcost.TooLargeError):
        LAWS[0].repeat(10**9).repeat(10**9)
