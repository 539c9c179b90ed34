"""User's rules: functions, straight code and tables. Laws are compared with the sum over all paths of rolls."""

import copy
import itertools
import os
import pickle
import subprocess
import sys
import traceback
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from multiprocessing import get_context

import pytest

import flipcost
from flipcost import again, flip, out


def start(n, m):
    return 1, 0


def step(state, face, n, m):
    v, c = state[0] * m, state[1] * m + face - 1
    if v < n:
        return v, c
    return out(c) if c < n else (v - n, c - n)


class Roller(flipcost.Rule):
    def start(self, n, m):
        return start(n, m)

    def step(self, state, face, n, m):
        return step(state, face, n, m)


class Duck:
    start = staticmethod(start)
    step = staticmethod(step)


@pytest.mark.parametrize("rule", [flipcost.Rule(start, step), Roller(), flipcost.Rule(Duck())], ids=repr)
def test_steps(rule):
    for n in range(2, 20):
        known = flipcost.algorithms["fast-dice-roller"]
        assert rule.law(n, "coin").mean == known.law(n, "coin").mean
        assert rule.fair(n, "coin")
    assert rule.law(16, 4).mean == 2
    assert rule.outcomes(3, "coin") == dict.fromkeys(range(3), Fraction(1, 3))
    assert rule.check("2..9")["fair"] == [True] * 8
    assert rule.law(6, "coin").repeat(2).mean == Fraction(22, 3)


def test_a_rule_can_be_used_as_an_algorithm():
    rule = flipcost.Rule(start, step, name="roller")
    assert flipcost.cost(6, algorithms=[rule])["expected_exact"] == [Fraction(11, 3)]
    assert flipcost.cost("5..6", algorithms=[rule, "rejection"])["algorithm"][1] == "rule:roller"
    assert flipcost.distribution(6, algorithm=rule).shape[0] > 3
    assert flipcost.roll(6, algorithm=rule, rng=lambda sides: 1) == 1
    sweep = flipcost.sweep(range(2, 5), algorithms=[rule], columns=["expected_exact"], progress=False)
    assert list(sweep["expected_exact"]) == [1, Fraction(8, 3), 2]
    assert flipcost.rule_check(rule, targets=6).verdict is True
    drn = rule.to_drn(6, "coin")
    assert drn == flipcost.export("drn", 6, algorithm=rule).document
    assert 'R{"rolls"}=? [F "done"]' in rule.to_prism(6, "coin")
    other = flipcost.Rule(start, step, name="roller")
    assert other.algorithm != rule.algorithm  # two rules of one name


def test_an_unfair_rule():
    rule = flipcost.Rule(lambda n, m: 0, lambda state, face, n, m: out(0) if face == 1 else state + 1 if state < 2 else out(1))
    assert not rule.fair(2, "coin")
    assert rule.distance(2, "coin") == Fraction(3, 8)
    assert "not fair" in rule.check(2).verdict
    assert rule.check(2)["witness"] == ["0 has 7/8 (as after H, TH, TTH), 1 has 1/8 (as after TTT)"]
    stuck = flipcost.Rule(lambda n, m: 0, lambda state, face, n, m: out(0) if face == 1 and state == 0 else 1)
    assert stuck.outcomes(1, "coin") == {0: Fraction(1, 2)}
    anew = flipcost.Rule(lambda n, m: 0, lambda state, face, n, m: again() if state and face == 2 else out(face - 1) if state else 1)
    assert anew.outcomes(1, "coin") == {0: 1}


def test_exceptions_of_a_function_are_passed_on():
    def broken(state, face, n, m):
        return {}[face]

    rule = flipcost.Rule(start, broken)
    asked = [
        lambda: rule.law(6, "coin"),
        lambda: rule.check(6),
        lambda: flipcost.cost("2..50", algorithms=[rule]),
        lambda: rule.roll(6, "coin"),
        lambda: rule.roll(6, "coin", lambda sides: 1),
    ]
    for ask in asked:
        with pytest.raises(KeyError) as raised:
            ask()
        assert traceback.extract_tb(raised.value.__traceback__)[-1].name == "broken"
    assert flipcost.cost(6).summary.startswith("A d6")  # the failed rule leaves nothing behind


def test_invalid_steps_are_refused():
    def said(step, start=start):
        with pytest.raises(flipcost.FlipcostError) as raised:
            flipcost.Rule(start, step).law(6, "coin")
        return str(raised.value)

    assert said(lambda *_: None) == "step returned None: a state, out(x) or again() was expected"
    assert "which cannot be hashed: a state such as an integer or a tuple" in said(lambda *_: [1])
    assert "x is -1: an outcome, an integer from 0, was expected" in said(lambda *_: out(-1))
    assert "begin at start(n, m) for ever" in said(step, lambda n, m: again())
    assert "it gives the outcome 6" in said(lambda *_: out(6))
    assert "more than 50000 states" in said(lambda state, *_: (state[0] + 1, 0))
    count = itertools.count()
    assert "when asked again: the same state must" in said(lambda *_: next(count))
    with pytest.raises(flipcost.QuestionError, match="both were expected"):
        flipcost.Rule().algorithm
    with pytest.raises(flipcost.QuestionError, match="exist only in the process"):
        flipcost.rule_check("rule\nfunctions 4000000")


def brute(function, n, m, depth):
    """Computes the law of a function whose paths have at most this many rolls, path by path."""
    law = {}

    def follow(path, share):
        assert len(path) <= depth
        place = flipcost._straight._replayed(function, n, m, path)
        if isinstance(place, flipcost.Out):
            law[place.outcome] = law.get(place.outcome, 0) + share
            return
        for face in range(1, m + 1):
            follow((*path, face), share / m)

    follow((), Fraction(1))
    return law


def two_in_one_line(n, m):
    return flip() + 2 * (flip() - flip()) % 4


def in_several_lines(n, m):
    x = (
        flip()
        + 2 * flip()
        + 4
        * flip()
    )
    return x


def below(k):
    v, c = 1, 0
    while v < k:
        v, c = 2 * v, 2 * c + flip()
    return c


def of_helpers(n, m):
    return below(4) + 4 * below(2) + 8 * (below(4) > below(4))


def loops_over_items(n, m):
    total = 0
    for x in [1, 1, 2]:
        for y in (1, 3):
            total += x * y * flip()
    for one in range(2): total = (2 * total + flip()) % 16
    return total


def draw_into(hand):
    hand.append(flip())
    hand = None
    return flip()


def of_lists(n, m):
    hand = []
    alias = hand
    last = draw_into(hand) + draw_into(hand)
    if flip():
        alias = list(alias)
    alias.append(1)
    return 16 * last % 32 + sum(bit << place for place, bit in enumerate(hand))


def of_comprehensions(n, m):
    bits = [flip() for _ in range(3)]
    more = sum(flip() for _ in range(2))
    return sum(bit << place for place, bit in enumerate(bits)) + 8 * more


def of_closures(n, m):
    count = 0

    def add():
        nonlocal count
        count += flip()

    add()
    add()
    return count + 4 * flip()


def of_generators(n, m):
    def bits():
        while True:
            yield flip()

    source = bits()
    return sum(next(source) << place for place in range(3))


class Counter:
    def __init__(self):
        self.count = 0


def of_objects(n, m):
    counter = Counter()
    for _ in range(3):
        counter.count += flip()
    return counter.count


def of_exceptions(n, m):
    x = 0
    for _ in range(3):
        try:
            x = 2 * x + 1 // flip()
        except ZeroDivisionError:
            x = 2 * x
        finally:
            x += 0
    with pytest.raises(KeyError):
        {}[flip()]
    return x


def of_calls_by_the_language(n, m):
    order = sorted(range(3), key=lambda _: flip())
    return sum(place * 3**i for i, place in enumerate(order)) + (lambda y=flip(): 27 * y)()


def of_names_that_change(n, m):
    x = 1
    return x + (x := 2 + flip()) + 8 * (x := flip()) + 16 * flip() + 32 * x


STRAIGHT = [
    two_in_one_line,
    in_several_lines,
    of_helpers,
    loops_over_items,
    of_lists,
    of_comprehensions,
    of_closures,
    of_generators,
    of_objects,
    of_exceptions,
    of_calls_by_the_language,
    of_names_that_change,
]


@pytest.mark.parametrize("function", STRAIGHT, ids=lambda function: function.__name__)
def test_straight_code_has_the_law_of_its_paths(function):
    assert flipcost.rule(function).outcomes(1000, "coin") == brute(function, 1000, 2, 10)


def rejection(n, m):
    while True:
        x = 0
        for _ in range(3):
            x = 2 * x + flip()
        if x < n:
            return x


def dice(n, m):
    while (face := flipcost.roll(6)) > n:
        pass
    return face - 1


def words(n, m):
    while True:
        if (x := flipcost.word(3)) < n:
            return x


def of_two_dice(n, m):
    while True:
        a = below_by_rejection(3)
        b = below_by_rejection(3)
        if 3 * a + b < n:
            return 3 * a + b


def below_by_rejection(k):
    while True:
        x = 2 * flip() + flip()
        if x < k:
            return x


def test_loops_are_finite_chains():
    @flipcost.rule
    def roller(n, m):
        v, c = 1, 0
        while True:
            while v < n:
                v, c = 2 * v, 2 * c + flip()
            if c < n:
                return c
            v, c = v - n, c - n

    for n in range(2, 40):
        assert roller.law(n, "coin").mean == flipcost.algorithms["fast-dice-roller"].law(n, "coin").mean
    assert flipcost.rule(rejection).law(6, "coin").mean == 4
    assert flipcost.rule(words).law(5, "coin").mean == Fraction(24, 5)
    assert flipcost.rule(words).law(5, "word:3").mean == Fraction(8, 5)
    assert flipcost.rule(dice).law(5, 6).mean == Fraction(6, 5)
    assert flipcost.rule(of_two_dice).law(8, "coin").mean == 2 * Fraction(8, 3) * Fraction(9, 8)


def test_straight_code_outside_of_a_rule():
    assert rejection(6, 2) in range(6)
    assert dice(5, 6) in range(5)
    assert flipcost.word(4) in range(16)


def test_errors_in_straight_code_are_reported():
    def said(function, source="coin"):
        with pytest.raises(flipcost.FlipcostError) as raised:
            flipcost.rule(function).law(6, source)
        return str(raised.value)

    def catches_all(n, m):
        try:
            return flip()
        except BaseException:
            return 0

    assert said(dice) == "the rule rolls a die of 6 sides, and the source has 2: one source was expected"
    assert said(lambda n, m: flip() == 5) == "after rolls 1 the rule returned False: an outcome, an integer from 0, was expected"
    assert "it catches all exceptions" in said(catches_all).replace("the rule", "it")
    assert "a word of 3 bits is not a whole number of rolls" in said(words, 4)


def test_tables():
    die = flipcost.Chain({"a": ["b", "c"], "b": [out(0), out(1)], "c": [out(2), again()]})
    assert die.law(3, "coin").mean == Fraction(8, 3)
    assert die.check(3).verdict is True
    again_ = pickle.loads(pickle.dumps(die.algorithm))
    assert again_.law(3, "coin").mean == Fraction(8, 3)
    thirds = flipcost.Chain({(0, 0): {out(0): "1/3", (0, 1): Fraction(2, 3)}, (0, 1): {out(1): "0.5", (0, 1): "0.5"}})
    assert thirds.outcomes(2, "coin") == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert thirds.law(2, "coin").mean == 1 + Fraction(2, 3) * 2
    assert thirds.check(2)["optimum_exact"] == [None]


@pytest.mark.parametrize(
    ("transitions", "sentence"),
    [
        ({}, "a dict from each state to what follows was expected"),
        ({"a": [out(0), "b"]}, "state 'a' leads to 'b': a state of the chain, out(x) or again() was expected"),
        ({"a": out(0)}, "state 'a' leads to out(0): a list for each state, or a dict for each state, was expected"),
        ({"a": {out(0): "1/3"}}, "the probabilities of state a sum to 1/3, and not to 1"),
        ({"a": [out(0)]}, "state a has no row for face 2"),
        ({"a": {out(0): 0.5, out(1): 0.5}}, "a probability of state 'a' is 0.5, a float: an int, a Fraction"),
    ],
)
def test_invalid_tables_are_refused(transitions, sentence):
    with pytest.raises(flipcost.FlipcostError) as raised:
        flipcost.Chain(transitions).law(2, "coin")
    assert sentence in str(raised.value)


def test_ctrl_c_ends_a_function_that_never_returns():
    program = """
import os, signal, threading, flipcost
signal.signal(signal.SIGINT, signal.default_int_handler)

@flipcost.rule
def never(n, m):
    while True:
        pass

threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    never.check(2)
except KeyboardInterrupt:
    print("stopped")
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "stopped\n"), ended.stderr


@flipcost.rule
def wrong(n, m):
    """Three flips modulo n."""
    return (4 * flip() + 2 * flip() + flip()) % n


def fair_up_to_4(n, m):
    return (4 * flip() + 2 * flip() + flip()) % n if n > 4 else below_by_rejection(n)


def test_an_outcome_outside_of_the_target_is_a_failed_verdict():
    def three_dice(n, m):
        return flipcost.roll(6) + flipcost.roll(6) + flipcost.roll(6) - 3

    said = "after rolls 6, 6, 6 it gives 15, and the outcomes of a target with 15 are 0 to 14"
    assert flipcost.rule(three_dice).check(15, "d6")["witness"] == [said]
    table = flipcost.Chain({"a": ["b", "c"], "b": [out(0), out(5)], "c": [out(2), "a"]}).check(3)
    assert table["fair"] == [False] and table["witness"] == ["after rolls 1, 2 it gives 5, and the outcomes of a target with 3 are 0 to 2"]
    assert table["expected_exact"] == [Fraction(8, 3)]
    unknown = flipcost.rule(lambda n, m: flip() + 1).check(2, "unknown:2")
    assert unknown["witness"] == ["after rolls 2 it gives 2, and the outcomes of a target with 2 are 0 to 1"]
    assert flipcost.rule(lambda n, m: n).check(2)["witness"] == ["without a roll it gives 2, and the outcomes of a target with 2 are 0 to 1"]


def test_the_first_sentence_of_a_cost_says_that_a_rule_is_not_exact():
    said = "A d6 from a coin takes 3 flips on average by rule:wrong, whose outcomes are not exact."
    assert flipcost.cost(6, algorithms=[wrong]).summary == said
    assert flipcost.cost(4, algorithms=[wrong]).summary == "A d4 from a coin takes 3 flips on average by rule:wrong."


def test_a_function_is_registered_once():
    def one(n, m):
        return flip()

    class Holder:
        def two(self, n, m):
            return flip()

    held = Holder()
    queries = [flipcost.cost(2, algorithms=[function]).query for function in (one, one, flipcost.rule(one))]
    assert queries[0] == queries[1] == queries[2]
    assert flipcost.cost(2, algorithms=held.two).query == flipcost.cost(2, algorithms=held.two).query
    assert flipcost.cost(2, algorithms=lambda n, m: flip()).query != queries[0]
    sent = pickle.dumps(flipcost.cost(5, algorithms=below_by_rejection_of_n) and flipcost.rule(below_by_rejection_of_n).algorithm)
    assert pickle.loads(sent).law(3, "coin").mean == flipcost.rule(below_by_rejection_of_n).law(3, "coin").mean


def test_a_failed_verdict_is_false():
    verdict = wrong.check(3).verdict
    assert not verdict and verdict == "wrong is not fair for n = 3" == f"{verdict}" and pickle.loads(pickle.dumps(verdict)) == verdict
    assert not flipcost.verify_that("expected < 4", 100).verdict
    assert flipcost.verify_that("expected < 5", 10).verdict is True and wrong.check(4).verdict is True
    assert flipcost.cost(6).verdict is None


def test_a_rule_that_is_not_exact_is_noted():
    said = "rule:wrong is not exact: the total variation distance of its outcomes from those of the target is 1/12 ≈ 0.0833 for n = 3, 3/20 ≈ 0.15 for n = 5"
    answers = [
        flipcost.cost(range(2, 7), algorithms=[wrong]),
        flipcost.sweep(range(2, 7), algorithms=[wrong], columns="n,expected"),
        flipcost.verify_that("expected >= log2(n)", 6, algorithms=[wrong]),
        flipcost.ask("cost", target="2,3,4..6", algorithms=[wrong]),
        flipcost.merge([unit.run() for unit in flipcost.units("cost", target="2..6", algorithms=[wrong])]),
    ]
    for answer in answers:
        assert answer.notes[-1].startswith(said)
        assert said in repr(answer) and said in str(answer) and said in answer._repr_html_()
        again_ = pickle.loads(pickle.dumps(answer))
        assert again_.notes == answer.notes and again_ == answer
    assert answers[0].notes[-1].endswith("for n = 5, 1/6 ≈ 0.167 for n = 6")
    many = flipcost.sweep(range(2, 200), algorithms=wrong, columns="n,expected")
    assert many.notes[-1].endswith(" and 14 more")
    assert sum("is not exact" in note for note in flipcost.cost(3, algorithms=[wrong]).notes) == 1
    assert "rule:wrong is not exact" in wrong.law(3, "coin")._repr_html_()
    exact = [flipcost.cost("2,4,8,", algorithms=[wrong]), flipcost.sweep("2..4", algorithms=flipcost.rule(fair_up_to_4))]
    assert not any("exact:" in note for answer in exact for note in answer.notes)
    assert "not exact" not in wrong.law(4, "coin")._repr_html_()


def in_another_process(values):
    """Returns what another process, which has made other rules before, finds in pickled values."""
    program = """
import pickle, sys, flipcost
flipcost.rule(lambda n, m: 0).law(2, "coin")
values = pickle.load(sys.stdin.buffer)
print([value.law(3, "coin").mean if hasattr(value, "law") else value.mean for value in values])
"""
    sent = pickle.dumps(values)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *sys.path])}
    ended = subprocess.run([sys.executable, "-c", program], input=sent, capture_output=True, timeout=60, env=env)
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout.decode().strip()


two_functions = flipcost.Rule(start, step)


def test_rules_of_a_module_are_pickled():
    rules = [wrong, flipcost.rule(below_by_rejection_of_n), two_functions, Roller()]
    values = [*rules, *(rule.algorithm for rule in rules), *(rule.law(3, "coin") for rule in rules)]
    assert in_another_process(values) == str([value.law(3, "coin").mean if hasattr(value, "law") else value.mean for value in values])
    assert pickle.loads(pickle.dumps(wrong)) is wrong
    local = flipcost.rule(lambda n, m: flip())
    assert copy.deepcopy(local.law(2, "coin")) == local.law(2, "coin")
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(local)


def below_by_rejection_of_n(n, m):
    return below_by_rejection(n)


def test_a_rule_has_the_name_and_the_docs_of_its_function():
    assert (wrong.__name__, wrong.__doc__, wrong.__module__) == ("wrong", "Three flips modulo n.", __name__)
    assert wrong._repr_html_() == "<p><b>rule:wrong</b>: Three flips modulo n.</p>"
    assert "rule:step" in two_functions._repr_html_()


def test_a_worker_without_the_rule_says_so():
    def ask(executor=None):
        return flipcost.cost(range(4, 7), algorithms=[wrong], summary=True, executor=executor)

    whole = ask()
    assert whole["mean"][0] == 3
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, mp_context=get_context("fork")) as forks:
        assert ask(threads) == whole == ask(forks)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as others:
        with pytest.raises(flipcost.QuestionError, match="the rule wrong is made of functions .* flipcost.Chain or a file"):
            ask(others)
        table = flipcost.Chain({"a": [out(0), out(1)]})
        assert flipcost.cost("2..3", algorithms=[table], executor=others)["expected_exact"][0] == 1


def test_a_place_of_code_that_is_not_followed_is_named_by_its_rolls():
    place = flipcost._straight._replayed(of_generators, 8, 2, (1, 2))
    assert repr(place) == "after rolls 1, 2"
    assert repr(flipcost._straight._replayed(of_generators, 8, 2, ())) == "after no rolls"
