"""Texts of numbers are read as in every other front end; the table is that of the program's own test."""

from fractions import Fraction
from pathlib import Path

import flipcost
import pytest

TABLE = Path(__file__).parents[2] / "crates" / "cli" / "tests" / "numbers.tsv"
ROWS = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize(("text", "value", "decimals"), ROWS, ids=[row[0] for row in ROWS])
def test_a_text_is_its_value(text: str, value: str, decimals: str) -> None:
    exact = Fraction(value)
    assert f"{flipcost.ask('decimals', of=text)['decimals'][0]:f}" == decimals
    if exact >= 0:
        # as a weight beside a weight of 1
        weights = flipcost.Target(f"{text}:1").to_dict()
        assert Fraction(weights[1], sum(weights.values())) == exact / (exact + 1)
    else:
        with pytest.raises(flipcost.FlipcostError):
            flipcost.Target(f"{text}:1")
    if exact.denominator == 1 and exact > 0:
        assert flipcost.Target(text).sides == exact
    if 0 < exact < 1:
        law = flipcost.algorithms["rejection"].law(6, "coin")
        assert law.quantile(text) == law.quantile(exact)


def test_a_comma_separates_targets() -> None:
    three = flipcost.batch("4,7,8", source=6)["expected_exact"]
    assert three == flipcost.batch([4, 7, 8], source=6)["expected_exact"]
    assert three == flipcost.batch(["4,7", 8], source=6)["expected_exact"]
    law = flipcost.Target("binomial:n=2,p=1/3")
    one = flipcost.batch([4, law], source=6)
    assert one["expected_exact"] == flipcost.batch("4,(binomial:n=2,p=1/3)", source=6)["expected_exact"]
    assert one.command == "flipcost batch 4 '(binomial:n=2,p=1/3)' --source 6"
