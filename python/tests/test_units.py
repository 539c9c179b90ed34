"""The merged results of units equal the result of one process, wherever and however often the units run."""

import os
import pickle
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import flipcost

# A question of every kind that is divided into units, and one that is not.
QUESTIONS = [
    {"ask": "cost", "target": "1..60"},
    {"ask": "cost", "target": "7..7", "columns": ["algorithm", "expected"]},
    {"ask": "cost", "target": "2..30", "sources": "2,6,1:2", "columns": ["n", "expected_exact"]},
    {"ask": "cost", "target": "1..3000", "algorithms": ["fast-dice-roller"], "columns": ["n", "expected_exact"]},
    {"ask": "cost", "target": "1..40", "columns": ["n", "log2(n-9)"], "algorithms": ["interval"]},
    {"ask": "cost", "target": "1..50", "sources": "2,6", "summary": True},
    {"ask": "cost", "target": ["1:2", "3:4:5", "6", "1:1:1"]},
    {"ask": "cost", "target": "2..12", "sources": "2,6", "best": True},
    {"ask": "verify", "claim": "toll", "to": 5000},
    {"ask": "verify", "claim": "layman", "to": 4000, "digest": True},
    {"ask": "verify", "claim": "ceil-plus-one", "to": 3000, "digest": True},
    {"ask": "verify", "claim": "ceil-plus-one", "to": 70},
    {"ask": "verify", "claim": "aldr-toll", "to": 60},
    {"ask": "verify-that", "that": "expected < log2(n) + 2", "to": 500},
    {"ask": "verify-that", "that": "toll < 1.9", "to": 3000, "algorithms": ["fast-dice-roller"]},
    {"ask": "verify-that", "that": "1 + 1 = 2"},
    {"ask": "cost", "target": "6"},
    {"ask": "plan", "target": "7", "dice": "2,6", "optimal": True},
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_all_units_give_the_answer_in_any_order_and_grouping(question):
    whole = flipcost.ask(question)
    units = flipcost.units(question)
    assert len(units) >= (1 if question["ask"] in ("cost", "plan") or "1 + 1" in str(question) else 4)
    chance = random.Random(str(question))
    for seconds in [600, 1e-3, 1e-4]:
        units = flipcost.units(question, seconds)
        predicted = sum(unit.seconds for unit in units)
        assert len(units) == 1 or len(units) >= min(predicted / seconds, units[0].places[1] - 1)
        parts = [pickle.loads(pickle.dumps(unit)).run() for unit in units]
        while len(parts) > 1:
            chance.shuffle(parts)
            few = chance.randint(2, 1 + len(parts) // 2) if len(parts) > 3 else len(parts)
            joined = flipcost.merge(parts[:few])
            parts = [pickle.loads(pickle.dumps(joined)), *parts[few:]]
        answer = parts[0] if isinstance(parts[0], flipcost.Answer) else flipcost.merge(parts)
        assert answer == whole
        assert answer.json() == whole.json()


def test_units_are_of_about_equal_work_and_cover_all_places():
    units = flipcost.units("cost", seconds=60, target="1..100000000", algorithms=["fast-dice-roller"], columns=["n", "cycle_rounds"])
    assert len(units) >= sum(unit.seconds for unit in units) / 60
    assert [unit.places[0] for unit in units[1:]] == [unit.places[1] for unit in units[:-1]]
    assert units[0].places[0] == 0 and units[-1].places[1] == 10**8
    assert max(unit.seconds for unit in units) < 1.01 * min(unit.seconds for unit in units)
    again = flipcost.units("cost", seconds=60, target="1..100000000", algorithms=["fast-dice-roller"], columns=["n", "cycle_rounds"])
    assert units == again and len(set(units) | set(again)) == len(units)


def test_a_unit_is_split():
    whole = flipcost.ask("cost", target="2..500")
    unit, *rest = flipcost.units("cost", target="2..500")
    pieces = unit.split(7)
    assert len(pieces) == 7 and pieces[0].places[0] == unit.places[0] and pieces[-1].places[1] == unit.places[1]
    assert {piece.digest for piece in pieces} == {unit.digest}
    results = [piece.run() for piece in [*rest, *pieces]]
    assert flipcost.merge(results) == whole
    # merges also the result of the whole unit, whose rows are compared with those of its parts
    assert flipcost.merge([unit.run(), *results]) == whole
    assert flipcost.merge([*results, unit.run()]) == whole
    single = flipcost.units("cost", target="6..6", algorithms=["interval"])
    assert len(single) == 1 and single[0].split(5) == single


def test_results_of_one_unit_are_compared_and_those_of_two_questions_refused():
    question = {"ask": "cost", "target": "2..40", "algorithms": ["interval"], "columns": ["n", "expected"]}
    units = flipcost.units(question)
    parts = [unit.run() for unit in units]
    assert parts[0] == units[0].run() and parts[0].sha256 == units[0].run().sha256
    assert flipcost.merge([*parts, *parts]) == flipcost.ask(question)
    load, (state,) = parts[0].__reduce_ex__(4)
    assert load(state) == parts[0]
    three, four = (n.to_bytes(8, "little") for n in (3, 4))
    forged = load(state.replace(three, four, 1))
    with pytest.raises(flipcost.QuestionError, match="two results differ about the places 0 to"):
        flipcost.merge([parts[0], forged])
    other = flipcost.units({**question, "target": "2..41"})[0].run()
    assert other.digest != parts[0].digest
    with pytest.raises(flipcost.QuestionError, match="different questions"):
        flipcost.merge([parts[0], other])
    with pytest.raises(flipcost.QuestionError, match="damaged, or of another version"):
        load(state.replace(parts[0].digest.encode(), b"0" * 64))
    for cut in [b"", state[:100], state[:-1], state + b"x"]:
        with pytest.raises(flipcost.QuestionError, match="damaged, or of another version"):
            load(cut)
    with pytest.raises(flipcost.QuestionError, match="overlap"):
        flipcost.merge([units[0].run(), flipcost.units(question)[1].run(), *[u.run() for u in _shifted(question)]])


@pytest.mark.parametrize("columns", [["n", "expected", "toll"], ["n", "algorithm", "worst_case"]])
def test_results_take_at_most_12_bytes_a_number(columns):
    question = {"ask": "cost", "target": "1..100000", "algorithms": ["fast-dice-roller"], "columns": columns}
    results = [unit.run() for unit in flipcost.units(question)]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert [pickle.loads(pickle.dumps(result, protocol)) for result in results] == results
        if protocol > 2:  # those below have text in place of bytes
            assert sum(len(pickle.dumps(result, protocol)) for result in results) <= 12 * 3 * 10**5
    # with out-of-band buffers the contents are not copied
    beside = []
    few = pickle.dumps(results, pickle.HIGHEST_PROTOCOL, buffer_callback=beside.append)
    assert len(few) < 1000 and len(beside) == len(results)
    assert pickle.loads(few, buffers=beside) == results
    swept = flipcost.sweep("1..100000", columns=columns)
    assert pickle.loads(pickle.dumps(swept)) == swept
    assert len(pickle.dumps(swept)) <= 12 * 3 * 10**5


def _shifted(question):
    """Makes units whose places overlap with those of other units."""
    first, second, *_ = flipcost.units(question)
    load, (state,) = first.__reduce__()
    start, end = first.places
    return [load(state.replace(f'"end":{end}', f'"end":{second.places[0] + 1}'))]


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: flipcost.units("cost", target="9..2"), "reversed"),
        (lambda: flipcost.units("cost", 0, target="1..2"), "seconds is 0: a number above 0"),
        (lambda: flipcost.units("cost", "x", target="1..2"), "seconds is 'x': a number above 0"),
        (lambda: flipcost.units("cost", float("nan"), target="1..2"), "seconds is NaN"),
        (lambda: flipcost.units(7), "7 is not a question"),
        (lambda: flipcost.units("cost", 1e-9, target="1..1000000000"), "makes 9000000000 units, but at most 100000 are possible: seconds must be at least"),
        (lambda: flipcost.merge([]), "nothing to merge"),
        (lambda: flipcost.merge([flipcost.ask("cost", target="6")]), "is not a result of a unit"),
        (lambda: flipcost.ask("cost", target="6", executor=4), "executor is 4: something with `submit`"),
    ],
)
def test_errors_of_units_and_merge_are_one_sentence(call, said):
    with pytest.raises(flipcost.FlipcostError, match=said):
        call()


def test_an_incomplete_part_is_not_an_answer():
    parts = [unit.run() for unit in flipcost.units("cost", target="2..50")]
    some = flipcost.merge(parts[1:])
    assert isinstance(some, flipcost.Part) and not some.is_whole
    assert some.places == [part.places[0] for part in parts[1:]]
    assert "of `flipcost cost 2..50`" in repr(some)


def test_any_executor_gives_what_one_process_gives():
    fork = get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=fork) as processes, ThreadPoolExecutor(2) as threads:
        for executor in [processes, threads]:
            assert flipcost.ask("cost", target="1..200", executor=executor) == flipcost.ask("cost", target="1..200")
            columns = ["n", "algorithm", "expected", "toll", "expected_exact"]
            for targets in ["1..400", [6, "1:2:3", 52]]:
                assert flipcost.sweep(targets, columns=columns, executor=executor) == flipcost.sweep(targets, columns=columns)
            assert flipcost.verify("toll", to=3000, executor=executor).verdict is True
            assert flipcost.verify_that("toll < 1.9", to=3000, executor=executor) == flipcost.verify_that("toll < 1.9", to=3000)
            assert flipcost.cost(6) == flipcost.ask("cost", target="6", executor=executor)


def test_dask_survives_the_loss_of_a_process():
    distributed = pytest.importorskip("distributed")
    question = {"ask": "cost", "target": "1..1200"}
    # a process that dies is started again while others wait for its results, and its units run again
    with distributed.LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            victims = client.run(os.getpid)
            assert os.getpid() not in victims.values()
            units = flipcost.units(question, 1e-2)
            futures = [client.submit(_slowly, unit, pure=False) for unit in units]
            assert len(futures) > 4
            futures[0].result()
            os.kill(next(iter(victims.values())), signal.SIGKILL)
            results = [future.result() for future in futures]
            assert [result.sha256 for result in results] == [unit.run().sha256 for unit in units]
            answer = flipcost.merge(results)
            assert answer.json() == flipcost.ask(question).json()
            assert flipcost.ask(question, executor=client, seconds=0.05) == flipcost.ask(question)


def test_dask_bags_joblib_and_ray_run_units():
    question = {"ask": "cost", "target": "1..200"}
    whole, units = flipcost.ask(question), flipcost.units(question, 0.01)
    sums = [unit.run().sha256 for unit in units]

    def is_same(results):
        assert [result.sha256 for result in results] == sums
        return flipcost.merge(results) == whole

    bag, joblib = pytest.importorskip("dask.bag"), pytest.importorskip("joblib")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        units_of_bag = bag.from_sequence(units).map(flipcost.Unit.run)
        assert is_same(units_of_bag.compute(pool=pool, scheduler="processes"))
    assert is_same(joblib.Parallel(2)(joblib.delayed(flipcost.Unit.run)(unit) for unit in units))
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        run = ray.remote(lambda unit: unit.run())
        assert is_same(ray.get([run.remote(unit) for unit in units]))
    finally:
        ray.shutdown()


OF_MPI = """
import flipcost
from mpi4py.futures import MPIPoolExecutor

if __name__ == "__main__":
    question = {"ask": "cost", "target": "1..200"}
    with MPIPoolExecutor() as executor:
        print(flipcost.ask(question, executor=executor, seconds=0.01) == flipcost.ask(question))
"""


def test_processes_of_mpi(tmp_path):
    pytest.importorskip("mpi4py")
    pytest.importorskip("mpi4py.futures", exc_type=ImportError)
    script = tmp_path / "script.py"
    script.write_text(OF_MPI)
    start = [os.path.join(os.path.dirname(sys.executable), "mpiexec"), "-n", "3"]
    run = subprocess.run([*start, sys.executable, "-m", "mpi4py.futures", script], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "True\n"), run.stderr


def _slowly(unit):
    time.sleep(0.1)
    return unit.run()
