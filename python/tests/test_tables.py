"""Tables and their columns behave like data frames, with exact values."""

import json
import pathlib
import pickle
import subprocess
import sys
from fractions import Fraction

import flipcost
import pytest

SWEEP = flipcost.sweep(range(5, 25), columns=["n", "algorithm", "expected_exact", "toll", "worst_case", "possible"])


def test_columns_print_compute_and_slice() -> None:
    n = SWEEP["n"]
    assert repr(n) == "<20 values: 5, 6, 7, 8, ...>" and n[:3] == [5, 6, 7] and n[-1] == 24
    assert n * 2 == [2 * k for k in range(5, 25)] == 2 * n and (n - n)[:2] == [0, 0] and (-n)[0] == -5
    assert (n * 2)[1:3] * 10 == [120, 140] and (1 / n)[0] == 0.2 and (n**2)[0] == 25
    exact = SWEEP["expected_exact"] * n
    assert exact[:2] == [Fraction(18), Fraction(22)]
    answer = flipcost.cost(6, algorithms=["fast-dice-roller", "rejection"])
    assert answer["expected_exact"] * 3 == [Fraction(11), Fraction(12)] and answer["period"] * 3 == [6, None]
    assert isinstance(answer["expected_exact"], list)
    twice = n[:2]
    twice *= 2
    twice += 1
    assert twice == [11, 13]
    with pytest.raises(flipcost.FlipcostError, match="has 2 values, and the column 20"):
        n + [1, 2]
    with pytest.raises(TypeError):
        n + "1"


def test_columns_and_arrays() -> None:
    np = pytest.importorskip("numpy")
    n = SWEEP["n"]
    assert np.asarray(n).dtype == "int64" and np.shares_memory(np.asarray(n), np.asarray(n))
    assert (n * np.arange(20))[1] == 6 == (np.arange(20) * n)[1] and np.log2(n)[3] == 3
    assert np.asarray(n, dtype=float).dtype == float and np.float64(2) * SWEEP["toll"][:1] == [2 * SWEEP["toll"][0]]


def test_parts_of_tables() -> None:
    part = SWEEP[["n", "toll"]]
    assert SWEEP.shape == (20, 6) and part.shape == (20, 2) and part.head(3).shape == (3, 2)
    assert part.head(3)["n"] == [5, 6, 7] and SWEEP.head()[4] == SWEEP[4]
    assert SWEEP.head(2)["expected_exact"] == [Fraction(18, 5), Fraction(11, 3)]
    assert str(part.head(1)).splitlines()[0].split() == ["n", "toll"]
    assert pickle.loads(pickle.dumps(part)) == part and part.query == SWEEP.query
    answer = flipcost.cost(6)
    assert answer[["algorithm"]].head(1)["algorithm"] == answer["algorithm"][:1]
    assert repr(part) == f"<Table of `{SWEEP.command[:57]}...`: 20 rows of n, toll>"


def test_a_missing_column_is_a_key_error() -> None:
    for table in (SWEEP, flipcost.cost(6), SWEEP[["n", "toll"]]):
        for key in ("tol", ["n", "tol"]):
            with pytest.raises(KeyError, match="'tol' is not a column here: did you mean 'toll'?"):
                table[key]
        with pytest.raises(KeyError, match="'price' is not a column here: choose one of n, "):
            table["price"]


def test_questions_of_sweeps() -> None:
    assert SWEEP.query["target"] == "5..24" and flipcost.ask(SWEEP.query)["n"] == SWEEP["n"]
    assert SWEEP.command.startswith("flipcost cost 5..24 --algorithm fast-dice-roller")


def test_json_of_tables() -> None:
    found, asked = json.loads(SWEEP.json()), json.loads(flipcost.ask(SWEEP.query).json())
    assert found == {name: asked[name] for name in found} and set(found) >= {"query", "command", "columns", "rows"}
    assert json.loads(SWEEP[["n"]].head(2).json())["rows"] == [[5], [6]]
    wide = flipcost.sweep([10**20], columns=["n", "expected"])
    assert json.loads(wide.json())["rows"] == json.loads(flipcost.ask(wide.query).json())["rows"]


def test_arrow() -> None:
    pa = pytest.importorskip("pyarrow")
    pl = pytest.importorskip("polars")
    table = SWEEP.to_arrow()
    assert [str(kind) for kind in table.schema.types] == ["int64", "string", "string", "double", "double", "bool"]
    assert table["toll"].to_pylist() == SWEEP["toll"].tolist()
    assert table["expected_exact"].to_pylist()[1] == "11/3"
    assert pa.table(SWEEP) == table
    assert pl.DataFrame(SWEEP).equals(SWEEP.to_polars())
    answer = flipcost.cost(6)
    assert pl.DataFrame(answer).equals(answer.to_polars()) and pl.DataFrame(SWEEP[["n"]]).shape == (20, 1)
    duckdb = pytest.importorskip("duckdb")
    assert duckdb.sql("select max(n) from SWEEP").fetchall() == [(24,)]


def test_long_fractions_are_shown() -> None:
    pytest.importorskip("pandas")
    sweep = flipcost.sweep("1000003..1000003", columns=["n", "expected_exact"], exact=True)
    frame, value = sweep.to_pandas(), sweep["expected_exact"][0]
    text = "≈ 20.255924792103865 (a fraction of about 150516 digits)"
    assert isinstance(value, Fraction) and str(value) == text and repr(value) == f"<{text}>"
    assert "20.2559" in repr(frame) and "20.2559" in frame._repr_html_() and len(repr(frame)) < 300
    assert pickle.loads(pickle.dumps(value)) == value == flipcost.algorithms["fast-dice-roller"].law(1_000_003, "coin").mean
    assert value + 1 - value == 1 and hash(value) == hash(pickle.loads(pickle.dumps(value)))
    # a question about such a number uses all its digits
    assert str(flipcost.decimals(value, digits=3)["decimals"][0]) == "20.256"


def test_columns_are_selected_as_in_the_program() -> None:
    assert flipcost.cost(6, columns="n,toll") == flipcost.cost(6, columns=["n", "toll"])
    assert flipcost.sweep("2..5", columns="n,toll") == flipcost.sweep("2..5", columns=["n", "toll"])
    named = flipcost.sweep("2..5", columns=["n", "mine = expected/log2(n)"])
    assert [column.name for column in named.columns] == ["n", "mine"] and named["mine"][0] == 1
    assert flipcost.cost(6, columns="n, mine = expected - 3").columns[1].name == "mine"
    assert flipcost.supply(60) == flipcost.supply([60]) == flipcost.supply("60") == flipcost.supply(flipcost.Target(60))


def test_an_invalid_file_name_is_reported() -> None:
    for given in ({}, dict):
        with pytest.raises(flipcost.QuestionError, match="against is .*: the name of a file, as a text or a path") as caught:
            flipcost.oeis_check("A136043", against=given)
        assert caught.value.field == "against"


def test_a_missing_argument_is_reported() -> None:
    with pytest.raises(flipcost.QuestionError, match="language is {}"):
        flipcost.export({}, 6)
    with pytest.raises(TypeError, match="target is missing: this is what the question is about"):
        flipcost.export("drn")


def test_every_question_takes_the_first_rows_by_one() -> None:
    rows = flipcost.cost("2..9", algorithms=["fast-dice-roller"], columns="n,expected", top=2, by="-expected")
    assert list(rows["n"]) == [2, 4]
    assert len(flipcost.libraries(top=3, by="bits_drawn")) == 3
    with pytest.raises(flipcost.FlipcostError, match="by.* names .foo., which is not a column of this answer"):
        flipcost.cost(6, by="foo")


def test_csv(tmp_path: pathlib.Path) -> None:
    answer = flipcost.cost(6, algorithms="fast-dice-roller,interval", columns="n,algorithm,expected_exact,worst_case")
    said = "n,algorithm,expected_exact,worst_case\n6,fast-dice-roller,11/3,inf\n6,interval,4,inf\n"
    assert answer.to_csv() == said
    assert answer.to_csv(tmp_path / "x.csv") is None and (tmp_path / "x.csv").read_text() == said
    assert SWEEP.to_csv().splitlines()[:2] == ["n,algorithm,expected_exact,toll,worst_case,possible", "5,fast-dice-roller,18/5,1.2780719051126377,inf,false"]


def test_csv_has_nothing_for_a_missing_number() -> None:
    said = flipcost.sweep("1..3", columns=["n", "log2(n-1)"]).to_csv().splitlines()
    assert said[1:] == ["1,", "2,0.0", "3,1.0"]


def test_columns_are_compared_value_by_value() -> None:
    answer = flipcost.cost(6, algorithms="fast-dice-roller,interval")
    assert (answer["expected"] > 3.9) == [False, True] and (3.9 >= answer["expected_exact"]) == [True, False]
    assert (SWEEP["n"] < 7)[:3] == [True, True, False] and (SWEEP["n"] <= SWEEP["n"])[:2] == [True, True]
    assert (answer["period"] > 1) == [True, None]


def test_notebooks_show_sources_and_algorithms() -> None:
    assert "6 faces" in flipcost.Source(6)._repr_html_()
    assert "Han &amp; Hoshi 1997" in flipcost.algorithms["interval"]._repr_html_()


PROGRAM = """
import flipcost
law = flipcost.algorithms["interval"].law(6, "coin")
sum([law] * 3)
sum([law * 2, law + law])
flipcost.cost(6, algorithms=["interval"], columns="n,toll")
flipcost.cost(6, algorithms=("interval", law.algorithm))
flipcost.cost(6, algorithms="interval")
flipcost.cost(6, algorithms=lambda n, m: flipcost.flip())
flipcost.sweep("2..5", algorithms={"interval": 1}.keys())
flipcost.supply(60)
law.pmf([1, 2])[0] + law.pmf(3)
flipcost.Target(6) + flipcost.Target(4) + 1
sweep = flipcost.sweep("2..5")
sweep[["n", "toll"]].head(2).shape
"""
REFUSED = 'import flipcost\nflipcost.cost(6, algorithms=5)\nflipcost.sweep("2..5", algorithms=[5])\n'


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types(checker: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip(checker)

    def errors(program: str) -> list[str]:
        file = tmp_path / "program.py"
        file.write_text(program)
        more = ["--strict"] if checker == "mypy" else ["--pythonpath", sys.executable]
        ran = subprocess.run([sys.executable, "-m", checker, *more, str(file)], capture_output=True, text=True, cwd=tmp_path)
        return [line for line in ran.stdout.splitlines() if "error:" in line or " - error" in line]

    assert errors(PROGRAM) == []
    assert len(errors(REFUSED)) == 2
