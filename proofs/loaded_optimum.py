#!/usr/bin/env python3
"""Checks lower bounds of optimal rules from loaded sources, independently of the program.

    python3 proofs/loaded_optimum.py FILE...

A file is what `flipcost cost TARGET --source SOURCE --optimal -f csv` writes: no rule costs less than its
lower_exact, and one costs no more than its expected. All that is taken from it are these numbers: the checker rolls every open node at once, depth by depth, with exact integers, and lists every state
that could still end below it. A state below the bound that is like an earlier one up to scale need not be
followed if going round for ever is not below the bound. The bound is proved when no state is left. The program
searches in another order (the heaviest node first), with another bound, in fixed point.

The bound must pass, and what is 10^-5 above the upper end must be refuted by a rule that is found: the state
where it ends below, or a cycle.
"""

import csv
import sys
from fractions import Fraction
from math import gcd

MOST = 400_000


def outcomes(text):
    """Weights, or the sides of a fair die."""
    weights = [int(x) for x in text.split(":")]
    return weights if len(weights) > 1 else [1] * weights[0]


class Refuted(Exception):
    """A rule costs less."""


class Stuck(Exception):
    """Too many states."""


class Checker:
    def __init__(self, source, target, bound):
        self.faces = sorted(source, reverse=True)
        self.total = sum(self.faces)
        self.top = Fraction(self.faces[0], self.total)
        self.target = target
        self.bound = bound
        self.known = {}
        self.states = 0

    def rolled(self, node, least):
        """What rolling the descendants of a node that fit nowhere costs, itself not counted."""
        cost, open_ = Fraction(0), [Fraction(node)]
        for _ in range(300):
            if not open_:
                break
            node = open_.pop()
            for face in self.faces:
                child = node * face / self.total
                if child > least:
                    cost += child
                    open_.append(child)
        return cost

    def ahead(self, nodes, deficits, depth, most):
        """At least what the open nodes cost: the five heaviest children are packed, the rest is free."""
        top = max(deficits, default=0)
        simple = sum(node + self.rolled(node, top) for node in nodes)
        if depth == 0 or not nodes or simple >= most:
            return simple
        paid = sum(nodes)
        children = sorted((n * f / self.total for n in nodes for f in self.faces), reverse=True)[:5]
        best = most - paid

        def pack(i, bins, left, cost):
            nonlocal best
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
        """Returns if no rule is below the bound."""
        weight = sum(self.target)
        # a state: open nodes, deficits, as integers; and what one unit is
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
        self.states += 1
        if self.states > MOST:
            raise Stuck
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
        """What can be left after a roll of every open node, if less than the room stays open."""
        children = sorted((n * f for n in nodes for f in self.faces), reverse=True)
        found = set()
        seen = set()

        def take(i, bins, left, mass):
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


def holds(source, target, bound):
    """Is there no rule below the bound?"""
    try:
        Checker(source, target, bound).check()
        return True
    except Refuted:
        return False


def main(paths):
    lines = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                line = f"{row['target']} from {row['source']}"
                source, target = outcomes(row["source"]), outcomes(row["target"])
                lower, upper = Fraction(row["lower_exact"]), Fraction(row["expected"])
                try:
                    if lower > upper + Fraction(1, 10**12) or not holds(source, target, lower):
                        sys.exit(f"{path}: a rule costs less: {line}")
                    if holds(source, target, upper + Fraction(1, 100_000)):
                        sys.exit(f"{path}: the checker refutes nothing: {line}")
                except Stuck:
                    sys.exit(f"{path}: stuck after {MOST} states: {line}")
                lines += 1
    print(f"{lines} lower bounds hold, and what is 1e-5 above each upper end is refuted")


if __name__ == "__main__":
    main(sys.argv[1:])
