(** If [-1] is a power of the source modulo [n], half the period says everything. *)

From Coq Require Import Arith List QArith Qabs Lqa Lia.
From Flipcost Require Import Limits Series Rounds.
Local Open Scope nat_scope.

(** [p] is the multiplicative order of [m] modulo [n]. *)
Definition is_order (m n p : nat) : Prop :=
  1 <= p /\ m ^ p mod n = 1 /\ forall j, 1 <= j < p -> m ^ j mod n <> 1.

(** If any power of [m] is [-1] modulo [n > 2], the order [p] is even and [m ^ (p / 2) = -1]. *)
Theorem half_of_order : forall m n p k, 3 <= n -> is_order m n p ->
  (m ^ k + 1) mod n = 0 -> exists h, p = 2 * h /\ 1 <= h /\ (m ^ h + 1) mod n = 0.
Proof.
  intros m n p k Hn (Hp & H1 & Hleast) Hk. set (h := k mod p).
  assert (Hh : (m ^ h + 1) mod n = 0).
  { rewrite Nat.add_mod in Hk by lia. rewrite Nat.add_mod by lia.
    rewrite (Nat.div_mod_eq k p), Nat.pow_add_r, Nat.pow_mul_r in Hk.
    fold h in Hk. rewrite Nat.mul_mod in Hk by lia.
    rewrite (power_of_one (m ^ p) n (k / p)), Nat.mul_1_l, Nat.mod_mod in Hk by (easy || lia).
    exact Hk. }
  assert (Hhp : h < p) by (apply Nat.mod_upper_bound; lia).
  assert (Hh1 : 1 <= h).
  { destruct (Nat.eq_dec h 0) as [E|]; [| lia]. rewrite E in Hh.
    change (m ^ 0 + 1) with 2 in Hh. rewrite Nat.mod_small in Hh; lia. }
  pose proof (square_of_minus_one m n h ltac:(lia) Hh) as H2.
  exists h. split; [| now split].
  destruct (lt_eq_lt_dec (2 * h) p) as [[H|H]|H]; [| easy |].
  - exfalso. apply (Hleast (2 * h)); [lia | exact H2].
  - exfalso. apply (Hleast (2 * h - p)); [lia |].
    replace (2 * h) with (p + (2 * h - p)) in H2 by lia.
    rewrite Nat.pow_add_r, Nat.mul_mod, H1, Nat.mul_1_l, Nat.mod_mod in H2 by lia.
    exact H2.
Qed.

(** For a coin a cycle of [p] flips then has [p / 2] rounds. *)
Theorem rounds_are_half_the_period : forall n p k, 3 <= n -> is_order 2 n p ->
  (2 ^ k + 1) mod n = 0 -> 2 * rounds 2 n 0 p = p.
Proof.
  intros n p k Hn Hp Hk. destruct (half_of_order 2 n p k Hn Hp Hk) as (h & -> & Hh1 & Hh).
  rewrite rounds_half_period by (easy || lia). reflexivity.
Qed.

Local Open Scope Q_scope.

Lemma small_is_zero : forall m c d, (2 <= m)%nat ->
  (forall k, Qabs d <= c / q (m ^ k)) -> d == 0.
Proof.
  intros m c d Hm H. apply (tends_to_unique (fun _ => d)).
  - intros eps Heps. exists 0%nat. intros k _.
    setoid_replace (d - d) with 0 by ring. exact Heps.
  - apply (tends_to_geometric m _ _ c 0 Hm). intros k _.
    setoid_replace (d - 0) with d by ring. apply H.
Qed.

(** E = (S + n m / (m - 1)) / (m^h + 1), S the sum of [x_t m^(h-t)] over [t < h]; for a coin
    (S + 2n) / (2^h + 1). *)
Theorem E_half_period : forall m n h e, (2 <= m)%nat -> (2 <= n)%nat -> (1 <= h)%nat ->
  ((m ^ h + 1) mod n = 0)%nat -> is_E m n e ->
  e == (q (m ^ h) * partial (survival m n) h + q n * q m / (q m - 1)) / (q (m ^ h) + 1).
Proof.
  intros m n h e Hm Hn Hh1 Hh He.
  set (b := q (m ^ h)). set (s := partial (survival m n) h). set (g := q n * q m / (q m - 1)).
  assert (Hb : 1 <= b).
  { apply (q_le 1). pose proof (Nat.pow_nonzero m h). lia. }
  assert (H2 : 2 <= q m) by (apply (q_le 2); easy).
  pose proof (q_pos n ltac:(lia)) as Hqn.
  assert (Hg : 0 <= g <= 2 * q n).
  { unfold g. split.
    - apply Qle_shift_div_l; [lra |]. rewrite Qmult_0_l. apply Qmult_le_0_compat; lra.
    - apply Qle_shift_div_r; [lra |].
      assert (0 <= q n * (q m - 2)); [apply Qmult_le_0_compat; lra | lra]. }
  (* the second half of a period mirrors the first *)
  assert (Hmirror : forall k, partial (fun t => survival m n (h + t)) k
    == (g - g / q (m ^ k) - partial (survival m n) k) / b).
  { induction k as [|k IH].
    - cbn [partial]. change (q (m ^ 0)) with 1. field. lra.
    - cbn [partial]. rewrite IH. unfold survival at 2 4.
      pose proof (opposite_residues m n h k Hn Hh1 Hh) as E. unfold residue in E.
      apply q_eq in E. rewrite q_add, (Nat.add_comm k h) in E.
      assert (E' : q (m ^ (h + k) mod n) == q n - q (m ^ k mod n)) by (rewrite <- E; ring).
      rewrite E', Nat.pow_add_r, q_mul, q_pow_S. fold b. unfold g.
      pose proof (q_pow_pos m k ltac:(lia)). field. repeat split; lra. }
  assert (Hzero : e + e / b - (s + g / b) == 0).
  { apply (small_is_zero m (6 * q n) _ Hm). intros k.
    pose proof (q_pow_pos m k ltac:(lia)) as Hp.
    pose proof (rest_is_small m n e (h + k) Hm ltac:(lia) He) as [Hl1 Hu1].
    pose proof (rest_is_small m n e k Hm ltac:(lia) He) as [Hl2 Hu2].
    rewrite partial_split, Hmirror in Hl1, Hu1. fold s in Hl1, Hu1.
    rewrite Nat.pow_add_r, q_mul in Hu1. fold b in Hu1.
    set (p := q (m ^ k)) in *. set (u := partial (survival m n) k) in *.
    assert (Hdiv : forall x, 0 <= x -> 0 <= x / b <= x).
    { intros x Hx. split.
      - apply Qle_shift_div_l; lra.
      - apply Qle_shift_div_r; [lra |]. assert (0 <= x * (b - 1)); [| lra].
        apply Qmult_le_0_compat; lra. }
    set (r := 2 * q n / p) in *.
    assert (Hr : 0 <= r) by (apply Qle_shift_div_l; lra).
    assert (Hgp : 0 <= g / p <= r).
    { split; [apply Qle_shift_div_l; lra |]. unfold r, Qdiv.
      apply Qmult_le_compat_r; [lra | apply Qlt_le_weak, Qinv_lt_0_compat, Hp]. }
    assert (E : e + e / b - (s + g / b)
      == (e - (s + (g - g / p - u) / b)) + (e - u) / b - g / p / b) by (field; lra).
    assert (E1 : 2 * q n / (b * p) == r / b) by (unfold r; field; lra).
    assert (E6 : 6 * q n / p == 3 * r) by (unfold r; field; lra).
    rewrite E, E6. rewrite E1 in Hu1.
    destruct (Hdiv r Hr) as [Ha1 Ha2].
    destruct (Hdiv (e - u) Hl2) as [Hb1 Hb2].
    destruct (Hdiv (g / p) (proj1 Hgp)) as [Hc1 Hc2].
    apply Qabs_Qle_condition. lra. }
  assert (E : e == (e + e / b) * b / (b + 1)) by (field; lra).
  assert (E' : e + e / b == s + g / b).
  { setoid_replace (e + e / b) with (e + e / b - (s + g / b) + (s + g / b)) by ring.
    rewrite Hzero. ring. }
  rewrite E, E'. field. lra.
Qed.
