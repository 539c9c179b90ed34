"""Every question of flipcost as a function of its fields, whose answer is a table.

`flipcost` has the same functions, except under three names: `flipcost.roll` returns one outcome,
`flipcost.sequence` an object with terms, and `flipcost.cite` a text.

This file is written by `UPDATE=1 cargo test -p flipcost-all --test it python`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsIndex

from . import _arguments as given
from ._ask import asked
from ._table import Answer
from ._types import (
    AlgorithmLike,
    AlgorithmsLike,
    AtLike,
    DiceLike,
    ExactLike,
    Executor,
    LoadLike,
    NaturalLike,
    NumbersLike,
    PathLike,
    PricesLike,
    RuleLike,
    SettingsLike,
    SourceLike,
    TargetLike,
    TargetsLike,
    TermsLike,
    WantedLike,
)

__all__ = [
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


def cost(
    target: WantedLike,
    source: SourceLike = "coin",
    *,
    algorithms: AlgorithmsLike | None = None,
    columns: str | Iterable[str] | None = None,
    digits: SupportsIndex | None = None,
    exact: bool = False,
    at: AtLike | None = None,
    optimal: bool = False,
    effort: SupportsIndex | None = None,
    keep_bits: bool = False,
    sources: NumbersLike | None = None,
    best: bool = False,
    summary: bool = False,
    quantiles: ExactLike | Iterable[ExactLike] | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
    executor: Executor | None = None,
) -> Answer:
    """The cost of a target (a fair die or weights): the algorithms side by side, the best first.

    The cost of many targets, or of one target from many sources.

    The rows are in the order of the sources, the targets and the algorithms. A row has no numbers
    if its algorithm cannot make the target. `best` gives the best algorithm of each pair instead,
    and `summary` statistics of all rows.

    The cost of targets from several dice at hand; a rule chooses one of the dice for each roll.

    A row for each rule: `plan` is the cheapest recipe that carries a single number, which
    `flipcost.plan()` returns, and `bounded` says whether a bounded number of rolls makes the
    target. For example, the coins 1:6 and 2 make a d7.

    The cost in coin flips of a draw from a law with infinitely many outcomes: the optimum, and the
    samplers used in practice.

    `geometric:p=1/3`, `poisson:1`, `dlaplace:scale=2` (in proportion to e^(-|x|/scale)),
    `dgauss:sigma=3/2` (to e^(-x^2/(2 sigma^2)); with `from=0` the half from 0 on),
    `rgauss:sigma=14/5` (a Gaussian that is rounded to integers), `bernoulli:exp(-1)` (a coin with
    an irrational probability), `zeta:s=3` (in proportion to 1/x^s). For the samplers, `model` says
    what is counted, and `loops` is the expected number of attempts, including the accepted one. `t`
    is the scale of the discrete Laplace law that `canonne-kamath-steinke` begins with: floor(sigma)
    + 1, as published, or floor(sigma).

    Arguments:
        target: The target: the sides of a fair die, or weights.
        source: The source.
        algorithms: Only these algorithms; by default, all algorithms for this kind of target.
        columns: Only these columns; a column may be an expression of others, as in "expected -
            log2(n)"
        digits: Correctly rounded decimals instead of the nearest doubles.
        exact: Exact fractions however large they are.
        at: Evaluate the cost from an unknown source at these probabilities: the probabilities of
            heads, as in p=1/3,1/10, or the weights of a die.
        optimal: Instead of algorithms, search for the best rule of any form and try to prove that
            it is the best
        effort: Stop the search for the best rule after this many steps, as in 10^8; by default
            2*10^7 for up to 20 outcomes, some seconds
        keep_bits: When weights are drawn from words, keep the unused bits of a result's last word
            for the next result, and count each bit as a fraction of a word
        sources: Several sources, each of them alone, as in 2..20 or 2,6,1:2; with `source` 6,10,
            one rule uses both dice
        best: Show the best algorithm for every source and target, with its cost and its toll over
            the entropy bound
        summary: Instead of the rows, summarize each column of numbers: mean, least and largest
            value, records and quantiles, in one row for each source, algorithm and column. Columns
            of fractions are left out, unless they are named or `exact` is set
        quantiles: The quantiles of a summary: for each q, the least value x such that at least a
            fraction q of the values are at most x; by default 1/4,1/2,3/4
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first
        executor: An executor that computes the parts of the question, through its `submit`

    >>> import flipcost
    >>> print(flipcost.cost(6).summary)
    A d6 from a coin takes 11/3 ≈ 3.667 flips on average by the fast dice roller; no method takes fewer.
    """
    return asked("cost", {
        "target": given.wanted(given.needed(target, "target"), "target"),
        "source": given.source(source, "source"),
        "algorithms": given.algorithms(algorithms, "algorithms"),
        "columns": given.texts(columns, "columns"),
        "digits": given.maybe(digits, "digits"),
        "exact": given.flag(exact, "exact"),
        "at": given.at(at, "at"),
        "optimal": given.flag(optimal, "optimal"),
        "effort": given.maybe(effort, "effort"),
        "keep_bits": given.flag(keep_bits, "keep_bits"),
        "sources": given.numbers(sources, "sources"),
        "best": given.flag(best, "best"),
        "summary": given.flag(summary, "summary"),
        "quantiles": given.plain(quantiles, "quantiles"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    }, executor)


def distribution(
    target: TargetLike,
    source: SourceLike = "coin",
    *,
    algorithm: AlgorithmLike | None = None,
    upto: SupportsIndex | None = None,
    quantiles: ExactLike | Iterable[ExactLike] | None = None,
    digits: SupportsIndex | None = None,
    exact: bool = False,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The exact distribution of the number of rolls: P(T = t) and P(T > t).

    The exact distribution of the number T of rolls of one algorithm: a row P(T = t), P(T > t) for t
    = 0, 1, 2, ...; or a row for each quantile. The document of the answer states the mean, the
    variance and the worst case in a sentence.

    The exact distribution of the number of flips for a law with infinitely many outcomes, by its
    optimal tree: P(T = t) and P(T > t).

    Arguments:
        target: The target: the sides of a fair die, or weights.
        source: The source.
        algorithm: The algorithm; by default the fast dice roller, or the interval algorithm from a
            loaded source.
        upto: The last t; by default the worst case, or the first t with P(T > t) < 1/1000
        quantiles: Return quantiles instead: the least t with P(T <= t) >= q, for each q
        digits: Decimals after the point; without it, the nearest doubles.
        exact: Exact fractions however large they are.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.distribution(6, algorithm="fast-dice-roller").summary)
    A d6 from a coin by the fast dice roller takes 3.667 flips on average, and at most 11 flips except with probability 1/1024 ≈ 0.0009766.
    """
    return asked("distribution", {
        "target": given.target(given.needed(target, "target"), "target"),
        "algorithm": given.text(algorithm, "algorithm"),
        "source": given.source(source, "source"),
        "upto": given.maybe(upto, "upto"),
        "quantiles": given.plain(quantiles, "quantiles"),
        "digits": given.maybe(digits, "digits"),
        "exact": given.flag(exact, "exact"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def law(
    formula: str,
    dice: DiceLike | None = None,
    *,
    faces_from: str = "1",
    digits: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The law of a formula of dice: each value with its exact probability, and whether it is fair.

    A row for every value of the formula, in increasing order, with the number of combinations of
    faces that give it and its probability. The notes state mean and variance, and whether all
    values are equally likely. A comparison is 1 if it holds and 0 if not; the notes state the
    probability that it holds. A target that is not a formula has a row for each outcome, by its
    name, with its weight as the count. Dice that explode have no largest value: the rows end when
    the probability of all further values is below one in a billion, and a note gives this
    probability.

    Arguments:
        formula: The formula; or weights (1:2:3), a law (binomial:n=20,p=1/3), or @FILE with weights
            in a file. Dice: 3d6, d%, dF; 4d6kh3 (kh and kl keep the highest and lowest dice, dh and
            dl drop them), 4d6ro1 (ones are rolled again once), d6! (explodes), 5d10cs>=8 (how many
            are at least 8). Operators: + - * / (rounds down) % (remainder), < <= = == != >= >, and,
            or. Functions: max(a, b), min(a, b), count(5d10 >= 8), total(3d6). A letter stands for a
            die of the list of dice, and for the same roll wherever it occurs. A name also stands
            for one roll: count(r >= 8) - count(r = 1) where r = 5d10. The word given makes a
            conditional law: r given r >= 15 where r = 3d6
        dice: The dice that the letters a, b, c, ... stand for, in order, as in 6,6,6 or 2d6,d8
        faces_from: The lowest face of the dice with letters: 1, or 0 so that a coin shows 0 or 1;
            one of `1`, `0`
        digits: Decimals after the point; without it, the nearest doubles.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.law("3d6").summary)
    The mean of 3d6 is 21/2 = 10.5; its values are 3 to 18, the likeliest are 10 and 11 with probability 1/8 = 0.125 each.
    """
    return asked("law", {
        "formula": given.text(formula, "formula"),
        "dice": given.dice(dice, "dice"),
        "faces_from": given.text(faces_from, "faces_from"),
        "digits": given.maybe(digits, "digits"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def supply(
    targets: SupportsIndex | TargetsLike | None = None,
    source: SourceLike = "coin",
    *,
    accept: ExactLike | Iterable[ExactLike] | None = None,
    count: SupportsIndex = 1,
    algorithm: AlgorithmLike | None = None,
    failure: ExactLike | Iterable[ExactLike] | None = None,
    at: SupportsIndex | Iterable[SupportsIndex] | None = None,
    block: SupportsIndex | None = None,
    offset: SupportsIndex | None = None,
    each: SupportsIndex | None = None,
    digits: SupportsIndex | None = None,
    exact: bool = False,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """How many rolls suffice for many results, except with a given probability.

    How many rolls must be at hand so that all results are drawn from them, except with a given
    probability; or how likely it is that a given number of rolls does not suffice. A row for each
    failure probability, then one for each number of rolls.

    `rolls` is the least T with P(more than T rolls are needed) <= P, or the T that was given;
    `tail_log2` is log2 of that probability. With `block`, rolls come in blocks of that size:
    `rolls` is the number of rolls in the fewest whole blocks that suffice, `bytes` is the number of
    bytes in that many words, `blocks` is the number of blocks, and `expected_blocks` is how many
    blocks are opened on average.

    How many flips suffice, except with a given probability, for draws from a law with infinitely
    many outcomes by its optimal tree.

    Arguments:
        targets: The targets, one result of each in order: 6 or 3329, a list such as 4,7:8:9, a
            range such as 197..256
        source: The source.
        accept: Instead of targets: attempts that are accepted with these probabilities; each is
            repeated until it is accepted once
        count: How many times the whole list is drawn
        algorithm: The algorithm; by default the one that `flipcost.cost()` ranks first; from words,
            two algorithms: bitmask-words, which most programs use, and then that one
        failure: Failure probabilities: 2^-128, or a list; by default 2^-64,2^-128,2^-256 without
            `at`
        at: Compute how likely it is that each of these numbers of rolls does not suffice
        block: Rolls come in blocks of this size
        offset: How many rolls of the first block are already used up. An attempt may begin in one
            block and end in the next
        each: The number of rolls that one attempt takes
        digits: Decimals after the point; without it, the nearest doubles.
        exact: Exact fractions however large they are.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.supply(3329, "word:12", count=256, algorithm="rejection", block=2).summary)
    412 words of 12 bits (618 bytes) suffice for 256 results of a d3329 from a word of 12 bits by rejection, except with probability 2^-64.7.
    """
    return asked("supply", {
        "targets": given.targets(targets, "targets", one=True),
        "accept": given.plain(accept, "accept"),
        "count": given.whole(count, "count"),
        "source": given.source(source, "source"),
        "algorithm": given.text(algorithm, "algorithm"),
        "failure": given.plain(failure, "failure"),
        "at": given.wholes(at, "at"),
        "block": given.maybe(block, "block"),
        "offset": given.maybe(offset, "offset"),
        "each": given.maybe(each, "each"),
        "digits": given.maybe(digits, "digits"),
        "exact": given.flag(exact, "exact"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def roll(
    target: TargetLike,
    source: SourceLike = "coin",
    *,
    algorithm: AlgorithmLike | None = None,
    count: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    trace: bool = False,
    input: str | None = None,
    test: bool = False,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """Really roll: a fair number from 1 to N, or an outcome of weights, out of coin flips or other
    rolls.

    Numbers from 1 to n, or outcomes of weights by their names, from real rolls: a row for every
    result with the source rolls that it took. With `trace` the row has every step too, one per
    line.

    If the rolls of an input run out before a result is decided, the answer ends with an error; with
    `trace` a last row without a result has the steps so far.

    Roll many times, and test the mean, the outcomes and the numbers of rolls against the exact law.

    One row. The verdict is that of all three tests together, and the note states it with the p-
    values. If there are too few trials to test the outcomes, there is no verdict, no interval and
    no p-value.

    Really draw from a law with infinitely many outcomes, by its optimal tree, whose digits are
    computed when they are needed.

    Arguments:
        target: The target: the sides of a fair die, or weights.
        source: The source.
        algorithm: The algorithm.
        count: The number of results
        seed: Make repeatable rolls from this seed, instead of using the operating system's
            randomness
        trace: Show every step, with the rolls that it used
        input: Your own physical rolls: HTHHT for a coin (H is face 1, T is 2), or faces such as
            6,3,4,3 (the 0 of a d10 is its 10)
        test: Instead of returning results, make many (10^6, or as many as `count` says) and test
            the mean, the outcomes and the numbers of rolls against the exact law
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.questions.roll(20, 6, input="3,1,4,1,5").summary)
    A d20 shows 13, after 2 rolls.
    """
    return asked("roll", {
        "target": given.target(given.needed(target, "target"), "target"),
        "source": given.source(source, "source"),
        "algorithm": given.text(algorithm, "algorithm"),
        "count": given.maybe(count, "count"),
        "seed": given.maybe(seed, "seed"),
        "trace": given.flag(trace, "trace"),
        "input": given.text(input, "input"),
        "test": given.flag(test, "test"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def show(
    target: TargetLike,
    source: SourceLike = "coin",
    *,
    view: str | None = None,
    algorithm: AlgorithmLike | None = None,
    depth: SupportsIndex | None = None,
    upto: SupportsIndex | None = None,
    digits: SupportsIndex | None = None,
    rolls: str | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """How an algorithm works: its decision tree, table, leaves or flow chart, the path of given
    rolls, or why nothing costs less.

    In a decision tree a node such as [v = 4, c = 1] is the state of the algorithm, here of the fast
    dice roller: c is one of v numbers from 0 that are equally likely. H = 3 is an outcome: heads
    gives 3.

    The decision tree (DDG tree) of an algorithm, cut off at a depth: a row for every node, level by
    level, the faces in order.

    `node` counts from 0 and is the index of the row; `parent` is the index of the parent's row.
    `face` (from 1) leads from the parent to the node. `kind` is `roll` (a die with this number of
    `sides` is rolled there), `outcome` (from 1) or `undecided` (a roll would follow, but the tree
    is cut off there). The note states the probability that is undecided in all. For an unknown
    source the probability is a product of the probabilities of its faces, p and 1 - p for a coin.

    The look-up table of a block: which rolls give which result, and which are discarded.

    A row for every sequence of rolls, a column for every roll (faces from 1; `any` for a roll that
    is no longer needed), and the result (from 1, or `discard`). The note says how many rows give a
    result.

    The probability of each outcome after at most T rolls.

    The leaves of the decision tree by outcome: a row for each outcome with the number of its leaves
    within the given rolls, the sum of their probabilities, and the probability of all its leaves.

    The flow chart of the fast dice roller: the rounds, and where the cycle closes.

    In the arithmetic a roll counts as its face minus 1: heads, face 1 of a coin, is 0, and tails is
    1.

    One row for every round of the fast dice roller.

    A round begins with `before` equally likely states, and after its `rolls` there are `after`:
    those below the `threshold` are accepted. The threshold is subtracted from the others, which
    begin the next round. The last round goes back to the first round that is `in_cycle`; without
    such a round, the last round accepts every state. The note states how many rolls and rounds come
    before the cycle, and how many are in the cycle.

    Why no algorithm for a fair die costs less than the optimum: the digits of 1/n in base m, in
    four lines.

    One row: the digits of 1/n in base m, where m is the number of sides of the source; the depths
    of the leaves of one face in the best decision tree, a leaf of depth t for each unit of the
    digit at place t; the rolls that these leaves add to the expected number; and the sum over all
    faces. The document of the answer says the same in four lines.

    Step through an algorithm with rolls you give.

    A row for each roll, and one before the first, with the state of the algorithm or the outcome.
    The rolls may leave the outcome undecided.

    For a fair target and the fast dice roller, `round` is the row of the flow chart, and `of_round`
    counts the rolls that were made in it.

    The first levels of the optimal tree of a law with infinitely many outcomes: a row for every
    node, level by level.

    Arguments:
        target: The target: the sides of a fair die, or weights.
        source: The source.
        view: How the algorithm is shown; one of `tree`, `table`, `leaves`, `flowchart`, `why`,
            `tree`
        algorithm: The algorithm.
        depth: Cut off the tree after this many rolls; by default about as many as fit on a page
        upto: Count the leaves within this number of rolls
        digits: Decimals after the point; without it, the nearest doubles.
        rolls: Instead of `view`, step through the algorithm with these rolls: faces such as
            6,3,4,3, or HTHHT for a coin (H is face 1, T is 2)
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.show(6, view="tree", depth=5).summary)
    The tree of a d6 from a coin by the fast dice roller has 12 leaves among the 27 nodes that are shown.
    """
    return asked("show", {
        "target": given.target(given.needed(target, "target"), "target"),
        "view": given.text(view, "view"),
        "algorithm": given.text(algorithm, "algorithm"),
        "depth": given.maybe(depth, "depth"),
        "source": given.source(source, "source"),
        "upto": given.maybe(upto, "upto"),
        "digits": given.maybe(digits, "digits"),
        "rolls": given.text(rolls, "rolls"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def decimals(
    of: ExactLike,
    *,
    digits: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """A number, such as a fraction that another command returned, in correctly rounded decimals.

    One row with a number, such as a fraction from another answer, in correctly rounded decimals.

    Arguments:
        of: The number: 11/3, 3+1/2, 2^-128, e, sqrt(2), ln(2)
        digits: Decimals after the point; by default 50, and more below 1, so that there are 50
            significant digits
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.decimals("11/3").summary)
    To 50 decimals 11/3 is 3.66666666666666666666666666666666666666666666666667.
    """
    return asked("decimals", {
        "of": given.plain(of, "of"),
        "digits": given.maybe(digits, "digits"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def toll_extremes(
    to: NaturalLike,
    *,
    from_: NaturalLike = 1,
    parts: SupportsIndex = 64,
    of: str = "toll",
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The least and the greatest toll of the optimal roller with a coin, over parts of a range up
    to 2^62.

    The range of n is cut into parts that are about equally wide in log2 n. Each part has a row with
    the least and the greatest value of the optimal roller with a coin.

    Parts of up to 10,000 n are `scanned`: `least` and `greatest` are the nearest doubles to the
    values of `least_n` and `greatest_n`. Longer parts are enclosed by branch and bound: `least` and
    `greatest`, rounded outwards, are bounds that hold for every n of the part. For the rounds of
    the cycle (A136043) every part is exact.

    Arguments:
        to: The last n
        from_: The first n
        parts: The number of parts into which the range is cut, about equally wide in log2 n
        of: The quantity that is bounded; one of `toll`, `expected`, `cycle-rounds`
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.toll_extremes(1000, parts=8).summary)
    From n = 1 to 1000 the least of toll is 0 and the greatest about 1.980 flips.
    """
    return asked("toll-extremes", {
        "from": given.plain(from_, "from_"),
        "to": given.plain(to, "to"),
        "parts": given.whole(parts, "parts"),
        "of": given.text(of, "of"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def toll_oscillations(
    *,
    upto: SupportsIndex = 3,
    digits: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The mean toll of the fast dice roller with a coin over all n, and its oscillations.

    With a coin the toll has the period 1 in log2 n. The rows are the mean of the toll over log n
    (`mean-over-log`), the limit of its mean over the n between two powers of two (`mean-over-
    sides`), and the amplitudes of the oscillations with 1, 2, ... waves between two powers of two
    (`amplitude-1`, ...): twice the absolute value of the Fourier coefficient.

    Arguments:
        upto: How many oscillations to list
        digits: Decimals after the point; without it, the nearest doubles.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.toll_oscillations().summary)
    Over all n the toll of the fast dice roller with a coin is about 1.110 flips on average, along log n.
    """
    return asked("toll-oscillations", {
        "upto": given.whole(upto, "upto"),
        "digits": given.maybe(digits, "digits"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def toll_loaded(
    sum: SupportsIndex,
    *,
    depth: SupportsIndex | None = None,
    digits: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The largest toll of the amplified loaded dice roller among all weights with a given sum.

    One row: among all weights with this sum and without a common divisor, those with the largest
    toll, in flips. The toll of all such weights is at most `at_most_exact`. With the least depth
    the algorithm is the fast loaded dice roller.

    Arguments:
        sum: The sum of the weights
        depth: The depth K of the tree; by default the least depth
        digits: Decimals after the point; without it, the nearest doubles.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.toll_loaded(24, depth=10).summary)
    Of all weights with the sum 24 the largest toll is about 1.885 flips, of 12:6:3:2:1.
    """
    return asked("toll-loaded", {
        "sum": given.whole(sum, "sum"),
        "depth": given.maybe(depth, "depth"),
        "digits": given.maybe(digits, "digits"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def plan(
    target: TargetLike,
    dice: DiceLike | None = None,
    *,
    throws: str | Iterable[str] | None = None,
    split: bool = True,
    cheapest: bool = False,
    prices: PricesLike | None = None,
    optimal: bool = False,
    effort: SupportsIndex | None = None,
    rolls: str | None = None,
    factoring: bool = False,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The cheapest recipe for a die from a set of dice, among recipes that carry a single number
    from roll to roll.

    In tables heads is face 1 of a coin and tails is face 2. In the arithmetic a roll counts as its
    face minus 1: heads is 0, and tails is 1.

    The least expected cost of a die with these dice: a row with splitting, one without, and one for
    every die alone. The document of the answer is a page with the recipe to follow by hand.

    For weights, the recipe rolls a fair die of their sum and looks up the outcome; for one die
    alone, the cost is that of Knuth & Yao's algorithm.

    With `optimal` there is one row: the best rule of any form, as far as a search finds and proves
    it.

    With `rolls` there is a row for each roll and one for the next step: the die to roll next, or
    the outcome.

    Instead of dice there may be throws of several dice at once: each throw costs 1 and is one roll
    of a die whose number of sides is the product of theirs.

    The factoring method as steps to follow: roll and reduce (A), re-roll (B), two dice as one (C).

    A row for each step, with the die that it completes and the cost of that die; the document of
    the answer is the same as text.

    Arguments:
        target: The target: the sides of a fair die, or weights.
        dice: The dice, as in 6,10 or coin,d6; `polyhedral` is 4,6,8,10,12,20
        throws: Dice thrown together, as in 6,6, at the price of one roll; they must be
            distinguishable, for example by colour. There can be several throws. cards:4/52 is four
            cards drawn from a deck of 52 without replacement
        split: False: Never split the numbers that are left over between two dice; this gives
            simpler tables, but sometimes takes more rolls
        cheapest: Return the cheapest recipe even if it has more than four steps and a simpler
            recipe has fewer
        prices: The prices of a roll of the dice, as in 6=1,10=3/2; by default 1 each
        optimal: Search among rules of every form; return the best rule found, and whether it is
            proved to be the best
        effort: Stop the search for the best rule after this many steps, as in 10^8; by default
            2*10^7, some seconds
        rolls: Instead of showing costs, follow the returned recipe with these rolls (for example
            6,3) and show which die to roll next, or the result
        factoring: Show the factoring method as steps: roll and reduce (A), re-roll (B), two dice as
            one (C)
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.plan(7, "2,6").summary)
    A d7 from a coin and a d6 takes 72/35 ≈ 2.057 rolls on average by the cheapest recipe that carries one number.
    """
    return asked("plan", {
        "target": given.target(given.needed(target, "target"), "target"),
        "dice": given.dice(dice, "dice"),
        "throws": given.texts(throws, "throws"),
        "no_split": not given.flag(split, "split"),
        "cheapest": given.flag(cheapest, "cheapest"),
        "cost": given.prices(prices, "prices"),
        "optimal": given.flag(optimal, "optimal"),
        "effort": given.maybe(effort, "effort"),
        "rolls": given.text(rolls, "rolls"),
        "factoring": given.flag(factoring, "factoring"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def batch(
    targets: TargetsLike,
    source: SourceLike = "coin",
    *,
    best_order: bool = False,
    trace: bool = False,
    input: str | None = None,
    seed: SupportsIndex | None = None,
    repeat: bool = False,
    capacity: NumbersLike | None = None,
    power: SupportsIndex | None = None,
    digits: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The cost of several targets in a row, with or without keeping the state between them.

    The cost of serving several targets in a row from one source: a row for each way to serve them.
    With `repeat` or `power`, the long-run cost per result of an endless stream of one target; with
    `trace`, the steps of an actual run and no cost.

    With several capacities, a further column names the capacity of each row.

    Arguments:
        targets: The targets, in order: the sides of fair dice, or weights such as 1:2:3, 3d6 or
            @FILE; a comma separates them, and a law with commas stands in brackets:
            '(binomial:n=20,p=1/3)'
        source: The source.
        best_order: Add the order of the targets that costs least if the state is kept
        trace: Roll the targets once, and show every step
        input: A person's own rolls for `trace`: `HTHHT` for a coin (H is 1, T is 2), or faces as in
            `6,3,4`.
        seed: The seed of repeatable rolls for `trace`.
        repeat: The long-run cost per result of an endless stream of one target
        capacity: The eager variant: expand the state to at least C values before every result (a
            list such as 1,64,4096 gives a row for each C)
        power: The cost per result if one roll of a die with N^J sides serves J results
        digits: Decimals after the point; without it, the nearest doubles.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.batch([4, 13], 6).summary)
    Together these targets take about 3.326 rolls on average with the rest kept, and about 3.656 one by one.
    """
    return asked("batch", {
        "targets": given.targets(targets, "targets"),
        "source": given.source(source, "source"),
        "best_order": given.flag(best_order, "best_order"),
        "trace": given.flag(trace, "trace"),
        "input": given.text(input, "input"),
        "seed": given.maybe(seed, "seed"),
        "repeat": given.flag(repeat, "repeat"),
        "capacity": given.numbers(capacity, "capacity"),
        "power": given.maybe(power, "power"),
        "digits": given.maybe(digits, "digits"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def stream(
    target: DiceLike,
    states: SupportsIndex = given.MISSING,
    source: SourceLike = "coin",
    *,
    class_: str = "whole",
    digits: SupportsIndex | None = None,
    trace: bool = False,
    results: SupportsIndex | None = None,
    input: str | None = None,
    seed: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The fewest rolls per result, on average, if one of S values may be stored between results.

    The least cost of such a store for an endless stream of fair dice, and a policy that reaches it,
    with its proof. The stream requests the same die again and again, or several dice in turn, such
    as 4,13.

    Between rolls and results the state is a number uniform on at most S values. Up to 512 states, a
    certificate in whole numbers proves that the policy is the best; up to 10,000 states, the cost
    is enclosed. Both limits count the states once for each die in turn. The class `staged` is a
    rule for coins that also stores a partly answered request; it works for every N and S.

    `expected` is the rolls per result in the long run; `fill_exact` is the cost of filling the
    store and then taking the result from the largest multiple of the target (for a single target);
    `loss_bits` is the entropy that is lost per result. With `trace` the store is run: a row for
    each step.

    Arguments:
        target: The sides of the die, or of the dice in the order in which they are requested: 6, or
            4,13
        states: S, the maximum number of values of the stored number
        source: The source.
        class_: The kind of state: whole (a number; no request is partly answered) or staged (a
            request may be partly answered); one of `whole`, `staged`
        digits: Decimals after the point; without it, the nearest doubles.
        trace: Roll, and show every step
        results: The number of results of `trace`; by default 3
        input: A person's own rolls for `trace`: `HTHHT` for a coin (H is 1, T is 2), or faces as in
            `6,3,4`.
        seed: The seed of repeatable rolls for `trace`.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.stream(6, 64).summary)
    A result of a stream of d6 takes 17/6 ≈ 2.833 flips on average with 64 states; no policy with this many states takes fewer.
    """
    return asked("stream", {
        "target": given.dice(target, "target"),
        "states": given.whole(given.needed(states, "states"), "states"),
        "source": given.source(source, "source"),
        "class": given.text(class_, "class_"),
        "digits": given.maybe(digits, "digits"),
        "trace": given.flag(trace, "trace"),
        "results": given.maybe(results, "results"),
        "input": given.text(input, "input"),
        "seed": given.maybe(seed, "seed"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def shuffle(
    cards: SupportsIndex,
    source: SourceLike = "coin",
    *,
    digits: SupportsIndex | None = None,
    draw: SupportsIndex | None = None,
    algorithm: AlgorithmLike | None = None,
    way: str | None = None,
    libraries: bool = False,
    library: str | None = None,
    batches: bool = False,
    broken: bool = False,
    positions: bool = False,
    card: SupportsIndex | None = None,
    deal: bool = False,
    names: str | Iterable[str] | None = None,
    seed: SupportsIndex | None = None,
    input: str | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The cost of a Fisher-Yates shuffle of K cards, and the entropy bound log K!; with `deal`, the
    cards dealt.

    Without further options, one row for each way to draw the indices of a Fisher-Yates shuffle,
    with its cost and the excess over the entropy of all orders. `libraries`, `batches`, `broken`
    and `deal` give other rows: the shuffles of libraries, shuffles that take several indices from
    one word, biased shuffles, and cards that are dealt (up to 200 by one roll for all orders, the
    row `product`).

    Arguments:
        cards: The number of cards in the deck
        source: The source.
        digits: Decimals after the point; without it, the nearest doubles.
        draw: Draw only the first J cards, in order: K!/(K-J)! outcomes
        algorithm: Draw each index by this algorithm or function of a library (see
            `flipcost.libraries()`)
        way: Compute only this way, also for decks too large for all ways; one of `batches`, `keep`,
            `keep-eager`, `product`
        libraries: Show the shuffles of libraries: the words drawn and the bias
        library: Only libraries with this word in id, language, name or version
        batches: Draw several indices from one word of the source, such as source word:64
        broken: Show biased shuffles of up to 8 cards, and their bias
        positions: With `broken`, show where each of up to 1000 cards lies after the shuffle
        card: Show only where this card lies
        deal: Deal the cards, which are the numbers 1 to K
        names: The players, as in Ann,Bob: each gets a card in turn
        seed: Repeatable rolls from this seed
        input: Your own rolls: HTHHT for a coin (H is face 1), or faces such as 6,3,4,3
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.shuffle(52).summary)
    To shuffle 52 cards takes about 277.8 flips on average by the fast dice roller, card by card; the cheapest way, product, takes about 226.7 flips (one roll that decides the order of the whole deck).
    """
    return asked("shuffle", {
        "cards": given.whole(cards, "cards"),
        "source": given.source(source, "source"),
        "digits": given.maybe(digits, "digits"),
        "draw": given.maybe(draw, "draw"),
        "algorithm": given.text(algorithm, "algorithm"),
        "way": given.text(way, "way"),
        "libraries": given.flag(libraries, "libraries"),
        "library": given.text(library, "library"),
        "batches": given.flag(batches, "batches"),
        "broken": given.flag(broken, "broken"),
        "positions": given.flag(positions, "positions"),
        "card": given.maybe(card, "card"),
        "deal": given.flag(deal, "deal"),
        "names": given.texts(names, "names"),
        "seed": given.maybe(seed, "seed"),
        "input": given.text(input, "input"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def subset(
    items: SupportsIndex,
    chosen: SupportsIndex = given.MISSING,
    source: SourceLike = "coin",
    *,
    failure: ExactLike | None = None,
    digits: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The cost of choosing K of N items without replacement, and how far the sets are from uniform.

    A row for each way to choose, the fair ways first and the cheapest of them at the top. A row has
    the expected number of indices or other numbers that are drawn, the rolls of the source that
    these take (each index by the fast dice roller), and the distance of the chosen sets from
    uniform: the total variation, and the largest probability of a set relative to a uniform one.
    Functions of libraries are included; their rolls are the bits that they draw, or their words if
    the source is such a word. With `failure`, also the number of draws that suffices except with
    that probability. A way that takes a million times the rolls of the best has no row; a note
    names it.

    Arguments:
        items: The number of items
        chosen: The number of items to choose
        source: The source.
        failure: Also show the number of draws that suffices, except with this probability, as in
            2^-128
        digits: Decimals after the point; without it, the nearest doubles.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.subset(52, 5).summary)
    To choose 5 of 52 items takes about 22.64 flips on average by one-roll.
    """
    return asked("subset", {
        "items": given.whole(items, "items"),
        "chosen": given.whole(given.needed(chosen, "chosen"), "chosen"),
        "source": given.source(source, "source"),
        "failure": given.plain(failure, "failure"),
        "digits": given.maybe(digits, "digits"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def extract(
    length: NumbersLike,
    source: SourceLike = "coin",
    *,
    method: str | Iterable[str] | None = None,
    at: AtLike | None = None,
    digits: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """How many fair bits N flips of a loaded or unknown coin yield: von Neumann's pairs, Peres's
    iteration, Elias's blocks.

    The expected number of fair bits from a block of N rolls, a row for each method; each is fair
    for every load of the source. No method yields more than Elias's from a block of an unknown
    source. Peres's method takes coins, up to 512 flips. For an unknown coin the expected bits are a
    polynomial in p, the probability of face 1; for an unknown die they are a polynomial in p1, p2,
    ..., the probabilities of all faces, if this polynomial has few terms.

    Arguments:
        length: The number of rolls in a block, or several numbers, as in 4,8
        source: The source, of any law, known or unknown.
        method: Only these methods; one of `von-neumann`, `peres`, `elias`
        at: Compute the bits for these known sources instead of the unknown one: probabilities of
            heads as in p=1/3,1/10, or weights of faces
        digits: Decimals after the point; without it, the nearest doubles.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.extract(8, "p=1/3").summary)
    8 flips of a coin loaded 1:2 give 8624/2187 ≈ 3.943 bits on average by elias.
    """
    return asked("extract", {
        "source": given.source(source, "source"),
        "length": given.numbers(length, "length"),
        "method": given.texts(method, "method"),
        "at": given.at(at, "at"),
        "digits": given.maybe(digits, "digits"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def test_die(
    counts: SupportsIndex | Iterable[SupportsIndex] | None = None,
    *,
    rolls: bool = False,
    as_counts: bool = False,
    faces: SupportsIndex | None = None,
    load: LoadLike = "1/2",
    against: TargetLike | None = None,
    digits: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """Is a die fair? How unusual its most unusual face is, what would show a load, and how to use
    even a loaded die.

    Compares the number of times that each face came with what a fair die would show. `unusual_face`
    is the face that came most unusually often or seldom, by the smaller of the two tails of its
    binomial law. `at_most` is that tail times twice the number of faces, at most 1: for any number
    of rolls, the probability that a fair die has a face this unusual is never larger. Chi-square
    considers all faces together; its p-value is asymptotic, and says little if fewer than 5 of some
    face are expected. The verdict takes the smaller of the two if both are valid. `rolls_to_see` is
    the number of rolls after which chi-square finds the load with probability 0.9, if it calls 1
    fair die of 100 unfair.

    With `against` the counts are those of the outcomes of a law, in its order, and that law
    replaces the fair die everywhere. One row; its document is a page for players, which ends with
    rules that make fair results with this die, whatever its load is.

    Arguments:
        counts: How often each face came, as in 17,12,20,15,18,18; or the rolls, as in HTHHT for a
            coin; or @FILE or @FILE:COLUMN with rolls, or with faces and counts
        rolls: The numbers are rolls, one after another
        as_counts: The numbers say how often each face came
        faces: The number of faces of the die, if the last face never came
        load: The load to find: the weights of the faces, or the fraction by which the last face
            comes more often than every other face
        against: Test against this law instead of a fair die: weights, dice such as 4d6kh3, or a law
            by its name
        digits: Decimals after the point; without it, the nearest doubles.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.test_die("17,12,20,15,18,18").summary)
    There is no sign that the die is not fair. Face 2 came 12 times; a fair die has a face this unusual with probability at most 1.
    """
    return asked("test-die", {
        "counts": given.wholes(counts, "counts"),
        "rolls": given.flag(rolls, "rolls"),
        "as_counts": given.flag(as_counts, "as_counts"),
        "faces": given.maybe(faces, "faces"),
        "load": given.load(load, "load"),
        "against": given.target(against, "against"),
        "digits": given.maybe(digits, "digits"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def bias(
    target: NaturalLike,
    *,
    words: SupportsIndex | Iterable[SupportsIndex] | None = None,
    from_: NaturalLike | None = None,
    double: SupportsIndex | None = None,
    outcomes: bool = False,
    joint: bool = False,
    samples: SupportsIndex | None = None,
    within: ExactLike | None = None,
    digits: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """How biased x % n, multiply-shift and floor(random() * n) are, exactly, and after how many
    results a test finds the bias.

    The bias of the rules that take one word and never draw again: a row for a word modulo n, and
    one for the high half of its product with n. With `double` there are also rows for floor(u n) of
    a double u, for round(u (n - 1)), whose ends are half as likely, and for ceil(u n). With
    `within`, three rows say how many bits bring a word modulo n near enough to uniform: the least
    number of bits; the least number such that this and every larger number of bits does (at most
    log2 of n / (4 P), since the total variation of W values is at most n / (4 W)); and the whole
    bytes of RFC 9380, whose rule is L = ceil((ceil(log2 n) + k) / 8).

    With `samples`, `advantage_log2` is log2 of the total variation distance of that many results
    from as many uniform ones. `bound_log2` is log2 of its bound: the distance of one result times
    the number of results.

    With `outcomes`, a row for each class of equally likely outcomes, the most likely first; the
    numbers start at 0, as the rule gives them.

    Several targets or sizes of words, as in 6,10 and 32,64, are compared: a row for each target,
    size and rule. With `joint`, the answer has the joint total variation of the results of all
    targets, where each result has its own word.

    Arguments:
        target: Sides of the target; several are compared, as in 6,10
        words: Bits of the random word, 1 to 8192; by default 32; several are compared, as in 32,64
        from_: Instead of `words`, the number of values of the word: 2^384, p256
        double: Add rules such as floor(random() * n), with a double of B random bits, 1 to 53; by
            default 53
        outcomes: List the classes of equally likely outcomes, the most likely class first
        joint: For several targets, add how far their results are from uniform when all of them are
            tested jointly
        samples: Add the distance of this many results from as many uniform ones
        within: Show how many bits bring the total variation to at most P
        digits: Decimals after the point; without it, the nearest doubles.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.bias(52).summary)
    rand() % 52 from 32 bits: outcomes differ by 1.2 in 10^8; nobody notices before 10^18 results.
    """
    return asked("bias", {
        "target": given.plain(target, "target"),
        "words": given.wholes(words, "words"),
        "from": given.plain(from_, "from_"),
        "double": given.maybe(double, "double"),
        "outcomes": given.flag(outcomes, "outcomes"),
        "joint": given.flag(joint, "joint"),
        "samples": given.maybe(samples, "samples"),
        "within": given.plain(within, "within"),
        "digits": given.maybe(digits, "digits"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def distance(
    law: TargetLike,
    other: TargetLike = given.MISSING,
    *,
    samples: SupportsIndex | None = None,
    digits: SupportsIndex | None = None,
    order: str | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """How far one law is from another, exactly, and after how many results a test tells them apart.

    Laws are written as targets are: a die, weights, a formula of dice, a law by its name, a file;
    or a function of a library with its target, `cpython-choices:1:2:3`, `r-sample-rounding:49`.
    Outcomes are compared by value, or by name if both laws have names; weights without names are
    compared by place. The second law is the intended one: `kullback_leibler_bits` and `renyi2_bits`
    are divergences of the first from it, `largest_ratio_exact` is the largest ratio of a
    probability in the first to that in the second, and `detect` is the number of results of the
    first after which a test against the second finds the difference.

    How far a table is from the law with infinitely many outcomes that it approximates.

    The table is a file of whole numbers with their weights, weights with whole numbers as names,
    dice, or one of `frodo640`, `frodo976`, `frodo1344` (which approximate `rgauss`) and `falcon`
    (`dgauss` with `from=0`). The divergences are those of the table from the law, in bits.

    Arguments:
        law: The actual law
        other: The intended law
        samples: Add the distance of this many results from as many results of the other law
        digits: Decimals after the point; without it, the nearest doubles.
        order: The order of a Renyi divergence, for an intended law with infinitely many outcomes,
            as in 200 or 3/2; by default 2
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.distance("3d6", "4d6kh3").summary)
    The laws 3d6 and 4d6kh3 are 313/1296 ≈ 0.2415 apart in total variation, compared by value; the best test of two classes takes about 61 results.
    """
    return asked("distance", {
        "law": given.target(given.needed(law, "law"), "law"),
        "other": given.target(given.needed(other, "other"), "other"),
        "samples": given.maybe(samples, "samples"),
        "digits": given.maybe(digits, "digits"),
        "order": given.text(order, "order"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def libraries(
    word: str | None = None,
    *,
    target: TargetLike = "6",
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The random functions of programming languages: the words and bits that they draw for a die,
    and their bias.

    A row for each function with exact values: the expected words and bits that it draws, the bits
    that it looks at, and how far its results are from fair. The ids work wherever an algorithm is
    named, as in `flipcost cost 6 -a cpython-randbelow`.

    The rows are in the order of the table. If n is too large for the type of a function, the cells
    of its row are empty.

    For weights, as in 1:2:3, the rows are the functions that take weights: `ratio_exact` is then
    the largest ratio of a probability to the intended one. The functions get whole numbers
    unchanged, and other weights as the nearest doubles.

    Arguments:
        word: Only functions with this word in id, language, name or version, as in python; `fair`
            or `biased` selects the functions that are fair or biased for this n
        target: The target: sides, or weights for the functions that take them
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.libraries().summary)
    Of 74 functions for a d6, 54 are exactly fair, and Generator.integers (uint8), filling an array of Python draws the fewest bits: 512/63 ≈ 8.127 bits on average.
    """
    return asked("libraries", {
        "target": given.target(target, "target"),
        "word": given.text(word, "word"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def libraries_bernoulli(
    word: str | None = None,
    *,
    target: ExactLike = "1/3",
    digits: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The probability that library functions really use for a requested probability p, and after
    how many results the difference shows.

    A row for each function. The function takes the double nearest to p and compares it with a
    random word, so its probability is a multiple of 2^-word_bits. `detect` is the number of results
    after which a test of both outcomes (size 0.01, power 0.9) finds the difference.

    Arguments:
        word: Only functions with this word in id, language, name or version, as in python
        target: The probability: a fraction, or double:0.1 for the exact value of that double
        digits: Decimals after the point; without it, the nearest doubles.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.libraries_bernoulli(target="0.1").summary)
    Of 14 functions none makes 1/10 = 0.1 exactly; jax-bernoulli has the largest error, 1/41943040 ≈ 2.384e-8.
    """
    return asked("libraries-bernoulli", {
        "word": given.text(word, "word"),
        "target": given.plain(target, "target"),
        "digits": given.maybe(digits, "digits"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def libraries_doubles(
    word: str | None = None,
    *,
    target: str = "0,1",
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The doubles in [a, b) that random() and its scaling return: exactly how many there are, and
    their ends, gaps and mean.

    A row for each function, for the doubles nearest to a and b. `values` counts the different
    results, `probability_a_exact` is the probability of a itself, and `probability_b_exact` that of
    b or more, which the interval excludes. `largest_gap_exact` is the largest distance between
    neighbouring results, and `mean_bias_exact` the mean minus (a + b) / 2.

    Arguments:
        word: Only functions with this word in id, language, name or version, as in python
        target: The interval
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.libraries_doubles(target="1,2").summary)
    Of 22 functions for doubles in [1, 2), 13 can return the upper end.
    """
    return asked("libraries-doubles", {
        "word": given.text(word, "word"),
        "target": given.text(target, "target"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def export(
    language: str,
    target: TargetLike = given.MISSING,
    source: SourceLike = "coin",
    *,
    algorithm: AlgorithmLike | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """Write an algorithm as a model for a model checker or as a picture of its chain.

    The chain of an algorithm as a model: in the PRISM language, in which the expected reward
    `rolls` until `done` is the expected cost; in DRN, Storm's explicit format; or as a picture for
    Graphviz. There are no rows: the model is the document of the answer.

    Arguments:
        language: The language; one of `prism`, `drn`, `dot`
        target: The target: the sides of a fair die, or weights.
        source: The source.
        algorithm: The algorithm.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.export("prism", 6).summary)
    A model of a d6 from a coin by the fast dice roller in prism, 28 lines.
    """
    return asked("export", {
        "language": given.text(language, "language"),
        "target": given.target(given.needed(target, "target"), "target"),
        "algorithm": given.text(algorithm, "algorithm"),
        "source": given.source(source, "source"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def rule_new(
    example: str | None = None,
    *,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The text of a rule to start from, with comments, for a file such as my.rhai.

    Arguments:
        example: Return a published rule instead of the commented one: three-flips-modulo-6,
            recycler or shuffle-swap-any
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.rule_new().summary)
    A rule to start from: write it to a file such as my.rhai.
    """
    return asked("rule-new", {
        "example": given.text(example, "example"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def rule_check(
    rule: RuleLike,
    source: SourceLike = "coin",
    *,
    targets: WantedLike = "2..20",
    digits: SupportsIndex | None = None,
    exact: bool = False,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """Whether a rule of your own is fair, what it costs and whether it ends, proved from its chain.

    The rule is a small program in a file: `flipcost.rule_new()` returns one to start from. All its
    paths are followed, so the results are exact: the law of its outcomes, its expected rolls beside
    those of the best rule, and whether it always ends. If it is not fair, `witness` names the
    shortest rolls that prove this. With an unknown source the law and the cost are functions of p.

    A row for each target. Notes give bounds on the probabilities instead of exact values for a rule
    of more than 50,000 states, and for a rule of more than 5000 states whose first 5000 decide all
    but a probability of 2^-64. With `exact` the limit is 10^6 states, and up to 10^7 states the
    notes also give bounds on the rolls.

    Arguments:
        rule: The file of the rule; or the text of the rule, with a name for the file as its first
            line
        source: The source.
        targets: The targets
        digits: Decimals after the point; without it, the nearest doubles.
        exact: Exact fractions however large they are, and an exact solution of up to 10^6 states.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.rule_check(lambda n, m: flipcost.flip(), targets=2).verdict)
    True
    """
    return asked("rule-check", {
        "rule": given.rule(rule, "rule"),
        "targets": given.wanted(targets, "targets"),
        "source": given.source(source, "source"),
        "digits": given.maybe(digits, "digits"),
        "exact": given.flag(exact, "exact"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def sequence(
    id: str,
    *,
    terms: SupportsIndex | None = None,
    from_: SupportsIndex | None = None,
    to: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The terms of a named sequence, by its A-number or by its id, such as mr-period:base=3.

    The terms of a named sequence: a row for each, with its index n and a(n). For the MR-expansion
    of a rational number, a note gives the pre-period and the period.

    Arguments:
        id: Its A-number, or its id (see `flipcost.list_sequences()`)
        terms: How many terms, counted from the first index; by default 50, fewer where terms are
            slow
        from_: The first index; by default the offset of the sequence
        to: The last index
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.questions.sequence("A136043").summary)
    50 terms of A136043, from n = 1 to 50.
    """
    return asked("sequence", {
        "id": given.text(id, "id"),
        "terms": given.maybe(terms, "terms"),
        "from": given.maybe(from_, "from_"),
        "to": given.maybe(to, "to"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def list_sequences(
    word: str | None = None,
    *,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """List every sequence: id, A-number, offset, title, definition. A sequence with a parameter
    also accepts other values than the listed ones, as in mr-period:base=7.

    All named sequences, or only those that contain a word: a row for each, with its id, A-number,
    offset, title and definition.

    Arguments:
        word: Only those whose id, A-number, title or definition holds this word
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.list_sequences().summary)
    118 sequences can be computed by name.
    """
    return asked("list-sequences", {
        "word": given.text(word, "word"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def oeis_check(
    id: str | None = None,
    *,
    all: bool = False,
    against: PathLike | None = None,
    align: bool = False,
    terms: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """Compare computed terms with published ones.

    Compares computed terms with those that the OEIS publishes: a row for each sequence. The verdict
    fails if a term differs.

    Arguments:
        id: The A-number, or the id of a sequence (see `flipcost.list_sequences()`)
        all: Every sequence that has an A-number
        against: A b-file, an entry in internal format, or a plain list; by default the terms inside
            the program
        align: Shift the published terms by a few places if no term agrees at its own index, but all
            agree after the shift
        terms: How many terms to compute; by default as many as are published, and a few more
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.oeis_check("A136043").summary)
    A136043: 95 terms compared from n = 1, all agree; 8 computed beyond the published ones.
    """
    return asked("oeis-check", {
        "id": given.text(id, "id"),
        "all": given.flag(all, "all"),
        "against": given.path(against, "against"),
        "align": given.flag(align, "align"),
        "terms": given.maybe(terms, "terms"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def oeis_identify(
    terms: TermsLike | None = None,
    *,
    sequence: str | None = None,
    stripped: PathLike | None = None,
    names: PathLike | None = None,
    limit: SupportsIndex = 20,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """Find the OEIS entries and the sequences of flipcost that contain given terms, even if the
    terms are shifted or multiplied, or are differences or sums of the entry.

    In a row, from_term is the position in the entry, counted from 1, at which the given terms
    begin. agree is how many of the given terms the entry has; leading_differ is how many of the
    first given terms differ from the entry or come before its start; beyond_its_end is how many
    come after its last known term. sequence is the id under which flipcost computes the entry.

    A row for each entry of the OEIS, and each sequence of the engine, that contains the given
    terms, the best first. The terms may have the opposite sign, be shifted or multiplied by a
    constant, or be the differences or sums of the entry. Differences and sums are searched only if
    all given terms are known. Sequences of the engine that belong to the same entry share its row.

    Arguments:
        terms: The terms, such as 1,1,1,1,2,1,1,1,3; _ or ? stands for a term that is not known
        sequence: Identify a named sequence, by its id
        stripped: The OEIS's file stripped or stripped.gz; by default only the terms inside the
            program
        names: The OEIS's file names or names.gz, for the titles
        limit: List at most this many entries
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.oeis_identify("1,1,1,1,2,1,1,1,3").summary)
    These are the terms of A136043, Period lengths of the base-2 MR-expansions of 1/n (and 2 more).
    """
    return asked("oeis-identify", {
        "terms": given.terms(terms, "terms"),
        "sequence": given.text(sequence, "sequence"),
        "stripped": given.path(stripped, "stripped"),
        "names": given.path(names, "names"),
        "limit": given.whole(limit, "limit"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def oeis_draft(
    id: str,
    *,
    author: str | None = None,
    date: str | None = None,
    terms: SupportsIndex | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """Write a submission: the entry in internal format, and its b-file.

    A submission to the OEIS: the entry in internal format as a text, and the terms of its b-file as
    rows. The notes say what the author has to fill in.

    Arguments:
        id: The A-number, or the id of a sequence (see `flipcost.list_sequences()`)
        author: The author's name as registered with the OEIS; empty leaves a place to fill in.
        date: The date as the OEIS writes it, such as `Nov 21 2026`; empty leaves a place to fill
            in.
        terms: The largest number of terms in the b-file; by default 10000, and fewer where terms
            are slow.
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.oeis_draft("cycle-rounds:source=3").summary)
    A draft of cycle-rounds:source=3 for the OEIS with a b-file of 10000 terms.
    """
    return asked("oeis-draft", {
        "id": given.text(id, "id"),
        "author": given.text(author, "author"),
        "date": given.text(date, "date"),
        "terms": given.maybe(terms, "terms"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def list_columns(
    *,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The columns of `cost` and `figure`: name, kind, unit, meaning.

    Rolls are rolls of the source: flips of a coin, words, or rolls of a die.

    Arguments:
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.list_columns().summary)
    36 columns can be named.
    """
    return asked("list-columns", {
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def list_constants(
    *,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The group orders and primes of cryptography whose names can stand for numbers, as in `cost
    p256`.

    The name of a curve is the order of its group, by which a nonce is reduced. The name followed by
    `p` is the prime of its field, by which RFC 9380 reduces.

    Arguments:
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.list_constants().summary)
    25 group orders and primes of cryptography have names that can stand for numbers.
    """
    return asked("list-constants", {
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def advise(
    target: TargetLike | None = None,
    source: SourceLike = "coin",
    dice: DiceLike | None = None,
    *,
    shuffle: SupportsIndex | None = None,
    bits: SupportsIndex | None = None,
    prefer: str = "rolls",
    tolerance: ExactLike | None = None,
    within: ExactLike | None = None,
    language: str | None = None,
    explain: bool = False,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """Which method to use: its exact cost, its drawbacks and its steps, on one page.

    The method to use for a target, a shuffle or a number of random bits. The first row is the
    recommended method; the others were compared with it. The document of the answer is a page with
    the cost, the drawbacks and the steps of the method, and the command behind every number.

    Arguments:
        target: The target: the sides of a fair die, or weights.
        source: The source.
        dice: The available dice, as in 6,10
        shuffle: Advise on a shuffle of this many cards instead of N
        bits: Advise on this many random bits, such as a seed or a key, instead of N
        prefer: What matters most: few rolls; a bound on the rolls; nothing to remember but the
            rolls of the current attempt; little work; or always the same number of rolls; one of
            `rolls`, `bounded`, `no-memory`, `simple`, `constant-time`
        tolerance: Costs within this fraction of the least count as equal; of these methods, the one
            with the least work is chosen; by default 0.1 %
        within: The largest total variation distance of a method that is not exact, with the
            preference `bounded` or `constant-time`; by default 2^-64
        language: Also return the method as a function, and the functions of the language's library;
            one of `c`, `rust`, `go`, `java`, `python`, `javascript`
        explain: Also return why each of the other methods was not chosen
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.advise(bits=256, dice=6).summary)
    For 256 random bits from a d6 take the fast dice roller: about 100.1 rolls on average.
    """
    return asked("advise", {
        "target": given.target(target, "target"),
        "shuffle": given.maybe(shuffle, "shuffle"),
        "bits": given.maybe(bits, "bits"),
        "source": given.source(source, "source"),
        "dice": given.dice(dice, "dice"),
        "prefer": given.text(prefer, "prefer"),
        "tolerance": given.plain(tolerance, "tolerance"),
        "within": given.plain(within, "within"),
        "language": given.text(language, "language"),
        "explain": given.flag(explain, "explain"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def verify(
    claim: str,
    to: SupportsIndex = given.MISSING,
    *,
    from_: SupportsIndex | None = None,
    digest: bool = False,
    top: SupportsIndex | None = None,
    by: str | None = None,
    executor: Executor | None = None,
) -> Answer:
    """Check a theorem or conjecture for every n of a range by computing it.

    Checks a theorem or conjecture for every n of a range: one row. The verdict fails if there is a
    counterexample. With `digest` the row ends with the digest of the computed values, and some of
    them are computed again by a second method: the verdict fails if the results differ.

    Arguments:
        claim: The claim; one of `layman`, `toll`, `ceil-plus-one`, `half-period`, `rounds`, `aldr-
            toll`, `aldr-toll-even`
        to: The last n, or the largest sum of weights
        from_: The first n; by default the first n of the claim
        digest: Also return the SHA-256 of the computed values and, for the claims that have a
            second method, compute some of the values again by it
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first
        executor: An executor that computes the parts of the question, through its `submit`

    >>> import flipcost
    >>> print(flipcost.verify("toll", 10**6).summary)
    The claim holds for every n from 1 to 1000000, without a counterexample.
    """
    return asked("verify", {
        "claim": given.text(claim, "claim"),
        "from": given.maybe(from_, "from_"),
        "to": given.whole(given.needed(to, "to"), "to"),
        "digest": given.flag(digest, "digest"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    }, executor)


def verify_that(
    that: str,
    to: SupportsIndex | None = None,
    source: SourceLike = "coin",
    *,
    from_: SupportsIndex = 1,
    algorithms: AlgorithmsLike | None = None,
    top: SupportsIndex | None = None,
    by: str | None = None,
    executor: Executor | None = None,
) -> Answer:
    """Check a theorem or conjecture for every n of a range by computing it.

    Decides a statement about columns for every target of a range and each of the given algorithms,
    up to the first counterexample: one row. Targets that an algorithm refuses are left out. The
    verdict fails if there is a counterexample.

    Arguments:
        that: Your own statement: expressions of columns (see `flipcost.list_columns()`) and < <= =
            >= > between them, as in "expected < log2(n) + 2"; a column of another question is
            written "cost(6, source: 10, algorithm: interval).expected < 2"
        to: The last n, or the largest sum of weights; by default 1000 for a statement of n
        source: The source.
        from_: The first n
        algorithms: These algorithms; by default the fast dice roller, which no algorithm beats; all
            algorithms from a loaded source
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first
        executor: An executor that computes the parts of the question, through its `submit`

    >>> import flipcost
    >>> print(flipcost.verify_that("expected < log2(n) + 2", 1000, algorithms="fast-dice-roller").summary)
    The claim holds for every n from 1 to 1000, without a counterexample.
    """
    return asked("verify-that", {
        "that": given.text(that, "that"),
        "from": given.whole(from_, "from_"),
        "to": given.maybe(to, "to"),
        "source": given.source(source, "source"),
        "algorithms": given.algorithms(algorithms, "algorithms"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    }, executor)


def list_claims(
    *,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """The theorems and conjectures that can be checked, each after its id.

    Arguments:
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.list_claims().summary)
    7 theorems and conjectures can be checked.
    """
    return asked("list-claims", {
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def list_algorithms(
    algorithm: AlgorithmLike | None = None,
    *,
    as_rule: bool = False,
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """List the algorithms: id, name, citation, and whether the number of rolls is bounded; or
    describe one algorithm in full.

    A row for each algorithm, with id, name, citation, and whether the number of rolls is bounded;
    or one row for a single algorithm, also with its rule and its law, and a page about it.

    Arguments:
        algorithm: Only this algorithm, with its rule, law, exact costs and source
        as_rule: Return the algorithm as a rule, to save in a file
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.list_algorithms().summary)
    27 algorithms, whose ids commands accept, then 10 samplers for laws with infinitely many outcomes.
    """
    return asked("list-algorithms", {
        "algorithm": given.text(algorithm, "algorithm"),
        "as_rule": given.flag(as_rule, "as_rule"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })


def cite(
    what: str | None = None,
    *,
    format: str = "text",
    top: SupportsIndex | None = None,
    by: str | None = None,
) -> Answer:
    """How to cite flipcost, the source of an algorithm, or an entry of the OEIS.

    The answer is a document without rows.

    Arguments:
        what: The id of an algorithm, an A-number, or the label of a work such as kozen2014; by
            default flipcost
        format: The form of the citation; one of `text`, `bibtex`
        top: Only the first rows, at most this many
        by: Sort the rows by this column, largest first; a minus before its name sorts them smallest
            first

    >>> import flipcost
    >>> print(flipcost.questions.cite().summary)
    To cite flipcost, copy 1 line.
    """
    return asked("cite", {
        "what": given.text(what, "what"),
        "format": given.text(format, "format"),
        "top": given.maybe(top, "top"),
        "by": given.text(by, "by"),
    })
