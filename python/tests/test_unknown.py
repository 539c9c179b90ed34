"""Loaded and unknown sources, functions of an unknown probability, and formulas with SymPy and without."""


import flipcost


def test_rolls_to_follow_may_be_none_yet() -> None:
    assert flipcost.follow(6) == flipcost.ask("follow", target=6)


def test_a_draft_has_a_place_for_its_author() -> None:
    draft = flipcost.oeis_draft("A136043")
    assert draft == flipcost.ask("oeis-draft", id="A136043") and "_Your Name_" in (draft.document or "")
