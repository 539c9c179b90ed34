"""The conventions of Python packages: errors, interrupts, threads, pickles, notebooks, other packages."""

import _thread
import doctest
import gc
import inspect
import os
import pickle
import random
import re
import resource
import signal
import threading
import time
from collections import Counter
from fractions import Fraction

import flipcost
import pytest

FDR = flipcost.algorithms["fast-dice-roller"]


@pytest.mark.parametrize(
    ("ask", "kind", "says"),
    [
        (lambda: flipcost.Target(0), flipcost.TargetError, "0"),
        (lambda: flipcost.Target(-3), flipcost.TargetError, "-3"),
        (lambda: flipcost.Target([]), flipcost.TargetError, "one weight or more"),
        (lambda: flipcost.Target("10^^6"), flipcost.TargetError, "character 4"),
        (lambda: flipcost.Source(1), flipcost.SourceError, "2 to 2^64"),
        (lambda: flipcost.Source.words(8193), flipcost.SourceError, "up to 8192"),
        (lambda: flipcost.algorithms["lumbroso"], flipcost.UnknownNameError, "lumbroso"),
        (lambda: flipcost.sequence("A000000"), flipcost.UnknownNameError, "A000000"),
        (lambda: FDR.law([1, 2], 2), flipcost.RefusedError, "fast-dice-roller"),
        (lambda: flipcost.cost(6, columns=["cost"]), flipcost.QuestionError, "not a column"),
        (lambda: flipcost.ask("cost", targets=6), flipcost.QuestionError, "target"),
        (lambda: flipcost.ask("nothing"), flipcost.QuestionError, "nothing"),
        (lambda: flipcost.sweep(range(6, 2)), flipcost.FlipcostError, "range"),
        (lambda: flipcost.sweep("9..2"), flipcost.QuestionError, "reversed"),
        (lambda: FDR.law(6, 2).quantile(Fraction(1, 2**10**6)), flipcost.TooLargeError, "at most 262144 were expected"),
        (lambda: FDR.law(6, 2).quantile(2), flipcost.FlipcostError, "not a probability"),
        (lambda: FDR.law(6, 2).pmf(10**9), flipcost.TooLargeError, "too large"),
        (lambda: FDR.law(6, 2).decimal(10**6 + 1), flipcost.TooLargeError, "1000000 is the most here"),
        (lambda: FDR.law(6, 2).decimal(10**6, "toll"), flipcost.TooLargeError, "is the most here"),
        (lambda: FDR.law(3**99, 2).decimal(10**6), flipcost.TooLargeError, "is the most here"),
        (lambda: flipcost.cost(6)["cost"], flipcost.FlipcostError, "choose one of"),
        (lambda: flipcost.Target(10**9).to_dict(), flipcost.TooLargeError, "not listed"),
        (lambda: flipcost.roll(6, rng=lambda sides: 3), flipcost.FlipcostError, "not a face"),
    ],
)
def test_an_error_is_a_sentence(ask, kind, says) -> None:
    with pytest.raises(kind) as caught:
        ask()
    assert isinstance(caught.value, ValueError)
    said = str(caught.value)
    assert says in said and "\n" not in said


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: flipcost.Target(3.5), "target is 3.5: a number of sides, a text such as '3d6',"),
        (lambda: flipcost.Target({1, 2}), "target is {1, 2}: a number of sides,"),
        (lambda: flipcost.Target(b"6"), "target is b'6': a number of sides,"),
        (lambda: flipcost.Target([1, 0.5]), "target is [1, 0.5]: the weight of 2 is 0.5, a float:"),
        (lambda: flipcost.Target({"a": None}), "target is {'a': None}: the weight of 'a' is None: an int,"),
        (lambda: flipcost.Target.sum(3), "dice is 3: a text such as"),
        (lambda: flipcost.Target.weighted(3.5), "weights is 3.5: "),
        (lambda: flipcost.Source({}), "source is {}: a number of sides, a text such as 'coin',"),
        (lambda: flipcost.Source.die(None), "sides is None: "),
        (lambda: flipcost.Source.words("x"), "bits is 'x': a number of bits from 1 to 8192"),
        (lambda: flipcost.Source.unknown(None), "faces is None: "),
        (lambda: flipcost.Source.coin(0.3), "heads is 0.3: the probability is 0.3, a float:"),
        (lambda: flipcost.Law(None), "a law is made by an algorithm"),
        (lambda: flipcost.Algorithm(3), "id is 3: "),
        (lambda: FDR.law(3.5), "target is 3.5: "),
        (lambda: FDR.law(6, {}), "source is {}: "),
        (lambda: FDR.law(6).pmf("x"), "t is 'x': "),
        (lambda: FDR.law(6).quantile(None), "q is None: "),
        (lambda: FDR.law(6) * 1.5, "count is 1.5: "),
        (lambda: FDR.law(6) + 1, "other is 1: "),
        (lambda: FDR.law(6).decimal(None), "digits is None: "),
        (lambda: flipcost.sequence(3.5), "name is 3.5: "),
        (lambda: flipcost.roll(6, rng=3), "rng is 3: "),
        (lambda: flipcost.roll(6, count="x"), "count is 'x': "),
        (lambda: flipcost.out("x"), "x is 'x': "),
        (lambda: flipcost.word("x"), "bits is 'x': "),
        (lambda: flipcost.merge(3), "results is 3: "),
        (lambda: flipcost.Rule(3).law(6), "a rule has two functions"),
        (lambda: flipcost.rule(lambda n, m: "x").law(6), "after no rolls the rule returned 'x': "),
        (lambda: flipcost.ask("cost", target=6, source={}), "source is {}: "),
        (lambda: flipcost.ask("plan", target=7, dice=[6, {}]), "a number of dice is {}: "),
        (lambda: flipcost.cost(2, "unknown:2", at=object()), "at is <object object"),
        (lambda: flipcost.libraries(52), "word is 52: a word such as 'java', or target=52 by its name, was expected"),
    ],
)
def test_a_wrong_type_is_named_with_its_argument(ask, said) -> None:
    with pytest.raises(flipcost.KindError) as caught:
        ask()
    assert isinstance(caught.value, TypeError) and str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: flipcost.Target([1, -1]), "target is [1, -1]: the weight of 2 is -1, and a number from 0 was expected"),
        (lambda: flipcost.Target({"a": -1}), "target is {'a': -1}: the weight of 'a' is -1, and a number from 0"),
        (lambda: flipcost.Target({"a": "x"}), "target is {'a': 'x'}: the weight of 'a' is 'x', and a number from 0"),
        (lambda: flipcost.Target({}), "target is {}: one weight or more was expected"),
        (lambda: flipcost.Target("xyz"), "target is 'xyz': a number like 6,"),
        (lambda: flipcost.Source([1, "x"]), "source is [1, 'x']: the weight of 2 is 'x', and a number from 0 was expected"),
        (lambda: flipcost.Source("foo"), "source is 'foo': a number of sides such as 6,"),
        (lambda: flipcost.Source.coin(2), "heads is 2: p=2 is not a coin"),
        (lambda: FDR.law(6).repeat(0), "count is 0: "),
        (lambda: flipcost.roll(6, count=-1), "count is -1: "),
        (lambda: flipcost.word(-1), "bits is -1: "),
        (lambda: flipcost.supply(6, failure=2), "failure is 2: a probability lies between 0 and 1"),
        (lambda: flipcost.Target("dgauss:sigma=5"), "target is 'dgauss:sigma=5': it has infinitely many outcomes"),
        (lambda: flipcost.rule(lambda n, m: flipcost.flip() - 1).law(2), "after rolls 1 the rule returned -1: "),
    ],
)
def test_a_wrong_value_is_named_with_its_argument(ask, said) -> None:
    with pytest.raises(flipcost.FlipcostError) as caught:
        ask()
    assert not isinstance(caught.value, TypeError)
    assert str(caught.value).startswith(said) and "line 1" not in str(caught.value)


def test_wrong_types() -> None:
    for wrong in (1.5, True, None, object()):
        with pytest.raises(TypeError):
            flipcost.Target(wrong)
        with pytest.raises(TypeError):
            flipcost.Source(wrong)
    with pytest.raises(TypeError):
        flipcost.Target([1.5, 2])


def test_an_unknown_name_is_a_key_error() -> None:
    assert "lumbroso" not in flipcost.algorithms
    assert flipcost.algorithms.get("lumbroso") is None
    assert all(flipcost.algorithms[name].id == name for name in flipcost.algorithms)


def heard(work) -> bool:
    """Whether an interrupt ends the work before the process has computed for one more second on each core.

    That is within a second, and does not depend on what else the machine does. A shell that starts Python
    behind it (`python … &`) has Ctrl-C ignored; here it is heard in any case.
    """
    at = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt() -> None:
        at.append(time.process_time())
        _thread.interrupt_main()

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        return time.process_time() - at[0] < (os.cpu_count() or 1)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_computation_within_a_second() -> None:
    assert heard(lambda: flipcost.sweep("1..100000000", columns=["n", "expected"]))
    assert heard(lambda: flipcost.ask("roll", target=6, count=10**9))
    never = flipcost.algorithms["rejection"]  # fed with tails only, a 3-sided die is never decided
    assert heard(lambda: never.roll(3, "coin", lambda sides: 2))


def test_ctrl_c_ends_laws_and_searches() -> None:
    coin = FDR.law(6, "coin")
    near_one = 1 - Fraction(1, 2**260_000)
    assert heard(lambda: coin.quantile(near_one))
    slow = flipcost.algorithms["rejection"].law(7, 6)
    assert heard(lambda: slow.cdf(10**6))
    assert heard(lambda: slow.pmf(10**6))
    assert heard(lambda: FDR.law(3**20_000, "coin").pmf(10**6))
    assert heard(lambda: list(zip(range(10**7), FDR.law(3**2000, "coin").survival())))
    assert heard(lambda: coin.decimal(400_000, "entropy"))
    assert heard(lambda: flipcost.plan(13, [4, 6, 8, 10], optimal=True, effort=10**12))
    sweep = flipcost.sweep("1000000..2000000", columns=["expected_exact"])
    assert heard(lambda: sweep["expected_exact"][:])


@pytest.mark.parametrize(
    "work",
    [
        lambda: flipcost.sweep("1..200000", columns=["expected"]),
        lambda: flipcost.sweep("90000..90400", columns=["expected_exact"])["expected_exact"][:],
        lambda: FDR.law(6, "coin").decimal(100_000, "entropy"),
        lambda: FDR.law(4_000_037, "coin").mean,  # takes 70 ms, while n = 1,000,003 takes 10 ms
        lambda: FDR.law(10**9 + 7, "coin").pmf(10**6),
    ],
    ids=["sweep", "fractions", "decimal", "mean", "pmf"],
)
def test_other_threads_go_on(work) -> None:
    """Another thread counts while the engine computes, so the engine does not hold Python's lock."""
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    work()
    during = counted[0] - before
    stop.set()
    thread.join()
    assert during > 5


def test_many_threads_have_the_same_answers() -> None:
    expected = {n: FDR.law(n, "coin").mean for n in range(1, 40)}
    wrong = []

    def work() -> None:
        for n, mean in expected.items():
            if FDR.law(n, "coin").mean != mean:
                wrong.append(n)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_answers_do_not_depend_on_the_number_of_threads() -> None:
    one, four = (
        flipcost.sweep("1..20000", columns=["n", "expected", "period"], threads=threads)
        for threads in (1, 4)
    )
    assert all(bytes(one[name]) == bytes(four[name]) for name in ("n", "expected", "period"))


@pytest.mark.parametrize(
    "value",
    [
        flipcost.Source.words(64),
        flipcost.Source.die(6),
        flipcost.Target("3d6"),
        flipcost.Target({"red": 1, "blue": 2}),
        flipcost.algorithms["interval"],
        FDR.law(13, 6),
        flipcost.sequence("mr-period:base=3"),
        flipcost.cost("4:7:8"),
        flipcost.cost(6, digits=40),
        flipcost.ask("verify-that", **{"that": "expected < 4", "from": 1, "to": 9, "algorithms": ["fast-dice-roller"]}),
        flipcost.plan(13, [6, 10]),
    ],
    ids=repr,
)
def test_pickles(value) -> None:
    again = pickle.loads(pickle.dumps(value))
    assert again == value and repr(again) == repr(value)


def test_a_sweep_is_pickled_with_its_columns() -> None:
    sweep = flipcost.sweep("1..50", algorithms=["fast-dice-roller", "interval"])
    again = pickle.loads(pickle.dumps(sweep))
    assert again.columns == sweep.columns
    same = lambda a, b: a == b or a != a and b != b  # not a number where there is none
    for one, other in zip(sweep, again, strict=True):
        assert all(same(one[name], other[name]) for name in one)


def memory() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_a_million_calls_without_a_leak() -> None:
    target, source = flipcost.Target("3d6"), flipcost.Source.coin

    def call(times: int) -> None:
        for i in range(times):
            target.total
            if i % 16 == 0:
                flipcost.Target(source.sides + i)

    call(100_000)
    gc.collect()
    before = memory()
    call(1_000_000)
    gc.collect()
    assert memory() - before < 8 << 20


def test_laws_and_questions_without_a_leak() -> None:
    def call(times: int) -> None:
        for _ in range(times):
            FDR.law(7, "coin").mean
            flipcost.cost(6, algorithms=["rejection"], columns=["expected_exact"])

    call(300)
    gc.collect()
    before = memory()
    call(3000)
    gc.collect()
    assert memory() - before < 8 << 20


def test_many_rolls_at_once() -> None:
    np = pytest.importorskip("numpy")

    def seconds(roll) -> float:
        times = []
        for _ in range(3):
            begun = time.perf_counter()
            roll()
            times.append(time.perf_counter() - begun)
        return min(times)

    for rng in (None, random.Random(1), np.random.default_rng(1), random):
        many = flipcost.roll(6, rng=rng, count=60_000)
        assert type(many) is list and type(many[0]) is int
        # five standard deviations of a binomial law
        assert all(abs(many.count(face) - 10_000) < 5 * (60_000 * 5 / 36) ** 0.5 for face in range(1, 7))
        assert seconds(lambda: flipcost.roll(6, rng=rng, count=100_000)) < 0.3  # 0.03 to 0.05 if the machine is idle
    two = [flipcost.roll("3d6", rng=random.Random(5), count=100) for _ in range(2)]
    assert two[0] == two[1] and set(two[0]) <= set(range(3, 19))
    assert flipcost.roll({"red": 1, "blue": 0}, count=3) == ["red"] * 3
    assert flipcost.roll(6, count=0) == []
    outcomes, rolls = FDR.roll(8, "coin", count=5)
    assert rolls == [3] * 5 and len(outcomes) == 5
    faces = iter([1, 2, 1, 2, 2, 1])
    assert flipcost.roll(8, rng=lambda sides: next(faces), count=2) == [3, 7]
    assert flipcost.rule(lambda n, m: flipcost.roll(6, count=2)[1] - 1).check(6, "d6").verdict is True
    assert flipcost.roll("bernoulli:exp(-1)") in (0, 1) and len(flipcost.roll("geometric:p=1/3", count=4)) == 4
    with pytest.raises(flipcost.RefusedError, match=r"flipcost.questions.roll\('poisson:1', seed=1\)"):
        flipcost.roll("poisson:1", rng=random.Random(1))


def test_a_generator_that_fails_is_heard() -> None:
    class Broken(random.Random):
        def randbytes(self, n: int) -> bytes:
            raise OSError("no bytes")

    for count in (None, 10):
        with pytest.raises(OSError, match="no bytes"):
            flipcost.roll(6, rng=Broken(), count=count)


def test_rolls_repeat_with_a_seed_and_are_fair() -> None:
    rolls = [[flipcost.roll(6, rng=random.Random(seed)) for seed in range(50)] for _ in range(2)]
    assert rolls[0] == rolls[1]
    # Each of the 8 paths of 3 flips leads where the tree says; 6 of them end at outcomes.
    seen = Counter()
    for path in range(8):
        flips = iter([1 + (path >> bit & 1) for bit in (2, 1, 0)])
        try:
            seen[flipcost.roll(6, rng=lambda sides: next(flips))] += 1
        except StopIteration:
            seen[None] += 1
    assert seen == {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, None: 2}
    assert flipcost.roll({"red": 1, "blue": 0}) == "red"
    outcome, rolls_taken = FDR.roll(12, 6, random.Random(3))
    assert outcome in range(1, 13) and rolls_taken == 2
    assert flipcost.roll(6, source="word:64", rng=random.Random(1)) in range(1, 7)


def test_exceptions_of_a_callable_are_passed_on() -> None:
    class Out(Exception):
        pass

    def broken(sides: int) -> int:
        raise Out(sides)

    with pytest.raises(Out):
        flipcost.roll(6, rng=broken)


def test_notebooks() -> None:
    table = flipcost.cost("4:7:8")._repr_html_()
    assert "1538/513" in table and table.startswith("<table>")
    named = flipcost.ask("roll", target="{'<b>': 1, '<i>': 1}", count=3)._repr_html_()
    assert "&lt;" in named and "<b>" not in named and "<i>" not in named
    for drawn in (
        flipcost.ask("show", view="flowchart", target=6),
        flipcost.ask("show", target=3, depth=2),
        flipcost.plan(13, [6, 10]),
        flipcost.ask("law", formula="a+b", dice="6,6"),
        flipcost.ask("batch", targets=[6], source="2", repeat=True, capacity="8,64,1024"),
    ):
        assert drawn._repr_svg_().startswith("<svg"), drawn
        # notebooks show the HTML if an object has both
        assert drawn._repr_html_().startswith("<div><svg")
    assert flipcost.cost(6)._repr_svg_() is None
    assert "<svg" not in flipcost.cost(6)._repr_html_()
    assert FDR.law(6, "coin")._repr_latex_() == r"$E[T] = \frac{11}{3}$"
    assert FDR.law(8, "coin")._repr_latex_() == "$E[T] = 3$"
    assert "11/3 ≈ 3.66" in FDR.law(6, "coin")._repr_html_()
    assert r"$E[T] = \frac{11}{3}$" in FDR.law(6, "coin")._repr_html_()
    assert "9/4 = 2.25 " in flipcost.algorithms["knuth-yao"].law([1, 2, 3, 2], "coin")._repr_html_()


def test_icepool_dyce_and_counters() -> None:
    dyce = pytest.importorskip("dyce")
    icepool = pytest.importorskip("icepool")

    three = flipcost.Target.sum("3d6")
    die, bag = 3 @ icepool.d6, 3 @ dyce.H(6)
    assert flipcost.Target(die).to_dict() == flipcost.Target(bag).to_dict() == three.to_dict()
    assert icepool.Die(three.to_dict()) == die
    assert dyce.H(three.to_dict()) == bag
    assert Counter(three.to_dict())[10] == 27
    assert flipcost.Target(Counter("abracadabra")).to_dict() == dict(a=5, b=2, r=2, c=1, d=1)
    cost = lambda target: flipcost.cost(target, columns=["expected_exact"])["expected_exact"][0]
    assert cost(die) == cost(bag) == cost("3d6")
    assert flipcost.Target([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]).to_dict() == {1: 3, 2: 2, 3: 1}


def test_numpy_reads_columns_without_a_copy() -> None:
    np = pytest.importorskip("numpy")
    sweep = flipcost.sweep("1..1000", columns=["n", "expected", "period"])
    for name, kind in (("n", "int64"), ("expected", "float64"), ("period", "int64")):
        array = np.asarray(sweep[name])
        assert array.dtype == kind and len(array) == 1000
        assert np.shares_memory(array, np.asarray(sweep[name]))


def test_pandas_and_polars() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    sweep = flipcost.sweep(
        "1..30", algorithms=["fast-dice-roller", "interval"], columns=["n", "algorithm", "expected_exact", "toll", "worst_case"]
    )
    frame = sweep.to_pandas()
    assert list(frame.columns) == [column.name for column in sweep.columns]
    assert frame["expected_exact"].tolist() == sweep["expected_exact"][:]
    assert frame["toll"].tolist() == list(sweep["toll"])
    assert frame["algorithm"].astype(str).tolist() == sweep["algorithm"][:]
    polar = sweep.to_polars()
    assert polar["toll"].to_list() == list(sweep["toll"])
    assert [Fraction(text) for text in polar["expected_exact"]] == sweep["expected_exact"][:]
    answer = flipcost.cost(6)
    assert answer.to_pandas()["expected_exact"].tolist() == answer["expected_exact"]
    assert len(answer.to_polars()) == len(answer)


def test_exact_columns_are_computed_when_they_are_read() -> None:
    """Single cells can be read, although the whole column would take tens of gigabytes; they equal the means of the laws."""
    sweep = flipcost.sweep(range(1, 10**6), columns=["n", "expected_exact", "variance_exact"])
    means = sweep["expected_exact"]
    assert len(sweep) == len(means) == 999_999
    assert sweep[5]["expected_exact"] == means[5] == Fraction(11, 3)
    assert sweep["variance_exact"][5] == Fraction(16, 9)
    last = [FDR.law(n, "coin").mean for n in (999_996, 999_998)]
    assert means[-4:-1:2] == last == means[999_995:999_998:2]
    assert [means[n - 1] for n in (999_996, 999_998)] == last
    with pytest.raises(IndexError):
        means[999_999]
    assert means[7:7] == []
    again = pickle.loads(pickle.dumps(sweep))
    assert again["expected_exact"][:300] == means[:300]


def test_exact_columns_of_several_algorithms() -> None:
    ids = ["fast-dice-roller", "interval", "rejection"]
    sweep = flipcost.sweep("2..300", 6, algorithms=ids, columns=["n", "algorithm", "expected_exact"])
    means = sweep["expected_exact"]
    assert len(means) == 3 * 299
    asked = list(zip(sweep["n"], sweep["algorithm"]))
    # the rows of a target are in the order of the registry, whatever the order of the request
    assert asked == [(n, name) for n in range(2, 301) for name in flipcost.algorithms if name in ids]
    laws = [flipcost.algorithms[name].law(n, 6).mean for n, name in asked]
    assert list(means) == laws
    assert means[400:410] == laws[400:410] and [means[i] for i in range(50)] == laws[:50]
    assert [row["expected_exact"] for row in sweep] == laws


def test_a_fraction_that_is_too_long() -> None:
    """2 is a primitive root of the prime 1,000,003, so the period is 1,000,002 flips; for 10^9 + 7 it is 5 10^8 + 3."""
    sweep = flipcost.sweep("1000003..1000003", columns=["expected_exact"])
    assert sweep["expected_exact"][:] == [None]
    sweep = flipcost.sweep("1000003..1000003", columns=["expected_exact"], exact=True)
    assert sweep["expected_exact"][0] == FDR.law(1_000_003, "coin").mean
    assert len(repr(sweep["expected_exact"])) < 100 and len(str(sweep)) < 200
    sweep = flipcost.sweep("1000000007..1000000007", columns=["expected_exact"], exact=True)
    with pytest.raises(flipcost.TooLargeError, match="n = 1000000007 .* at most 4194304 are computed"):
        sweep["expected_exact"][0]


def test_a_long_fraction_in_polars() -> None:
    pytest.importorskip("polars")
    sweep = flipcost.sweep("1000003..1000003", columns=["expected_exact"], exact=True)
    assert sweep.to_polars()["expected_exact"][0].count("/") == 1


def test_progress_is_reported() -> None:
    told = []
    flipcost._engine.sweep(
        '{"ask":"cost","target":"1..300000","algorithms":["fast-dice-roller"],"columns":["expected"]}',
        0,
        lambda done, all: told.append((done, all)),
    )
    assert told[-1] == (300_000, 300_000)
    assert told == sorted(told)


@pytest.mark.parametrize("name", ["Algorithm", "Draws", "Law", "Sequence", "Source", "Target"])
def test_the_examples_of_the_compiled_classes(name) -> None:
    text = getattr(flipcost, name).__doc__
    test = doctest.DocTestParser().get_doctest(text, {"flipcost": flipcost}, name, None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("module", [flipcost, flipcost._questions, flipcost.questions], ids=lambda module: module.__name__)
def test_the_examples_of_the_modules(module) -> None:
    failed, tried = doctest.testmod(module)
    assert tried > 0 and failed == 0


def test_every_public_function_has_an_example() -> None:
    functions = [one for name in flipcost.__all__ if inspect.isroutine(one := getattr(flipcost, name))]
    functions += [getattr(flipcost.questions, name) for name in ("cite", "roll", "sequence")]
    assert [one.__name__ for one in functions if ">>> " not in (one.__doc__ or "")] == []
    for one in vars(flipcost.questions).values():
        said = one.__doc__ if inspect.isfunction(one) else ""
        assert not re.search(r"\b[Pp]rint(s|ed|ing)?\b(?!\()|\[default|in place of", said), one.__name__


def test_citations() -> None:
    assert flipcost.cite().startswith("The flipcost authors.")
    assert flipcost.cite("interval", bibtex=True).startswith("@article{han-hoshi1997")
    with pytest.raises(flipcost.UnknownNameError, match="not a source"):
        flipcost.cite("nothing")


def test_names_are_those_of_the_package() -> None:
    for name in flipcost.__all__:
        module = getattr(getattr(flipcost, name), "__module__", "flipcost")
        assert module in ("flipcost", "flipcost.questions", "flipcost._questions"), (name, module)
    assert repr(flipcost.TargetError) == "<class 'flipcost.TargetError'>"
    assert repr(flipcost.Sweep) == "<class 'flipcost.Sweep'>"
    assert pickle.loads(pickle.dumps(flipcost.TargetError("x"))).args == ("x",)


def test_keys_are_completed_in_ipython() -> None:
    names = flipcost.algorithms._ipython_key_completions_()
    assert "interval" in names and names == list(flipcost.algorithms)
    for table in (flipcost.cost(6), flipcost.sweep("1..3", columns=["n", "toll"])):
        assert table._ipython_key_completions_() == [column.name for column in table.columns]


def test_a_generator_of_numpy_is_a_source() -> None:
    np = pytest.importorskip("numpy")
    rolls = [[flipcost.roll(6, rng=np.random.default_rng(seed)) for seed in range(50)] for _ in range(2)]
    assert rolls[0] == rolls[1] and set(rolls[0]) == {1, 2, 3, 4, 5, 6}
    assert FDR.roll(6, "word:64", np.random.default_rng(1))[0] in range(1, 7)
