(** A function that computes E, with the proof that it does.

    The closed form of [Period] with the pre-period [n], which is long enough,
    and the least period that the residues then show. *)

From Coq Require Import Arith List ZArith QArith Qabs Qreduction Lqa Lia.
From Flipcost Require Import Limits Trees Optimality Series Period.
Import ListNotations.
Local Open Scope Z_scope.

(** Steps [x := m x mod n], [a := a m + x], [k] times. *)
Fixpoint walk (m n : Z) (k : nat) (a x : Z) : Z * Z :=
  match k with
  | O => (a, x)
  | S k => walk m n k (a * m + x) ((m * x) mod n)
  end.

(** The least [j > 0] for which [j] steps from [x] lead to [goal], plus [j0]; at most [fuel] steps. *)
Fixpoint return_time (m n : Z) (fuel j0 : nat) (goal x : Z) : nat :=
  match fuel with
  | O => j0
  | S fuel =>
      let y := (m * x) mod n in
      if y =? goal then S j0 else return_time m n fuel (S j0) goal y
  end.

(** E(n) for a source of [m] sides, in lowest terms: [m (H (M - 1) + C) / (m^s (M - 1))], [M = m^p],
    [H] and [C] the sums over the pre-period and the cycle. *)
Definition E (m n : nat) : Q :=
  let m' := Z.of_nat m in
  let n' := Z.of_nat n in
  let (h, x) := walk m' n' n 0 (1 mod n') in
  let p := return_time m' n' n 0 x x in
  let (c, _) := walk m' n' p 0 x in
  let big := m' ^ Z.of_nat p - 1 in
  Qred (Qmake (m' * (h * big + c)) (Z.to_pos (m' ^ Z.of_nat n * big))).

(** ** It is E *)

Definition residue (m n t : nat) : Z := Z.of_nat (m ^ t mod n).

Lemma residue_next : forall m n t, (1 <= n)%nat ->
  (Z.of_nat m * residue m n t) mod Z.of_nat n = residue m n (S t).
Proof.
  intros m n t Hn. unfold residue. rewrite <- Nat2Z.inj_mul, <- Nat2Z.inj_mod.
  f_equal. cbn [Nat.pow]. apply Nat.mul_mod_idemp_r. lia.
Qed.

Lemma of_nat_pow : forall m t, Z.of_nat (m ^ t) = Z.of_nat m ^ Z.of_nat t.
Proof. intros. apply Nat2Z.inj_pow. Qed.

Lemma inject_pow : forall m t, (inject_Z (Z.of_nat m ^ Z.of_nat t) == q (m ^ t))%Q.
Proof. intros. unfold q. now rewrite of_nat_pow. Qed.

Lemma walk_end : forall m n k t a, (1 <= n)%nat ->
  snd (walk (Z.of_nat m) (Z.of_nat n) k a (residue m n t)) = residue m n (t + k).
Proof.
  intros m n k. induction k as [|k IH]; intros t a Hn; cbn [walk snd].
  - now rewrite Nat.add_0_r.
  - rewrite residue_next, IH by easy. now rewrite Nat.add_succ_r.
Qed.

Lemma walk_sum : forall m n k t a, (1 <= m)%nat -> (1 <= n)%nat ->
  (inject_Z (fst (walk (Z.of_nat m) (Z.of_nat n) k a (residue m n t)))
   == inject_Z a * q (m ^ k)
      + partial (fun i => q (m ^ (t + i) mod n) * q (m ^ (k - 1 - i))) k)%Q.
Proof.
  intros m n k. induction k as [|k IH]; intros t a Hm Hn.
  - cbn [walk fst partial]. change (q (m ^ 0)) with 1%Q. ring.
  - cbn [walk]. rewrite residue_next, IH, partial_first, Nat.add_0_r by easy.
    rewrite inject_Z_plus, inject_Z_mult, q_pow_S.
    replace (S k - 1 - 0)%nat with k by lia.
    change (inject_Z (Z.of_nat m)) with (q m).
    change (inject_Z (residue m n t)) with (q (m ^ t mod n)).
    rewrite (partial_ext (fun i => q (m ^ (t + S i) mod n) * q (m ^ (S k - 1 - S i)))
      (fun i => q (m ^ (S t + i) mod n) * q (m ^ (k - 1 - i))))%Q.
    + ring.
    + intros i _. replace (t + S i)%nat with (S t + i)%nat by lia.
      now replace (S k - 1 - S i)%nat with (k - 1 - i)%nat by lia.
Qed.

Lemma return_time_found : forall m n s fuel j0 p, (1 <= n)%nat ->
  (j0 < p <= j0 + fuel)%nat -> residue m n (s + p) = residue m n s ->
  let j := return_time (Z.of_nat m) (Z.of_nat n) fuel j0 (residue m n s)
             (residue m n (s + j0)) in
  (1 <= j)%nat /\ residue m n (s + j) = residue m n s.
Proof.
  intros m n s fuel. induction fuel as [|fuel IH]; intros j0 p Hn Hp E; [lia |].
  cbn [return_time]. rewrite residue_next, <- Nat.add_succ_r by easy.
  destruct (Z.eqb_spec (residue m n (s + S j0)) (residue m n s)) as [Hyes|Hno].
  - split; [lia | exact Hyes].
  - apply (IH (S j0) p Hn); [| exact E].
    destruct (Nat.eq_dec p (S j0)) as [->|]; [now destruct Hno | lia].
Qed.

(** Whatever [m >= 2] and [n >= 1], [E m n] is the sum of the series. *)
Theorem E_correct : forall m n, (2 <= m)%nat -> (1 <= n)%nat -> is_E m n (E m n).
Proof.
  intros m n Hm Hn.
  destruct (orbit_exists m n Hn) as (s & p & Hsp & Horbit).
  assert (Hrep : residue m n (n + p) = residue m n n).
  { unfold residue. f_equal. apply (residue_repeats m n s p Hn Horbit). lia. }
  unfold E. change (1 mod Z.of_nat n) with (Z.of_nat (m ^ 0) mod Z.of_nat n).
  rewrite <- Nat2Z.inj_mod. fold (residue m n 0).
  pose proof (walk_end m n n 0 0 Hn) as Hx.
  pose proof (walk_sum m n n 0 0 ltac:(lia) Hn) as Hh.
  destruct (walk (Z.of_nat m) (Z.of_nat n) n 0 (residue m n 0)) as [h x].
  cbn [snd fst plus] in Hx, Hh. subst x.
  destruct (return_time_found m n n n 0 p Hn) as [Hj Hjrep].
  { destruct Horbit. lia. }
  { exact Hrep. }
  rewrite Nat.add_0_r in Hj, Hjrep.
  set (j := return_time (Z.of_nat m) (Z.of_nat n) n 0 (residue m n n) (residue m n n)) in *.
  pose proof (walk_sum m n j n 0 ltac:(lia) Hn) as Hc.
  destruct (walk (Z.of_nat m) (Z.of_nat n) j 0 (residue m n n)) as [c y].
  cbn [fst] in Hc.
  assert (Ho : is_orbit m n n j).
  { split; [exact Hj |]. unfold residue in Hjrep. lia. }
  eapply tends_to_equal; [| apply (E_closed m n n j Hm Hn Ho)].
  rewrite Qred_correct.
  assert (Hbig : (1 < q (m ^ j))%Q).
  { apply (q_lt 1). pose proof (pow_above m j Hm). lia. }
  pose proof (q_pow_pos m n ltac:(lia)) as Hpn.
  assert (Hden : 0 < Z.of_nat m ^ Z.of_nat n * (Z.of_nat m ^ Z.of_nat j - 1)).
  { rewrite <- !of_nat_pow. pose proof (pow_above m j Hm). pose proof (pow_above m n Hm). nia. }
  rewrite Qmake_Qdiv, Z2Pos.id by exact Hden.
  rewrite !inject_Z_mult, inject_Z_plus, inject_Z_mult. unfold Z.sub.
  rewrite inject_Z_plus, !inject_pow, Hh, Hc.
  change (inject_Z (- (1))) with (-(1))%Q. change (inject_Z 0) with 0%Q.
  change (inject_Z (Z.of_nat m)) with (q m).
  unfold closed.
  assert (Ehead : (partial (survival m n) n * q (m ^ n)
    == q m * partial (fun i => q (m ^ i mod n) * q (m ^ (n - 1 - i))) n)%Q).
  { rewrite (Qmult_comm (q m)), <- !partial_scale. apply partial_ext. intros i Hi.
    unfold survival. replace (m ^ n)%nat with (m ^ (i + S (n - 1 - i)))%nat by (f_equal; lia).
    rewrite (Nat.pow_add_r m i (S _)), q_mul, q_pow_S.
    pose proof (q_pow_pos m i ltac:(lia)). field. lra. }
  assert (E2 : (partial (survival m n) n
    == q m * partial (fun i => q (m ^ i mod n) * q (m ^ (n - 1 - i))) n / q (m ^ n))%Q).
  { rewrite <- Ehead. field. lra. }
  rewrite E2. field. split; lra.
Qed.

(** Every expected cost is that one. *)
Theorem E_only : forall m n e, (2 <= m)%nat -> (1 <= n)%nat -> is_E m n e -> (e == E m n)%Q.
Proof. intros. apply (E_unique m n); [easy | now apply E_correct]. Qed.

(** It is the expected cost of the fast dice roller, and no algorithm that makes a fair die of
    [n] sides from a die of [m] sides costs less. *)
Theorem E_is_expected_cost : forall m n, (2 <= m)%nat -> (1 <= n)%nat ->
  expected_cost m (roller m n) (E m n).
Proof. intros. apply expected_cost_is_series; [easy | easy | now apply E_correct]. Qed.

Theorem E_is_least : forall m n decide e, (2 <= m)%nat -> (1 <= n)%nat ->
  fair_die m n decide -> expected_cost m decide e -> (E m n <= e)%Q.
Proof.
  intros m n decide e Hm Hn Hfair He.
  apply (optimal_cost m n decide _ _ Hm Hn Hfair); [now apply E_is_expected_cost | exact He].
Qed.

(** ** The table *)

(** [(m, n, numerator, denominator)] of E(n) for a source of [m] sides. *)
Definition row (m n : nat) : Z * Z * Z * Z :=
  (Z.of_nat m, Z.of_nat n, Qnum (E m n), Zpos (Qden (E m n))).

Definition table (m last : nat) : list (Z * Z * Z * Z) := map (row m) (seq 1 last).
