"""Arguments and results of types of Python, NumPy and pandas; forks; the errors for bad arguments."""

import inspect
import math
import multiprocessing
import pickle
import re
import threading
import typing
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial

import flipcost
import pytest
from flipcost import Source, Target, sweep

FDR = flipcost.algorithms["fast-dice-roller"]
LAW = FDR.law(6, "coin")


def in_a_child(n: int) -> tuple[float, Fraction, list[Fraction]]:
    means = sweep("1..3000", columns=["expected_exact"], threads=2)["expected_exact"]
    return sweep("1..5000")["expected"][n - 1], FDR.law(n, "coin").mean, means[n - 1 : n]


def test_a_fork_computes_as_its_parent_does() -> None:
    expected = [in_a_child(n) for n in (5, 6, 7)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(in_a_child, [5, 6, 7]).get(60) == expected


@pytest.mark.parametrize(
    "weights",
    [
        {"02139": 3, "10001": 1},
        {("a", 1): 3, 1.5: 1, None: 1, True: 2, date(2020, 1, 1): 1},
        {1: 3, "1": 1},
        {"it's \"so\"": 1, "x\\y": 2},
        {"red": 1, "never": 0, 7: 2},
    ],
    ids=str,
)
def test_outcomes_keep_their_original_objects(weights) -> None:
    target = Target(weights)
    back = target.to_dict()
    assert back == weights
    assert [type(key) for key in back] == [type(key) for key in weights]
    again = pickle.loads(pickle.dumps(target))
    assert again == target and hash(again) == hash(target) and again.to_dict() == weights
    assert flipcost.roll(target) in weights


def test_targets_with_other_outcomes_differ() -> None:
    assert Target({1: 3, "1": 1}) != Target({"1": 3, 1: 1})
    assert Target({"1": 3, "2": 1}) != Target({1: 3, 2: 1})
    assert Target({"a": 1, "b": 2}) == Target("{'a': 1, 'b': 2}")
    assert Target("{'02139': 3, '-0': 1}").to_dict() == {"02139": 3, "-0": 1}


def test_outcomes_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    day = pd.Timestamp("2020-01-01")
    assert Target(pd.Series([1, 2], index=[day, "x"])).to_dict() == {day: 1, "x": 2}
    with pytest.raises(flipcost.TargetError, match="'a' occurs twice"):
        Target(pd.Series([1, 2, 3], index=list("aab")))


def test_a_number_without_a_bound_is_infinity() -> None:
    row = flipcost.cost(6, algorithms=["fast-dice-roller"], columns=["worst_case", "detect"])[0]
    assert row == {"worst_case": math.inf, "detect": math.inf}
    assert list(sweep("4..5", columns=["worst_case"])["worst_case"]) == [2, math.inf]


def test_data_frames_have_numbers() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    table = sweep("1..8", columns=["n", "worst_case"])
    frame = table.to_pandas()
    assert (frame.n - 5).tolist() == [-4, -3, -2, -1, 0, 1, 2, 3]
    assert frame.dtypes.tolist() == ["int64", "float64"]
    assert [str(kind) for kind in table.to_polars().dtypes] == ["Int64", "Float64"]
    assert flipcost.cost(6).to_pandas()["worst_case"].tolist() == [math.inf] * len(flipcost.cost(6))


def test_outcomes_of_one_name_are_one_key() -> None:
    assert Target("{'a': 1, 'a': 2, 'b': 3}").to_dict() == {"a": 3, "b": 3}
    assert Target(str(Target({1: 1, "1": 2, 3: 4}))).to_dict() == {1: 3, 3: 4}


def test_a_long_mapping_is_read_once() -> None:
    """An earlier version took minutes here, because each item counted the lines before it."""
    weights = {i: 1 + i % 3 for i in range(400_000)}
    assert Target(weights).to_dict() == weights
    with pytest.raises(flipcost.TargetError, match="line 3 "):
        Target("{1: 1,\n2: 1,\n3: x}")


def test_a_sequence_is_sliced_and_not_iterated() -> None:
    for sequence in (flipcost.sequence("A136043"), flipcost.sequence("order:base=2,step=2")):
        for work in (list, max, iter, lambda sequence: 3 in sequence):
            with pytest.raises(TypeError, match="has no end: a slice"):
                work(sequence)


def test_large_ends_and_efforts() -> None:
    assert list(sweep("9223372036854775808..9223372036854775809", columns=["n"])["n"]) == [2**63, 2**63 + 1]
    assert sweep("9007199254740992..9007199254740992", columns=["expected"])["expected"][0] == 53
    assert flipcost.plan(6, [2, 3], optimal=True, effort=2**53)["proved"] == ["yes"]


def test_missing_values_are_counted_by_expression() -> None:
    notes = sweep("1..3", columns=["1/(n-n)", "log2(n-1)"]).notes
    assert [note.partition(" is left out of ")[0] for note in notes] == ["1/(n-n)", "log2(n-1)"]
    assert "n = 1 (and 2 more)" in notes[0] and "n = 1:" in notes[1]


def test_data_frames_with_missing_values() -> None:
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    cost = flipcost.cost(6)
    assert cost.to_pandas()["period"].dtype == pd.Int64Dtype()
    assert cost.to_polars()["period"].dtype == pl.Int64
    table = sweep("1..8", algorithms=["bounded", "fast-dice-roller"], columns=["worst_case", "expected"])
    assert [str(kind) for kind in table.to_pandas().dtypes] == ["float64", "float64"]
    assert table.to_polars().dtypes == [pl.Float64, pl.Float64]
    asked = flipcost.ask("cost", target="1..20").to_pandas()
    assert asked["expected"].dtype == "float64"
    assert flipcost.cost(2**63, columns=["n"]).to_polars().dtypes == [pl.UInt64]


def test_decimals_are_decimals() -> None:
    assert {type(value).__name__ for value in flipcost.cost(6, digits=0)["expected"]} == {"Decimal"}


def test_missing_rows_are_errors() -> None:
    with pytest.raises(IndexError, match="there is no row 99: there are 2"):
        flipcost.cost(6, algorithms=["rejection", "interval"])[99]
    with pytest.raises(TypeError, match="is not the name of a column"):
        flipcost.cost(6)[{"algorithm"}]
    with pytest.raises(flipcost.QuestionError, match="source and dice were both given"):
        flipcost.advise(6, 20, dice=[6, 10])


def test_a_list_of_targets_is_swept() -> None:
    assert list(sweep([2, 1000], columns=["n"])["n"]) == [2, 1000]
    assert list(sweep(range(1, 10, 3), columns=["n"])["n"]) == [1, 4, 7]
    table = sweep([[1, 2], "3d6", 6], columns=["expected_exact"])
    assert list(table["expected_exact"]) == [Fraction(2), Fraction(2345, 513), Fraction(11, 3)]
    assert list(sweep("2..4", columns=["n"])["n"]) == [2, 3, 4]


def test_numpy_and_pandas_as_arguments() -> None:
    np = pytest.importorskip("numpy")
    pd = pytest.importorskip("pandas")
    assert flipcost.shuffle(np.int64(52)) == flipcost.shuffle(52)
    assert flipcost.advise(shuffle=np.int64(5)) == flipcost.advise(shuffle=5)
    assert flipcost.compare(np.int64(2), np.array([3, 4])) == flipcost.compare([2], [3, 4])
    plan = flipcost.plan(13, np.array([6, 10]), prices=pd.Series({6: 1, 10: 2}), optimal=True, effort=np.int64(1000))
    assert plan == flipcost.plan(13, [6, 10], prices={6: 1, 10: 2}, optimal=True, effort=1000)
    for targets in (np.array([5, 4]), pd.Series([5, 4]), pd.Index([5, 4])):
        table = sweep(targets, columns=pd.Index(["n"]), algorithms=np.array(["interval"]))
        assert list(table["n"]) == [5, 4]
    ends = sweep(range(np.int64(2), np.int64(6)), digits=np.int64(3), columns=["n", "expected"])
    assert ends == sweep("2..5", digits=3, columns=["n", "expected"])
    assert LAW.pmf(np.int64(3)) == LAW.pmf(3) and LAW.decimal(np.int64(3)) == LAW.decimal(3)
    assert LAW.quantile(np.float64(0.5)) == LAW.quantile(0.5) and LAW.quantile(np.int64(0)) == 0
    assert flipcost.sequence("A136043")[np.int64(5)] == 2
    assert flipcost.identify(np.array([1, 1, 1, 1, 2])) == flipcost.identify([1, 1, 1, 1, 2])
    assert flipcost.cost(6)[np.int64(1)] == flipcost.cost(6)[1]


@pytest.mark.parametrize(
    ("ask", "kind", "says"),
    [
        (lambda: flipcost.batch("13,x"), flipcost.QuestionError, "is not a target"),
        (lambda: flipcost.batch(5), flipcost.QuestionError, "a list of targets"),
        (lambda: sweep({2, 3}), flipcost.QuestionError, "a list of targets"),
        (lambda: sweep({2: 3}), flipcost.QuestionError, "a list of targets"),
        (lambda: sweep(b"23"), flipcost.QuestionError, "a list of targets"),
        (lambda: sweep(5), flipcost.QuestionError, "a list of targets"),
        (lambda: sweep("2,5"), flipcost.QuestionError, "range(first, last + 1)"),
        (lambda: sweep([]), flipcost.QuestionError, "empty"),
        (lambda: sweep(range(1, 10**30)), flipcost.QuestionError, "below 2^64"),
        (lambda: sweep(range(1, 10**30, 2)), flipcost.QuestionError, "too many"),
        (lambda: sweep("1..5", algorithms=[]), flipcost.QuestionError, "algorithms is empty"),
        (lambda: sweep("1..5", columns=[]), flipcost.QuestionError, "columns is empty"),
        (lambda: sweep("1..5", threads=-1), flipcost.QuestionError, "threads is -1"),
        (lambda: flipcost.cost(6, columns=[]), flipcost.QuestionError, "columns is empty"),
        (lambda: flipcost.cost(6, algorithms=[5]), flipcost.QuestionError, "algorithms is 5"),
        (lambda: flipcost.cost(6, digits=-1), flipcost.QuestionError, "digits is -1"),
        (lambda: flipcost.shuffle("x"), flipcost.QuestionError, "cards is 'x'"),
        (lambda: flipcost.shuffle(5.5), flipcost.QuestionError, "cards is 5.5"),
        (lambda: flipcost.plan(13, {6, 10}), flipcost.QuestionError, "dice is"),
        (lambda: flipcost.plan(13, [6], prices=5), flipcost.QuestionError, "a dict from sides"),
        (lambda: flipcost.identify(5), flipcost.QuestionError, "terms is 5"),
        (lambda: flipcost.ask(5), flipcost.QuestionError, "5 is not a question"),
        (lambda: flipcost.ask(b"cost"), flipcost.QuestionError, "is not a question"),
        (lambda: flipcost.ask("help"), flipcost.QuestionError, "choose one of"),
        (lambda: flipcost.cite(5), flipcost.KindError, "what is 5"),
        (lambda: flipcost.algorithms[0], flipcost.KindError, "such as 'interval'"),
        (lambda: flipcost.sequence(1.5), flipcost.KindError, "such as 'A136043'"),
        (lambda: flipcost.sequence("A136043")[-1], flipcost.FlipcostError, "the index is -1"),
        (lambda: flipcost.sequence("A136043")[1 : 10**30], flipcost.FlipcostError, "below 2^64"),
        (lambda: Target({1, 2}), flipcost.KindError, "target is {1, 2}"),
        (lambda: Target(b"abc"), flipcost.KindError, "target is b'abc'"),
        (lambda: Target.sum(6), flipcost.KindError, "such as '3d6'"),
        (lambda: Source.words(-1), flipcost.SourceError, "1 to 8192"),
        (lambda: LAW.decimal(-1), flipcost.FlipcostError, "digits is -1"),
        (lambda: LAW.pmf(10**400), flipcost.TooLargeError, "401 digits"),
        (lambda: LAW.cdf(1.5), flipcost.FlipcostError, "t is 1.5"),
        (lambda: LAW.quantile(math.nan), flipcost.FlipcostError, "q is nan"),
        (lambda: LAW.quantile("x"), flipcost.FlipcostError, "q is 'x'"),
        (lambda: LAW.quantile(None), flipcost.FlipcostError, "q is None"),
    ],
)
def test_invalid_arguments_have_errors_of_one_sentence(ask, kind, says) -> None:
    with pytest.raises(kind) as caught:
        ask()
    said = str(caught.value)
    assert says in said and "\n" not in said and len(said) < 800
    assert not said.startswith("a query is a JSON object")


def test_the_error_for_a_text_that_is_no_question_says_what_one_is() -> None:
    for text in ('{"ask": ', '{"target": 6}'):
        with pytest.raises(flipcost.QuestionError, match=": a query is a JSON object such as"):
            flipcost.ask(text)


@pytest.mark.parametrize(
    ("ask", "field", "given"),
    [
        (lambda: flipcost.ask('{"ask": "cost"}'), "target", None),
        (lambda: flipcost.ask("batch", targets=[6], seed=1), "seed", "1"),
        (lambda: flipcost.ask("cost", target=6, digit=3), "digit", "3"),
        (lambda: flipcost.plan(6, [4], prices={6: 1}), "cost", "6=1"),
        (lambda: flipcost.cost(6, digits=-1), "digits", "-1"),
        (lambda: flipcost.cost(6, algorithms={"interval"}), "algorithms", "{'interval'}"),
        (lambda: flipcost.cost(6, columns=5), "columns", "5"),
        (lambda: flipcost.cite("nobody"), "what", "nobody"),
        (lambda: flipcost.cost(6).svg(), None, None),
    ],
)
def test_errors_have_the_wrong_field_and_name_no_flags(ask, field, given) -> None:
    with pytest.raises(flipcost.FlipcostError) as caught:
        ask()
    said = str(caught.value)
    assert (caught.value.field, caught.value.given) == (field, given)
    assert not re.search("--[a-z]|`flipcost ", said), said
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.args, again.field, again.given) == (caught.value.args, field, given)


def test_notes_name_no_flags() -> None:
    answer = flipcost.ask("plan", target=13, factoring=True)
    assert any("dice takes other dice" in note for note in answer.notes)
    assert pickle.loads(pickle.dumps(answer)) == answer
    tree = flipcost.ask("show", target=6, depth=1)
    said = "\n".join([*flipcost.identify([1, 2, 3, 5]).notes, *answer.notes, tree.text()])
    assert not re.search("--[a-z]|`flipcost ", said), said


def test_probabilities_below_the_first_roll() -> None:
    assert LAW.pmf(-1) == LAW.cdf(-5) == LAW.pmf(-(10**400)) == 0
    assert (LAW.pmf(0), LAW.cdf(0), LAW.cdf(3)) == (0, 0, Fraction(3, 4))


def test_long_probabilities_are_in_lowest_terms() -> None:
    for law in (LAW, FDR.law(35, 6), flipcost.algorithms["rejection"].law(5, 6)):
        found = law.cdf(30_000), law.pmf(30_000)
        assert all(math.gcd(value.numerator, value.denominator) == 1 for value in found)
    assert LAW.cdf(10**6) < 1


def test_names_by_number_and_algorithms_themselves() -> None:
    assert flipcost.sequence(136043) == flipcost.sequence("A136043")
    assert repr(flipcost.sequence("A136043")).count("A136043") == 1
    assert flipcost.cite(flipcost.algorithms["interval"]) == flipcost.cite("interval")


def test_slices_are_lists_of_rows() -> None:
    for table in (flipcost.cost(6), sweep("1..5", columns=["n", "expected_exact"])):
        assert table[0:2] == [table[0], table[1]] and table[-1:] == [table[-1]]


def test_a_cell_is_computed_once() -> None:
    means = sweep("1..1000000", columns=["expected_exact"], exact=True)["expected_exact"]
    first = means[700_000]
    assert means[700_000] is first


def test_a_sweep_is_equal_after_pickling() -> None:
    table = sweep("1..50", algorithms=["fast-dice-roller", "interval"])
    assert pickle.loads(pickle.dumps(table)) == table
    assert table != sweep("1..49", algorithms=["fast-dice-roller", "interval"])


def test_threads_share_an_iterator() -> None:
    survival = FDR.law(3**300, "coin").survival()
    found, wrong = [], []

    def take() -> None:
        try:
            found.extend(next(survival) for _ in range(300))
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = FDR.law(3**300, "coin").survival()
    assert wrong == [] and sorted(found) == sorted(next(again) for _ in range(1200))
    assert repr(survival).endswith("t = 1200 is next>")


def test_decimals_and_texts_are_exact_weights() -> None:
    fair = Fraction(1, 20), Fraction(19, 20)
    for weights in ([Decimal("0.05"), Decimal("0.95")], ["0.05", "0.95"], fair):
        assert Target(weights) == Target([1, 19])
    assert Target({"rare": Decimal("5E-2"), "usual": "0.95"}).to_dict() == {"rare": 1, "usual": 19}
    assert flipcost.plan(13, [6, 10], prices={10: Decimal("1.5")}).query["cost"] == ["10=3/2"]
    for wrong in ([0.05, 0.95], {"rare": 0.05}):
        with pytest.raises(TypeError, match=r"use Fraction\('0.05'\) .* doubles:"):
            Target(wrong)
    for wrong in (Decimal("nan"), None, 1j):
        with pytest.raises(TypeError, match="a Decimal or a text such as '0.05' was expected"):
            Target([wrong, 1])


def test_a_misspelt_algorithm_is_named() -> None:
    """An algorithm, a function of a library, by the mapping and in a question."""
    for ask in (lambda name: flipcost.algorithms[name], lambda name: flipcost.cost(6, algorithms=[name])):
        for near, name in (("intervall", "interval"), ("cpython-randbelo", "cpython-randbelow")):
            with pytest.raises(flipcost.FlipcostError, match=f"did you mean {name}[?]"):
                ask(near)
    with pytest.raises(flipcost.UnknownNameError, match=r"flipcost\.ask\('list-algorithms'\)"):
        flipcost.algorithms["intervall"]


def test_every_question_is_a_function() -> None:
    with pytest.raises(flipcost.QuestionError, match="choose one of") as caught:
        flipcost.ask("help")
    asks = re.findall("`([a-z-]+)`", str(caught.value).partition("choose one of")[2])
    names = [name.replace("-", "_") for name in asks]
    functions = {
        name
        for name, function in vars(flipcost.questions).items()
        if getattr(function, "__module__", "") == "flipcost.questions" and callable(function)
    }
    assert set(names) == functions and len(set(names)) == len(names)
    for name in names:
        function = getattr(flipcost.questions, name)
        assert function.__doc__ and "--" not in function.__doc__
        assert callable(getattr(flipcost, name))
        kinds = typing.get_type_hints(function)
        assert kinds["return"] is flipcost.Answer


def test_functions_of_questions() -> None:
    assert flipcost.cost(range(4, 7), 6, algorithms=["bounded"], columns=["worst_case"])["worst_case"] == [2, None, 1]
    assert flipcost.toll_extremes(1000, parts=8) == flipcost.ask("toll-extremes", to=1000, parts=8)
    assert flipcost.cost(range(2, 6), algorithms=["interval"], columns=["n"])["n"] == [2, 3, 4, 5]
    assert flipcost.questions.roll(6, count=3, seed=1) == flipcost.ask("roll", target=6, count=3, seed=1)
    assert flipcost.law("a+b", [6, 6]) == flipcost.ask("law", formula="a+b", dice="6,6")
    assert flipcost.cost("2..9", summary=True, algorithms=["interval"], columns=["toll"], quantiles=["1/2"])["column"] == ["toll"]
    assert flipcost.cost("1:2,1:3,", columns=["expected_exact"])[0] == {"expected_exact": 2}
    assert flipcost.verify_that("expected < log2(n) + 2", 50, algorithms=["fast-dice-roller"]).verdict is True
    assert flipcost.questions.sequence("mr:x=1/29", terms=5).command == "flipcost sequence mr:x=1/29 --terms 5"
    assert flipcost.ask("verify-that", that="n > 0", from_=2, to=3) == flipcost.verify_that("n > 0", 3, from_=2)
    assert flipcost.plan(7, [2, 6], split=False) == flipcost.ask("plan", target=7, dice="2,6", no_split=True)
    with pytest.raises(flipcost.QuestionError, match="count is -1: a whole number"):
        flipcost.questions.roll(6, test=True, count=-1)


def test_the_arguments_of_questions_are_those_of_python() -> None:
    """Properties from before the functions were generated from the descriptions still hold."""
    for name, arguments in {
        "cost": "target, source='coin', *, algorithms=None, columns=None, digits=None, exact=False",
        "batch": "targets, source='coin', *",
        "shuffle": "cards, source='coin', *, digits=None, draw=None",
        "advise": "target=None, source='coin', dice=None, *, shuffle=None, bits=None, prefer='rolls'",
        "plan": "target, dice=None, *, throws=None, split=True, cheapest=False, prices=None, optimal=False, effort=None, rolls=None, factoring=False",
    }.items():
        signature = inspect.signature(getattr(flipcost, name))
        plain = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
        shown = str(inspect.Signature(plain))
        assert shown.startswith(f"({arguments}"), shown


def plain_function(n, m):
    return (4 * flipcost.flip() + 2 * flipcost.flip() + flipcost.flip()) % n


def test_algorithms_in_every_form() -> None:
    rule = flipcost.rule(plain_function)
    for one in ("interval", flipcost.algorithms["interval"], rule, plain_function):
        for ask in (flipcost.cost, sweep, partial(flipcost.compare, 2)):
            assert ask("4..5", algorithms=one)["algorithm"][:] == ask("4..5", algorithms=[one])["algorithm"][:]
        assert flipcost.verify_that("n > 0", 4, algorithms=one).verdict is True
        assert flipcost.ask("cost", target=4, algorithms=one)["algorithm"] == flipcost.cost(4, algorithms=one)["algorithm"]
        assert flipcost.distribution(4, algorithm=one).shape[0] > 2
        assert flipcost.roll(4, algorithm=one, rng=lambda sides: 1) == 1
    assert flipcost.cost(4, algorithms="fast_dice_roller,interval")["algorithm"] == ["fast-dice-roller", "interval"]
    assert flipcost.cost(4, algorithms=[plain_function, "interval"])["algorithm"] == ["interval", "rule:plain_function"]
    assert flipcost.distribution(4, algorithm="fast_dice_roller") == flipcost.distribution(4, algorithm="fast-dice-roller")
    assert "fast_dice_roller" in flipcost.algorithms and flipcost.roll(4, algorithm="fast_dice_roller") in range(1, 5)
    assert flipcost.rule_check(plain_function, targets=8).verdict is True
    with pytest.raises(flipcost.QuestionError, match="did you mean interval"):
        flipcost.cost(4, algorithms="intervall")
    third = Fraction(1, 3)
    assert flipcost.ask("libraries-bernoulli", target=third) == flipcost.libraries_bernoulli(target=third)


def test_a_list_of_numbers_is_weights_and_a_pair_is_no_range() -> None:
    for weights in ([1, 2, 3], (1, 2, 3)):
        for ask in (flipcost.cost, flipcost.advise, lambda target: flipcost.ask("cost", target=target)):
            assert "1:2:3" in ask(weights).command
        assert '"target":"1:2:3"' in flipcost.units("cost", target=weights)[0].query
    assert flipcost.ask("cost", target=range(2, 9)).query["target"] == "2..8"
    for ask in (flipcost.cost, partial(flipcost.ask, "cost")):
        assert ask(**{"target": range(2, 9, 3)}, algorithms="interval")["n"] == [2, 5, 8]
    assert sweep("2..4", columns="n")["n"] == sweep(range(2, 5), columns="n")["n"]
    rule = flipcost.rule(plain_function)
    for name, pair in {
        "targets": lambda: sweep((1, 10**6)),
        "targets ": lambda: rule.check((1, 10**6)),
        "targets  ": lambda: rule.check([1, 10**6]),
        "targets   ": lambda: flipcost.compare(2, (1, 10**6)),
        "sources": lambda: flipcost.cost(6, sources=(1, 10**6)),
        "target": lambda: flipcost.units("cost", target=(1, 10**6)),
        "target ": lambda: flipcost.ask("cost", target=(1, 10**6)),
    }.items():
        with pytest.raises(flipcost.KindError, match=r'range\(1, 1000001\) or "1..1000000"') as caught:
            pair()
        assert caught.value.field == name.strip()


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda: flipcost.cost(1.5), "target"),
        (lambda: flipcost.cost({"a": 0.5}), "target"),
        (lambda: flipcost.cost(None), "target"),
        (lambda: flipcost.cost(6, 0.5), "source"),
        (lambda: flipcost.cost(6, {"a": 1}), "source"),
        (lambda: flipcost.cost(6, digits="x"), "digits"),
        (lambda: flipcost.cost(6, columns=5), "columns"),
        (lambda: flipcost.cost(6, algorithms=5), "algorithms"),
        (lambda: flipcost.ask("cost", target=6, columns=5), "columns"),
        (lambda: flipcost.bias({"a": 1, "b": 2}), "target"),
        (lambda: flipcost.bias([1, 2]), "target"),
        (lambda: flipcost.bias(6, within=0.5), "within"),
        (lambda: flipcost.distance(6), "other"),
        (lambda: flipcost.roll(6, {"a": 1}), "source"),
        (lambda: flipcost.roll(1.5), "target"),
        (lambda: flipcost.rule(5), "function"),
        (lambda: sweep(5), "targets"),
        (lambda: flipcost.plan(13, 1.5), "dice"),
        (lambda: flipcost.identify([1.5]), None),
        (lambda: flipcost.units("cost", [], target=6), "seconds"),
    ],
)
def test_a_wrong_type_is_a_type_error_and_a_value_error(ask, field) -> None:
    with pytest.raises(TypeError) as caught:
        ask()
    said = str(caught.value)
    assert isinstance(caught.value, flipcost.FlipcostError) and caught.value.field == field
    assert said.startswith(field or "a term of terms") and "\n" not in said and "at character" not in said


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: flipcost.cost({"a": "x"}), "target is {'a': 'x'}: the weight of 'a' is 'x'"),
        (lambda: flipcost.cost([1, "x"]), "target is [1, 'x']: the weight of 2 is 'x'"),
        (lambda: flipcost.cost([1, -1]), "target is [1, -1]: the weight of 2 is -1"),
        (lambda: flipcost.cost(6, 1), "source is 1: "),
        (lambda: flipcost.plan(13, []), "dice is empty"),
        (lambda: flipcost.cost(range(5, 5)), "target is range(5, 5), which is empty"),
    ],
)
def test_a_wrong_value_is_no_type_error(ask, says) -> None:
    with pytest.raises(ValueError) as caught:
        ask()
    said = str(caught.value)
    assert not isinstance(caught.value, TypeError)
    assert says in said and "line 1" not in said and "at character" not in said


def test_outcomes_that_are_numbers_are_not_texts() -> None:
    for ask in (lambda: Target("3d6").pmf("10"), lambda: Target(6).pmf("2"), lambda: Target("3d6").pmf([10, "11"])):
        with pytest.raises(TypeError, match="the outcomes here are no texts"):
            ask()
    assert Target({"a": 1}).pmf("b") == 0 == Target("3d6").pmf(99)


def test_distance_takes_functions_of_libraries() -> None:
    found = flipcost.distance("cpython-choices:1:2:3", [1, 2, 3])["total_variation_exact"][0]
    assert 0 < found < Fraction(1, 2**50)
