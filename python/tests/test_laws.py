"""Laws of cost and of outcomes have the same methods, which take one value, a list or an array."""

import math
import pickle
from collections import Counter
from fractions import Fraction
from itertools import islice, product

import flipcost
import pytest
from flipcost import Target

FDR = flipcost.algorithms["fast-dice-roller"]
D6 = FDR.law(6, "coin")
D3 = flipcost.algorithms["rejection"].law(3, "coin")
SHARED = (
    "mean variance std skewness median entropy toll worst_case unit "
    "pmf cdf sf isf log2_sf quantile survival decimal pgf repeat plot _repr_html_"
).split()


def test_law_and_draws_have_the_same_methods() -> None:
    public = {name for name in dir(D6) if not name.startswith("_")}
    assert public - set(dir(D6 * 2)) == {"algorithm", "source", "target"}
    for law in (D6, D6 * 2, D6 + D3):
        assert all(hasattr(law, name) for name in SHARED), law


@pytest.mark.parametrize("draws", [D6 * 1, D6 * 2, D6 * 2 + D3, 3 * D3], ids=str)
def test_draws_are_laws(draws) -> None:
    parts = {D6 * 1: [D6], D6 * 2: [D6, D6], D6 * 2 + D3: [D6, D6, D3], 3 * D3: [D3] * 3}[draws]
    masses = [{t: law.pmf(t) for t in range(13)} for law in parts]
    law: Counter[int] = Counter()
    for ways in product(*(one.items() for one in masses)):
        law[sum(t for t, _ in ways)] += math.prod(p for _, p in ways)
    rolls = range(-1, 13)
    below = [sum(law[u] for u in range(t + 1)) for t in rolls]
    assert draws.pmf(rolls) == [law[t] for t in rolls]
    assert draws.cdf(list(rolls)) == below and draws.sf(tuple(rolls)) == [1 - p for p in below]
    assert list(islice(draws.survival(), 13)) == draws.sf(range(13))
    assert draws.quantile(["1/2", 0.25]) == [
        next(t for t, p in zip(rolls, below) if p >= q) for q in (Fraction(1, 2), Fraction(1, 4))
    ]
    assert draws.median == draws.quantile("1/2") and draws.isf("1/2") == draws.quantile(Fraction(1, 2))
    assert draws.pgf("1/3") == math.prod(law.pgf("1/3") for law in parts)
    # the decimals rounded to a double give the double
    for name in ("std", "entropy", "toll", "skewness"):
        assert float(draws.decimal(30, name)) == getattr(draws, name)
    assert draws.decimal(20) == round(draws.decimal(25), 20)
    assert abs(Fraction(draws.decimal(20, "variance")) - draws.variance) <= Fraction(1, 2 * 10**20)
    thirds = sum(Fraction(law.decimal(60, "skewness")) * Fraction(law.decimal(60, "std")) ** 3 for law in parts)
    assert float(thirds / Fraction(draws.decimal(60, "std")) ** 3) == draws.skewness


def test_the_logarithm_of_a_tail_of_one_draw() -> None:
    assert D6.log2_sf([3, 5]) == [-2.0, -4.0] and str(D6.log2_sf(7, 3)) == "-6.000"
    assert D6.log2_sf(-1) == 0 and FDR.law(8, "coin").log2_sf(3) == -math.inf


def test_arrays_give_arrays() -> None:
    np = pytest.importorskip("numpy")
    for law in (D6, D6 * 2, Target("3d6")):
        square = np.arange(6).reshape(2, 3)
        found = law.pmf(square)
        assert found.shape == (2, 3) and found.tolist() == [law.pmf([0, 1, 2]), law.pmf([3, 4, 5])]
        assert law.cdf(np.int64(4)) == law.cdf(4)
    assert D6.quantile(np.array([0.5, 0.9])).tolist() == [D6.quantile(0.5), D6.quantile(0.9)]
    assert Target(10).quantile(0.9) == Target(10).quantile("9/10") == 9
    assert D6.log2_sf(np.array([3, 5])).dtype == "float64"
    with pytest.raises(flipcost.FlipcostError, match="t is 1.5: a whole number of rolls"):
        D6.pmf([1, 1.5])


def test_many_probabilities_are_computed_in_one_pass() -> None:
    many = D6.sf(range(3000))
    assert many[:40] == list(islice(D6.survival(), 40)) and many[2999] == D6.sf(2999)


def test_equal_laws_are_equal() -> None:
    assert D6 * 2 == D6 + D6 == 2 * D6 == D6.repeat(2) == sum([D6] * 2) != D6 * 3
    assert D6 + D3 == D3 + D6 and (D6 + D3) * 2 == D6 * 2 + D3 * 2 and D6 * 1 == D6 == D6.repeat(1)
    assert len({D6 * 2, D6 + D6, D6, D6 * 1, D6 + D3, D3 + D6}) == 3
    assert D6 != 6 and D6 * 2 != 6
    for wrong in (0, -1, 1.5, "2"):
        with pytest.raises(flipcost.FlipcostError, match="a number of draws from 1"):
            D6 * wrong


def test_a_target_is_a_law() -> None:
    three = Target("3d6")
    ways = Counter(sum(faces) for faces in product(range(1, 7), repeat=3))
    assert dict(three) == dict(ways) and len(three) == 16 and three[10] == 27 and 19 not in three
    assert three.pmf(10) == Fraction(1, 8) and three.pmf([2, 3]) == [0, Fraction(1, 216)]
    assert three.mean == Fraction(21, 2) and three.variance == Fraction(35, 4) and three.std == math.sqrt(8.75)
    assert three.cdf(10) == Fraction(1, 2) == three.sf(10) and three.quantile("1/2") == 10
    assert three == Target(6) + Target(6) + Target(6) == sum([Target(6)] * 3) == Target(dict(ways))
    assert (three + 2).mean == three.mean + 2 == (2 + three).mean
    large = Target(10**30)
    assert large.mean == Fraction(10**30 + 1, 2) and large.pmf(7) == Fraction(1, 10**30) and large[7] == 1
    assert large and Target("52!").pmf(0) == 0
    with pytest.raises(KeyError):
        three[19]
    with pytest.raises(flipcost.TargetError, match="'red' is not a number: a mean needs numbers"):
        Target({"red": 1, "blue": 2}).mean
    assert Target({"red": 1, "blue": 2}).pmf("blue") == Fraction(2, 3)


def test_the_deviation_is_the_nearest_double() -> None:
    for target in (Target(7), Target("5d10"), Target({10**30: 1, 0: 3}), Target({Fraction(1, 10**20): 1, 0: 6})):
        std = Fraction(target.std)
        near = Fraction(math.ulp(target.std)) / 2
        assert (std - near) ** 2 <= target.variance <= (std + near) ** 2


@pytest.mark.parametrize(("rolls", "kept"), [(4, 3), (3, 1), (2, 2)])
def test_the_sum_of_the_highest_or_lowest_dice(rolls: int, kept: int) -> None:
    faces = list(product([1, 2, 2, 5], repeat=rolls))
    die = Target({1: 1, 2: 2, 5: 1})
    high = Counter(sum(sorted(roll)[-kept:]) for roll in faces)
    low = Counter(sum(sorted(roll)[:kept]) for roll in faces)
    common = [math.gcd(*ways.values()) for ways in (high, low)]
    assert dict(die.keep(rolls, kept)) == {x: w // common[0] for x, w in high.items()}
    assert dict(die.keep(rolls, lowest=kept)) == {x: w // common[1] for x, w in low.items()}
    with pytest.raises(flipcost.TargetError, match="one of the last two, from 1 to the number of rolls"):
        die.keep(rolls, rolls + 1)


def test_formulas_of_dice_are_targets() -> None:
    assert Target("4d6kh3") == Target(6).keep(4, 3) and Target("4d6kh3").mean == Fraction(15869, 1296)
    assert Target("max(d6,d8)") == Target(6).max(8) and Target("3d6+2") == Target("3d6") + 2


def test_the_largest_and_the_least() -> None:
    pairs = [(max(a, b), min(a, b)) for a in range(1, 7) for b in range(1, 5)]
    assert dict(Target(6).max(4)) == Counter(a for a, _ in pairs)
    assert dict(Target(6).min(4)) == Counter(b for _, b in pairs)
    assert Target(6).max(6, 6) == Target(6).keep(3, 1)


def test_targets_in_icepool_and_dyce() -> None:
    icepool = pytest.importorskip("icepool")
    dyce = pytest.importorskip("dyce")
    assert bool(icepool.Die(Target("3d6")) == 3 @ icepool.d6)
    assert dyce.H(Target("3d6")) == 3 @ dyce.H(6)
    assert Target(icepool.d6.highest(4, 3)) == Target(6).keep(4, 3)


def test_plots_and_notebooks() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    sweep = flipcost.sweep("2..9", columns=["n", "algorithm", "toll", "expected"])
    answer = flipcost.cost(6, columns=["algorithm", "expected"])
    for shown in (D6, D6 * 3, Target("3d6"), Target({"red": 1, "blue": 2}), sweep, answer, sweep[["n", "toll"]]):
        axes = shown.plot()
        assert axes.has_data() and shown.plot(ax=axes) is axes
        assert "<t" in shown._repr_html_()
    assert len(sweep.plot("n", "toll").lines) == 1 and len(D6.plot().patches) == D6.quantile("999/1000") - 0
    with pytest.raises(KeyError, match="'tol' is not a column here"):
        sweep.plot(y="tol")
    with pytest.raises(flipcost.FlipcostError, match="at most 2000 bars"):
        FDR.law(10**6, 2).repeat(10**6).plot()


def test_invalid_weights_and_targets_are_refused() -> None:
    with pytest.raises(TypeError, match="the weight of 1 is nan: an int, a Fraction"):
        Target([math.nan])
    for call in (lambda: flipcost.cost(None), lambda: Target(None), lambda: Target([1, None])):
        with pytest.raises(TypeError, match="None"):
            call()
