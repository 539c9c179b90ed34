(** Rounds in the cycle of the flow chart, and the repetend of [1 / n].

    Before roll [t + 1] an undecided state is [x = m ^ t mod n]
    ([Survival.undecided_state]); the roll ends a round, with an accept test, if
    [m x >= n]. *)

From Coq Require Import Arith List NArith Lia.
From Flipcost Require Import Words Roller Survival.
Import ListNotations.

Definition residue (m n t : nat) : nat := m ^ t mod n.

(** Roll [t + 1] ends a round. *)
Definition ends_round (m n t : nat) : bool := n <=? m * residue m n t.

(** Rounds that end with one of the rolls [s + 1], ..., [s + p]. *)
Definition rounds (m n s p : nat) : nat := count (ends_round m n) (seq s p).

(** The roll [t + 1] of an undecided sequence has an accept test if and only if it ends a round. *)
Theorem round_is_accept_test : forall m n t w v c, 1 <= n ->
  In w (words m t) -> run m n w = Roll v c -> ends_round m n t = negb (m * v <? n).
Proof.
  intros m n t w v c Hn Hw Hr. destruct (undecided_state m n t w v c Hn Hw Hr) as [-> _].
  unfold ends_round, residue.
  destruct (Nat.leb_spec n (m * (m ^ t mod n))), (Nat.ltb_spec (m * (m ^ t mod n)) n); cbn; lia.
Qed.

(** The digit [t + 1] after the point of [1 / n] in base [m]. *)
Definition digit (m n t : nat) : nat := m * residue m n t / n.

Definition digit_sum (m n s p : nat) : nat := sum (map (digit m n) (seq s p)).

Definition residue_sum (m n s p : nat) : nat := sum (map (residue m n) (seq s p)).

(** The ones among the binary digits of a number. *)
Fixpoint ones_of_positive (a : positive) : nat :=
  match a with
  | xH => 1
  | xO a => ones_of_positive a
  | xI a => S (ones_of_positive a)
  end.

Definition ones (a : nat) : nat :=
  match N.of_nat a with N0 => 0 | Npos a => ones_of_positive a end.

Lemma residue_S : forall m n t, 1 <= n -> residue m n (S t) = (m * residue m n t) mod n.
Proof.
  intros. unfold residue. cbn [Nat.pow]. symmetry. apply Nat.mul_mod_idemp_r. lia.
Qed.

Lemma residue_digit : forall m n t, 1 <= n ->
  m * residue m n t = n * digit m n t + residue m n (S t).
Proof. intros. rewrite residue_S by easy. apply Nat.div_mod_eq. Qed.

(** A round ends with the roll [t + 1] if and only if that digit of [1 / n] is not 0. *)
Theorem round_is_digit : forall m n t, 1 <= n ->
  ends_round m n t = negb (digit m n t =? 0).
Proof.
  intros m n t Hn. unfold ends_round, digit. set (a := m * residue m n t).
  destruct (Nat.leb_spec n a) as [H|H].
  - assert (1 <= a / n) by (apply Nat.div_le_lower_bound; lia).
    destruct (Nat.eqb_spec (a / n) 0); [lia | easy].
  - now rewrite Nat.div_small.
Qed.

Lemma coin_digit : forall n t, 1 <= n ->
  digit 2 n t = if ends_round 2 n t then 1 else 0.
Proof.
  intros n t Hn. rewrite round_is_digit by easy.
  assert (H : digit 2 n t < 2).
  { apply Nat.div_lt_upper_bound; [lia |].
    assert (residue 2 n t < n) by (apply Nat.mod_upper_bound; lia). lia. }
  destruct (Nat.eqb_spec (digit 2 n t) 0); cbn; lia.
Qed.

(** For a coin the rounds are the sum of the digits. *)
Theorem rounds_are_digits : forall n s p, 1 <= n -> rounds 2 n s p = digit_sum 2 n s p.
Proof.
  intros n s p Hn. unfold rounds, digit_sum. generalize (seq s p) as l.
  induction l as [|t l IH]; [easy |]. cbn [map sum fold_right].
  rewrite coin_digit by easy. unfold count in *. cbn [filter].
  destruct (ends_round 2 n t); cbn [length]; rewrite IH; reflexivity.
Qed.

(** ** The repetend *)

Lemma ones_double : forall a, ones (2 * a) = ones a.
Proof.
  intros. unfold ones. rewrite Nat2N.inj_mul. change (N.of_nat 2) with 2%N.
  now destruct (N.of_nat a).
Qed.

Lemma ones_double_and_one : forall a, ones (2 * a + 1) = ones a + 1.
Proof.
  intros. unfold ones. rewrite Nat2N.inj_add, Nat2N.inj_mul.
  change (N.of_nat 2) with 2%N. change (N.of_nat 1) with 1%N.
  destruct (N.of_nat a); cbn; lia.
Qed.

Lemma next_quotient : forall n t, 1 <= n ->
  2 ^ S t / n = 2 * (2 ^ t / n) + digit 2 n t.
Proof.
  intros n t Hn. symmetry. apply Nat.div_unique with (r := residue 2 n (S t)).
  - apply Nat.mod_upper_bound. lia.
  - pose proof (residue_digit 2 n t Hn). unfold residue in *.
    pose proof (Nat.div_mod_eq (2 ^ t) n). cbn [Nat.pow] in *.
    rewrite Nat.mul_add_distr_l. lia.
Qed.

(** Rounds in the first [p] flips are the ones in [2 ^ p / n], rounded down. *)
Theorem rounds_are_ones : forall n p, 2 <= n -> rounds 2 n 0 p = ones (2 ^ p / n).
Proof.
  intros n p Hn. induction p as [|p IH].
  - now rewrite Nat.div_small.
  - unfold rounds in *. rewrite seq_S, count_app, IH, next_quotient by lia.
    rewrite coin_digit by lia. unfold count. cbn [plus filter].
    destruct (ends_round 2 n p); cbn [length].
    + now rewrite ones_double_and_one.
    + now rewrite !Nat.add_0_r, ones_double.
Qed.

(** The rounds in the cycle of an odd [n > 1] are the ones in the repetend
    [(2 ^ p - 1) / n] of [1 / n], [p] a period: [2 ^ p = 1] modulo [n]. *)
Theorem rounds_in_cycle : forall n p, 2 <= n -> 2 ^ p mod n = 1 ->
  n * ((2 ^ p - 1) / n) = 2 ^ p - 1 /\ rounds 2 n 0 p = ones ((2 ^ p - 1) / n).
Proof.
  intros n p Hn Hp. pose proof (Nat.div_mod_eq (2 ^ p) n) as E. rewrite Hp in E.
  assert (E' : (2 ^ p - 1) / n = 2 ^ p / n).
  { replace (2 ^ p - 1) with (2 ^ p / n * n) by lia. apply Nat.div_mul. lia. }
  rewrite E'. split; [lia | now apply rounds_are_ones].
Qed.

(** ** The sum of the residues *)

Lemma telescope : forall m n s p, 1 <= n ->
  m * residue_sum m n s p + residue m n s
  = n * digit_sum m n s p + residue_sum m n s p + residue m n (s + p).
Proof.
  intros m n s p Hn. revert s. induction p as [|p IH]; intros s.
  - unfold residue_sum, digit_sum. cbn. rewrite (Nat.add_0_r s), !Nat.mul_0_r. reflexivity.
  - specialize (IH (S s)). pose proof (residue_digit m n s Hn).
    unfold residue_sum, digit_sum in *. cbn [seq map].
    cbn [sum fold_right] in *. fold (sum (map (residue m n) (seq (S s) p))) in *.
    fold (sum (map (digit m n) (seq (S s) p))) in *.
    replace (s + S p) with (S s + p) by lia. nia.
Qed.

(** Over one period [n] times the sum of the digits is [m - 1] times that of the residues. *)
Theorem digit_sum_in_cycle : forall m n s p, 1 <= m -> 1 <= n ->
  residue m n (s + p) = residue m n s ->
  n * digit_sum m n s p = (m - 1) * residue_sum m n s p.
Proof. intros m n s p Hm Hn E. pose proof (telescope m n s p Hn). nia. Qed.

(** The rounds in the cycle are the sum of its residues divided by [n]. *)
Theorem rounds_from_residues : forall n s p, 1 <= n ->
  residue 2 n (s + p) = residue 2 n s -> n * rounds 2 n s p = residue_sum 2 n s p.
Proof.
  intros n s p Hn E. rewrite rounds_are_digits by easy.
  rewrite (digit_sum_in_cycle 2 n s p) by (easy || lia). lia.
Qed.

(** ** Half the period *)

Lemma power_of_one : forall a n k, 2 <= n -> a mod n = 1 -> a ^ k mod n = 1.
Proof.
  intros a n k Hn Ha. induction k as [|k IH]; cbn [Nat.pow].
  - now apply Nat.mod_small.
  - rewrite Nat.mul_mod, Ha, IH by lia. now apply Nat.mod_small.
Qed.

Lemma square_of_minus_one : forall m n h, 2 <= n -> (m ^ h + 1) mod n = 0 ->
  m ^ (2 * h) mod n = 1.
Proof.
  intros m n h Hn Hh. apply Nat.mod_divide in Hh; [| lia]. destruct Hh as [k Hk].
  assert (Hk1 : 1 <= k) by nia.
  replace (2 * h) with (h + h) by lia. rewrite Nat.pow_add_r.
  assert (Hkn : 1 * 2 <= k * n) by (apply Nat.mul_le_mono; easy).
  set (d := k * n - 2). replace (m ^ h) with (d + 1) by lia. symmetry.
  apply Nat.mod_unique with (q := d * k); [lia |].
  replace (n * (d * k)) with (d * (k * n)) by lia.
  replace (k * n) with (d + 2) by lia. lia.
Qed.

(** If [m ^ h = -1] modulo [n], the residues pair off as [x] and [n - x]. *)
Theorem opposite_residues : forall m n h t, 2 <= n -> 1 <= h -> (m ^ h + 1) mod n = 0 ->
  residue m n t + residue m n (t + h) = n.
Proof.
  intros m n h t Hn Hh1 Hh. unfold residue.
  set (x := m ^ t mod n). set (y := m ^ (t + h) mod n).
  assert (Hx : x < n) by (apply Nat.mod_upper_bound; lia).
  assert (Hy : y < n) by (apply Nat.mod_upper_bound; lia).
  assert (Hsum : (x + y) mod n = 0).
  { unfold x, y. rewrite <- Nat.add_mod by lia. rewrite Nat.pow_add_r.
    replace (m ^ t + m ^ t * m ^ h) with (m ^ t * (m ^ h + 1)) by lia.
    rewrite Nat.mul_mod, Hh, Nat.mul_0_r, Nat.mod_0_l by lia. easy. }
  assert (Hx0 : x <> 0).
  { intros E. pose proof (power_of_one _ n t Hn (square_of_minus_one m n h Hn Hh)) as H1.
    rewrite <- Nat.pow_mul_r in H1.
    replace (2 * h * t) with (t + (2 * h * t - t)) in H1 by nia.
    rewrite Nat.pow_add_r, Nat.mul_mod in H1 by lia. fold x in H1.
    rewrite E, Nat.mul_0_l, Nat.mod_0_l in H1 by lia. discriminate. }
  apply Nat.mod_divide in Hsum; [| lia]. destruct Hsum as [k Hk].
  assert (k = 1) by nia. subst k. lia.
Qed.

Lemma sum_app : forall l k, sum (l ++ k) = sum l + sum k.
Proof. intros. unfold sum. induction l as [|a l IH]; cbn; lia. Qed.

Lemma half_sum : forall m n h s, 2 <= n -> 1 <= h -> (m ^ h + 1) mod n = 0 ->
  residue_sum m n s (2 * h) = h * n.
Proof.
  intros m n h s Hn Hh1 Hh. unfold residue_sum.
  replace (2 * h) with (h + h) by lia. rewrite seq_app, map_app, sum_app.
  assert (H : forall k b, sum (map (residue m n) (seq b k))
    + sum (map (residue m n) (seq (b + h) k)) = k * n).
  { induction k as [|k IH]; intros b; [easy |].
    specialize (IH (S b)). pose proof (opposite_residues m n h b Hn Hh1 Hh).
    cbn [seq map sum fold_right]. fold (sum (map (residue m n) (seq (S b) k))).
    fold (sum (map (residue m n) (seq (S (b + h)) k))). cbn [plus] in IH. lia. }
  apply H.
Qed.

(** The sum of the digits is then [m - 1] times half the period. *)
Theorem digit_sum_half_period : forall m n h s, 1 <= m -> 2 <= n -> 1 <= h ->
  (m ^ h + 1) mod n = 0 -> digit_sum m n s (2 * h) = (m - 1) * h.
Proof.
  intros m n h s Hm Hn Hh1 Hh.
  assert (E : residue m n (s + 2 * h) = residue m n s).
  { pose proof (opposite_residues m n h s Hn Hh1 Hh).
    pose proof (opposite_residues m n h (s + h) Hn Hh1 Hh).
    replace (s + 2 * h) with (s + h + h) by lia. lia. }
  pose proof (digit_sum_in_cycle m n s (2 * h) Hm ltac:(lia) E) as H.
  rewrite half_sum in H by easy. nia.
Qed.

(** For a coin: if [-1 = 2 ^ h] modulo [n], a cycle of [p = 2 h] flips has [h = p / 2] rounds. *)
Theorem rounds_half_period : forall n h s, 2 <= n -> 1 <= h -> (2 ^ h + 1) mod n = 0 ->
  rounds 2 n s (2 * h) = h.
Proof.
  intros n h s Hn Hh1 Hh. rewrite rounds_are_digits by lia.
  rewrite digit_sum_half_period by (easy || lia). lia.
Qed.

(** ** Targets that share factors with the source *)

(** [m n] has the rounds of [n], one roll later; so an even [n] has as many rounds in
    its cycle as its odd part. *)
Theorem rounds_of_multiple : forall m n s p, 1 <= m -> 1 <= n ->
  rounds m (m * n) (S s) p = rounds m n s p.
Proof.
  intros m n s p Hm Hn. unfold rounds. rewrite <- seq_shift, count_map.
  apply count_ext. intros t _. unfold ends_round, residue.
  cbn [Nat.pow]. rewrite Nat.mul_mod_distr_l by lia.
  destruct (Nat.leb_spec (m * n) (m * (m * (m ^ t mod n)))),
    (Nat.leb_spec n (m * (m ^ t mod n))); nia.
Qed.

(** For [2 ^ k n], [n > 1] odd: the ones in the repetend of [1 / n], from the roll [k] on. *)
Theorem rounds_in_cycle_of_even : forall n k p, 2 <= n -> 2 ^ p mod n = 1 ->
  rounds 2 (2 ^ k * n) k p = ones ((2 ^ p - 1) / n).
Proof.
  intros n k p Hn Hp. rewrite <- (proj2 (rounds_in_cycle n p Hn Hp)).
  induction k as [|k IH]; [f_equal; cbn; lia |].
  replace (2 ^ S k * n) with (2 * (2 ^ k * n)) by (cbn [Nat.pow]; lia).
  rewrite rounds_of_multiple; [exact IH | lia |].
  pose proof (Nat.pow_nonzero 2 k). nia.
Qed.
