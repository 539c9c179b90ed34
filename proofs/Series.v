(** The expected cost of the fast dice roller is the sum of a series. *)

From Coq Require Import Arith List QArith Lqa Lia.
From Flipcost Require Import Words Limits Trees.
Local Open Scope Q_scope.

(** P(T > t) for the fast dice roller, [(m^t mod n) / m^t]. *)
Definition survival (m n t : nat) : Q := q (m ^ t mod n) / q (m ^ t).

(** [e] is the sum of [(m^t mod n) / m^t] over all [t >= 0]. *)
Definition is_E (m n : nat) (e : Q) : Prop := sums_to (survival m n) e.

(** E[T] is that sum. *)
Theorem expected_cost_is_series : forall m n e, (2 <= m)%nat -> (1 <= n)%nat ->
  expected_cost m (roller m n) e <-> is_E m n e.
Proof.
  intros m n e Hm Hn. unfold expected_cost, is_E, sums_to.
  assert (E : forall k, mean_used m (roller m n) k == partial (survival m n) k).
  { intros k. rewrite mean_is_sum_of_survival by lia. apply partial_ext. intros t _.
    unfold survival. now rewrite roller_undecided. }
  split; apply tends_to_ext; [exact E | intros k; symmetry; apply E].
Qed.

(** There is one such number at most ([Period] has it in closed form). *)
Theorem E_unique : forall m n e e', is_E m n e -> is_E m n e' -> e == e'.
Proof. intros m n e e'. apply tends_to_unique. Qed.

Lemma survival_nonneg : forall m n t, (1 <= m)%nat -> 0 <= survival m n t.
Proof.
  intros m n t Hm. apply Qle_shift_div_l; [now apply q_pow_pos |].
  rewrite Qmult_0_l. apply q_nonneg.
Qed.

Lemma rest_of_series : forall m n k j, (2 <= m)%nat -> (1 <= n)%nat ->
  partial (survival m n) (k + j)
  <= partial (survival m n) k + 2 * q n / q (m ^ k) - 2 * q n / q (m ^ (k + j)).
Proof.
  intros m n k j Hm Hn. induction j as [|j IH].
  - rewrite Nat.add_0_r. lra.
  - rewrite Nat.add_succ_r. cbn [partial].
    assert (Hterm : survival m n (k + j)
      <= 2 * q n / q (m ^ (k + j)) - 2 * q n / q (m ^ S (k + j))); [| lra].
    unfold survival. rewrite q_pow_S.
    pose proof (q_pow_pos m (k + j) ltac:(lia)) as Hp. set (p := q (m ^ (k + j))) in *.
    assert (Hx : q (m ^ (k + j) mod n) <= q n).
    { apply q_le, Nat.lt_le_incl, Nat.mod_upper_bound. lia. }
    set (x := q (m ^ (k + j) mod n)) in *.
    assert (H2 : 2 <= q m) by (apply (q_le 2 m); easy).
    pose proof (q_pos n Hn) as Hqn.
    assert (E : 2 * q n / p - 2 * q n / (q m * p) == (2 * q n - 2 * q n / q m) / p)
      by (field; lra).
    rewrite E. unfold Qdiv at 1 3. apply Qmult_le_compat_r;
      [| now apply Qlt_le_weak, Qinv_lt_0_compat].
    assert (2 * q n / q m <= q n).
    { apply Qle_shift_div_r; [lra |]. rewrite (Qmult_comm (q n)).
      apply Qmult_le_compat_r; lra. }
    unfold Qdiv in *. lra.
Qed.

(** What the first [k] terms leave is between 0 and [2 n / m^k]. *)
Theorem rest_is_small : forall m n e k, (2 <= m)%nat -> (1 <= n)%nat -> is_E m n e ->
  0 <= e - partial (survival m n) k <= 2 * q n / q (m ^ k).
Proof.
  intros m n e k Hm Hn He. split.
  - assert (partial (survival m n) k <= e); [| lra].
    apply (limit_above _ _ _ k He). intros j Hj. apply partial_monotone; [| easy].
    intros t. apply survival_nonneg. lia.
  - assert (e <= partial (survival m n) k + 2 * q n / q (m ^ k)); [| lra].
    apply (limit_below _ _ _ k He). intros j Hj.
    replace j with (k + (j - k))%nat by lia.
    pose proof (rest_of_series m n k (j - k) Hm Hn).
    assert (0 <= 2 * q n / q (m ^ (k + (j - k)))); [| lra].
    pose proof (q_pow_pos m (k + (j - k)) ltac:(lia)).
    apply Qle_shift_div_l; [easy |]. pose proof (q_pos n Hn). lra.
Qed.
