(** What each theorem rests on: every answer must be "Closed under the global context",
    no axiom at all. [.ci/proofs.sh] counts them. *)

From Flipcost Require Import Words Fairness Survival Trees Optimality Series Halving Bound
  Period Rounds HalfPeriod Table Loaded.

Print Assumptions Words.in_words.
Print Assumptions Words.words_distinct.
Print Assumptions Words.length_words.
Print Assumptions Roller.states_after.
Print Assumptions Fairness.fair_after.
Print Assumptions Fairness.fair.
Print Assumptions Fairness.outcome_is_a_face.
Print Assumptions Survival.undecided_after.
Print Assumptions Survival.undecided_state.
Print Assumptions Survival.undecided_state_reached.
Print Assumptions Trees.roller_is_fair.
Print Assumptions Trees.mean_is_sum_of_survival.
Print Assumptions Optimality.decided_at_most.
Print Assumptions Optimality.optimal.
Print Assumptions Optimality.optimal_mean.
Print Assumptions Optimality.optimal_cost.
Print Assumptions Series.expected_cost_is_series.
Print Assumptions Series.E_unique.
Print Assumptions Series.rest_is_small.
Print Assumptions Halving.E_of_multiple.
Print Assumptions Halving.E_of_double.
Print Assumptions Bound.E_below_ceil_plus_one.
Print Assumptions Period.E_closed.
Print Assumptions Period.E_closed_coprime.
Print Assumptions Period.orbit_exists.
Print Assumptions Period.period_is_order.
Print Assumptions Period.period_of_coprime.
Print Assumptions Rounds.round_is_accept_test.
Print Assumptions Rounds.round_is_digit.
Print Assumptions Rounds.rounds_are_digits.
Print Assumptions Rounds.rounds_are_ones.
Print Assumptions Rounds.rounds_in_cycle.
Print Assumptions Rounds.rounds_in_cycle_of_even.
Print Assumptions Rounds.digit_sum_in_cycle.
Print Assumptions Rounds.rounds_from_residues.
Print Assumptions Rounds.opposite_residues.
Print Assumptions Rounds.digit_sum_half_period.
Print Assumptions Rounds.rounds_half_period.
Print Assumptions Rounds.rounds_of_multiple.
Print Assumptions HalfPeriod.half_of_order.
Print Assumptions HalfPeriod.rounds_are_half_the_period.
Print Assumptions HalfPeriod.E_half_period.
Print Assumptions Table.E_correct.
Print Assumptions Table.E_only.
Print Assumptions Table.E_is_expected_cost.
Print Assumptions Table.E_is_least.
Print Assumptions Loaded.flips_until.
Print Assumptions Loaded.fair_bit_costs_at_least_two.
