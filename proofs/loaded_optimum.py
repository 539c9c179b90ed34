#!/usr/bin/env python3
"""Checks optimal rules from loaded sources, independently of the program, in exact fractions.

    python3 proofs/loaded_optimum.py [--steps N] FILE...

`--steps 0` checks only the rules.

A file is the output of `flipcost cost TARGET --source SOURCE --optimal -f csv`, or data/loaded-table/saved.csv.

**A rule** is a list of rolls, `2 >2; >3 1; >2 2`. Each roll lists the successor of each face of
the source: an outcome, another roll, or `?`. A linear system gives how often each roll is made on
average, and from that follow the cost and the probability of every outcome. The rest at `?` is
laid on a line and cut between the k outcomes that lack something: a cut lies in one node of each
depth, so this costs at most (k - 1) g / (1 - q), where g is the heaviest of these nodes and q the
probability of the likeliest face. The cost must be the expected_exact of the row, must round to
its expected, and with `enclosed` must be at most 10^-9 above lower_exact.

**No rule costs less** than lower_exact. The checker uses only this number of the row. It rolls
every open node at once, depth by depth, and lists the states that could still end below
lower_exact. A state that equals an earlier one up to scale is left out in two cases: it costs no
less and is no smaller, since its end also serves the earlier one; or going round for ever is not
below the bound. The bound is proved when no state is left. The program shares these two arguments
("Rules that close" in docs/loaded-optimum.md), but it searches in another order (the heaviest
node first), with another bound, in fixed point. Bounds that take more than N steps are not
decided.
"""

import csv
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from math import gcd

STEPS = 20_000_000


def outcomes(text):
    """Weights, or the sides of a fair die."""
    weights = [int(x) for x in text.split(":")]
    return weights if len(weights) > 1 else [1] * weights[0]


class Wrong(Exception):
    """The rule contradicts its row."""


class Refuted(Exception):
    """There is a rule that costs less."""


class Stuck(Exception):
    """Too many steps."""


def visits(rolls, faces):
    """How often each roll is made, on average: the flow into it, and 1 more for the first. The last roll is eliminated first."""
    rows = {f">{i + 1}": {} for i in range(len(rolls))}
    for i, below in enumerate(rolls):
        for p, after in zip(faces, below, strict=True):
            if after in rows:
                rows[after][i] = rows[after].get(i, 0) + p
    rows = list(rows.values())
    start = [Fraction(int(i == 0)) for i in range(len(rolls))]
    for i in reversed(range(len(rolls))):
        stays = rows[i].pop(i, Fraction(0))
        if stays == 1:
            raise Wrong("the rule goes round for ever")
        rows[i] = {j: x / (1 - stays) for j, x in rows[i].items()}
        start[i] /= 1 - stays
        for k in range(i):
            x = rows[k].pop(i, 0)
            if x:
                start[k] += x * start[i]
                for j, y in rows[i].items():
                    rows[k][j] = rows[k].get(j, 0) + x * y
    for i, row in enumerate(rows):
        start[i] += sum(x * start[j] for j, x in row.items())
    return start


def rule_cost(source, target, text):
    """The cost of the rule (an upper bound if it leaves something open), and whether it closes. Raises Wrong if its law differs."""
    faces = [Fraction(face, sum(source)) for face in source]
    rolls = [roll.split() for roll in text.split(";")]
    often = visits(rolls, faces)
    lacking = {str(i): Fraction(weight, sum(target)) for i, weight in enumerate(target, 1)}
    rest = []
    for many, below in zip(often, rolls):
        for p, after in zip(faces, below):
            if after == "?":
                rest.append(many * p)
            elif after in lacking:
                lacking[after] -= many * p
    if min(lacking.values()) < 0 or sum(lacking.values()) != sum(rest):
        raise Wrong("the rule has another law")
    cuts = sum(x > 0 for x in lacking.values()) - 1
    return sum(often) + (cuts * max(rest) / (1 - max(faces)) if rest else 0), not rest


class Checker:
    def __init__(self, source, target, bound, steps):
        self.faces = sorted(source, reverse=True)
        self.total = sum(self.faces)
        self.top = Fraction(self.faces[0], self.total)
        self.target = target
        self.bound = bound
        self.known = {}
        self.left = steps

    def spend(self):
        self.left -= 1
        if self.left < 0:
            raise Stuck

    def rolled(self, node, least):
        """The cost of rolling the descendants of a node that fit nowhere, without the node itself."""
        cost, open_ = Fraction(0), [Fraction(node)]
        for _ in range(300):
            if not open_:
                break
            self.spend()
            node = open_.pop()
            for face in self.faces:
                child = node * face / self.total
                if child > least:
                    cost += child
                    open_.append(child)
        return cost

    def ahead(self, nodes, deficits, depth, most):
        """A lower bound of the cost of the open nodes: the five heaviest children are packed, the rest is free."""
        top = max(deficits, default=0)
        simple = sum(node + self.rolled(node, top) for node in nodes)
        if depth == 0 or not nodes or simple >= most:
            return simple
        paid = sum(nodes)
        children = sorted((n * f / self.total for n in nodes for f in self.faces), reverse=True)[:5]
        best = most - paid

        def pack(i, bins, left, cost):
            nonlocal best
            self.spend()
            if cost >= best:
                return
            if i == len(children):
                best = min(best, self.ahead(left, bins, depth - 1, best))
                return
            child = children[i]
            for j, room in enumerate(bins):
                if room >= child and room not in bins[:j]:
                    pack(i + 1, bins[:j] + [room - child] + bins[j + 1:], left, cost)
            pack(i + 1, bins, left + [child], cost + child)

        pack(0, list(deficits), [], Fraction(0))
        return max(simple, paid + best)

    def check(self):
        """Returns normally if no rule is below the bound."""
        weight = sum(self.target)
        # a state: open nodes and deficits, as integers, and the value of one unit
        start = ((weight,), tuple(sorted(self.target, reverse=True)))
        layer = {(start, Fraction(1, weight)): Fraction(0)}
        while layer:
            below = {}
            for ((nodes, deficits), unit), cost in layer.items():
                paid = cost + sum(nodes) * unit
                room = (self.bound - paid) / unit * self.total
                if room <= 0:
                    continue
                for after in self.steps(nodes, deficits, room):
                    self.enter(after, unit / self.total, paid, below)
            layer = below

    def enter(self, state, unit, cost, below):
        nodes, deficits = state
        if not nodes:
            raise Refuted
        scale = gcd(*nodes, *deficits)
        state = (tuple(x // scale for x in nodes), tuple(x // scale for x in deficits))
        unit *= scale
        room = (self.bound - cost) / unit
        if sum(state[0]) >= room or self.ahead(list(state[0]), list(state[1]), 2, room) >= room:
            return
        # laid on a line, the rest costs at most this
        line = (len(state[1]) - 1) * state[0][0] / (1 - self.top)
        if cost + line * unit < self.bound:
            raise Refuted
        others = self.known.setdefault(state, [])
        for before, wide in others:
            if cost >= before and unit >= wide:
                return
            if cost > before and unit < wide:
                round_ = before + wide * (cost - before) / (wide - unit)
                if round_ >= self.bound:
                    return
        others.append((cost, unit))
        below[state, unit] = cost

    def steps(self, nodes, deficits, room):
        """The possible states after a roll of every open node, as long as less than the room stays open."""
        children = sorted((n * f for n in nodes for f in self.faces), reverse=True)
        found = set()
        seen = set()

        def take(i, bins, left, mass):
            self.spend()
            key = (i, bins, left)
            if key in seen:
                return
            seen.add(key)
            if i == len(children):
                found.add((left, tuple(b for b in bins if b)))
                return
            child = children[i]
            for j, space in enumerate(bins):
                if space >= child and (j == 0 or bins[j - 1] != space):
                    rest = tuple(sorted(bins[:j] + (space - child,) + bins[j + 1:], reverse=True))
                    take(i + 1, rest, left, mass)
            if mass + child < room:
                take(i + 1, bins, left + (child,), mass + child)

        take(0, tuple(d * self.total for d in deficits), (), 0)
        return sorted(found)


def check_rule(row, source, target):
    """Checks that the rule has its law, and the cost that the row states."""
    cost, closes = rule_cost(source, target, row["rule"])
    exact, lower = row["expected_exact"], Fraction(row["lower_exact"])
    if closes != bool(exact) or closes and cost != Fraction(exact) or float(cost) != float(row["expected"]):
        raise Wrong(f"the rule costs {cost}")
    most = {"yes": 0, "enclosed": Fraction(1, 10**9), "no": cost}[row["proved"]]
    if not 0 <= cost - lower <= most:
        raise Wrong(f"lower_exact is not near enough to {cost} for proved = {row['proved']}")


def main(arguments):
    steps, paths = STEPS, arguments
    if arguments[:1] == ["--steps"]:
        steps, paths = int(arguments[1]), arguments[2:]
    rules, decided, open_ = 0, defaultdict(Counter), []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                line = f"{row['target']} from {row['source']}"
                source, target = outcomes(row["source"]), outcomes(row["target"])
                try:
                    check_rule(row, source, target)
                    rules += 1
                    if steps:
                        Checker(source, target, Fraction(row["lower_exact"]), steps).check()
                        decided[row["proved"]][True] += 1
                except (Wrong, ValueError) as wrong:
                    sys.exit(f"{path}: {line}: {wrong}")
                except Refuted:
                    sys.exit(f"{path}: {line}: a rule costs less")
                except Stuck:
                    decided[row["proved"]][False] += 1
                    if row["proved"] == "yes":
                        open_.append(line)
    print(f"rules with their law and their cost: {rules}")
    for proved, lines in sorted(decided.items()):
        print(f"lower bounds that hold where proved is {proved}: {lines[True]} of {lines.total()}")
    if open_:
        print(f"stands on the search alone after {steps} steps: {', '.join(open_)}")


if __name__ == "__main__":
    main(sys.argv[1:])
