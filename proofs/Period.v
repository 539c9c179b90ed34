(** The closed form of E, with period and pre-period. *)

From Coq Require Import Arith List QArith Qabs Lqa Lia.
From Flipcost Require Import Limits Series.
Import ListNotations.
Local Open Scope Q_scope.

(** [s] is a pre-period, [p] a period of the residues: from [s] on they repeat every [p] rolls. *)
Definition is_orbit (m n s p : nat) : Prop :=
  (1 <= p /\ m ^ (s + p) mod n = m ^ s mod n)%nat.

(** The first [s] terms, and one cycle over [1 - m ^ (-p)]:
    [sum_{t<s} x_t / m^t + m^(1-s) C / (m^p - 1)], [C = sum_{i<p} x_(s+i) m^(p-1-i)]. *)
Definition closed (m n s p : nat) : Q :=
  partial (survival m n) s
  + q m * partial (fun i => q (m ^ (s + i) mod n) * q (m ^ (p - 1 - i))) p
    / (q (m ^ s) * (q (m ^ p) - 1)).

(** ** The residues repeat *)

Section Orbit.
Local Open Scope nat_scope.
Variables m n s p : nat.
Hypothesis Hn : 1 <= n.
Hypothesis Horbit : is_orbit m n s p.

Lemma residue_repeats : forall t, s <= t -> m ^ (t + p) mod n = m ^ t mod n.
Proof.
  intros t Ht. replace t with (s + (t - s)) by lia. generalize (t - s) as j. intros j.
  replace (s + j + p) with (s + p + j) by lia. rewrite !(Nat.pow_add_r m _ j).
  destruct Horbit as [_ H].
  rewrite Nat.mul_mod, H, <- Nat.mul_mod by lia. reflexivity.
Qed.

End Orbit.

(** ** The series *)

Section Closed.
Variables m n s p : nat.
Hypothesis Hm : (2 <= m)%nat.
Hypothesis Hn : (1 <= n)%nat.
Hypothesis Horbit : is_orbit m n s p.

(** One cycle from [t] on, [sum_{i<p} x_(t+i) / m^i], and the rest of the series from [t]. *)
Let cycle (t : nat) : Q := partial (fun i => q (m ^ (t + i) mod n) / q (m ^ i)) p.
Let rest (t : nat) : Q := cycle t * q (m ^ p) / (q (m ^ p) - 1).

Let Hqm : 0 < q m.
Proof. apply q_pos. lia. Qed.

Let Hpow : 1 < q (m ^ p).
Proof.
  apply (q_lt 1). destruct Horbit as [Hp _].
  pose proof (pow_above m p Hm). lia.
Qed.

Lemma cycle_next : forall t, (s <= t)%nat ->
  cycle t - cycle (S t) / q m == q (m ^ t mod n) * (1 - 1 / q (m ^ p)).
Proof.
  intros t Ht.
  assert (H : cycle t + q (m ^ t mod n) / q (m ^ p) == q (m ^ t mod n) + cycle (S t) / q m).
  { assert (E : cycle t + q (m ^ t mod n) / q (m ^ p)
      == partial (fun i => q (m ^ (t + i) mod n) / q (m ^ i)) (S p)).
    { cbn [partial]. now rewrite (residue_repeats m n s p Hn Horbit t Ht). }
    rewrite E, partial_first, Nat.add_0_r.
    change (cycle (S t) / q m)
      with (partial (fun i => q (m ^ (S t + i) mod n) / q (m ^ i)) p * / q m).
    rewrite <- partial_scale. apply Qplus_comp.
    - change (q (m ^ 0)) with 1. field.
    - apply partial_ext. intros i _. rewrite q_pow_S.
      replace (t + S i)%nat with (S t + i)%nat by lia.
      pose proof (q_pow_pos m i ltac:(lia)). field. lra. }
  assert (E : cycle t == q (m ^ t mod n) + cycle (S t) / q m - q (m ^ t mod n) / q (m ^ p)).
  { rewrite <- H. ring. }
  rewrite E. field. split; lra.
Qed.

Lemma rest_next : forall t, (s <= t)%nat ->
  rest t == q (m ^ t mod n) + rest (S t) / q m.
Proof.
  intros t Ht. pose proof (cycle_next t Ht) as H.
  assert (E : cycle t == cycle (S t) / q m + q (m ^ t mod n) * (1 - 1 / q (m ^ p))).
  { rewrite <- H. ring. }
  unfold rest. rewrite E. field. repeat split; lra.
Qed.

Lemma closed_is_cycle : closed m n s p == partial (survival m n) s + rest s / q (m ^ s).
Proof.
  unfold closed, rest. apply Qplus_comp; [easy |].
  assert (E : q m * partial (fun i => q (m ^ (s + i) mod n) * q (m ^ (p - 1 - i))) p
    == cycle s * q (m ^ p)).
  { unfold cycle. rewrite Qmult_comm, <- !partial_scale. apply partial_ext. intros i Hi.
    replace (q (m ^ p)) with (q (m ^ (i + S (p - 1 - i)))) by (do 2 f_equal; lia).
    rewrite (Nat.pow_add_r m i (S _)), q_mul, q_pow_S. pose proof (q_pow_pos m i ltac:(lia)).
    field. lra. }
  rewrite E. pose proof (q_pow_pos m s ltac:(lia)). field. split; lra.
Qed.

Lemma closed_split : forall k,
  closed m n s p == partial (survival m n) (s + k) + rest (s + k) / q (m ^ (s + k)).
Proof.
  induction k as [|k IH].
  - rewrite Nat.add_0_r. apply closed_is_cycle.
  - rewrite IH, Nat.add_succ_r. cbn [partial]. rewrite (rest_next (s + k)) by lia.
    unfold survival at 3. rewrite q_pow_S.
    pose proof (q_pow_pos m (s + k) ltac:(lia)). field. lra.
Qed.

Lemma rest_bounds : forall t, 0 <= rest t <= q p * q n * q (m ^ p) / (q (m ^ p) - 1).
Proof.
  intros t. assert (Hc : 0 <= cycle t <= q p * q n).
  { unfold cycle. generalize p as k. induction k as [|k IH]; cbn [partial].
    - change (q 0) with 0. lra.
    - replace (S k) with (k + 1)%nat by lia. rewrite q_add. change (q 1) with 1.
      pose proof (q_pow_pos m k ltac:(lia)) as Hk.
      assert (Hk1 : 1 <= q (m ^ k)).
      { apply (q_le 1). pose proof (Nat.pow_nonzero m k). lia. }
      assert (Hx : q (m ^ (t + k) mod n) <= q n).
      { apply q_le, Nat.lt_le_incl, Nat.mod_upper_bound. lia. }
      pose proof (q_nonneg (m ^ (t + k) mod n)) as Hx0.
      assert (0 <= q (m ^ (t + k) mod n) / q (m ^ k)) by (apply Qle_shift_div_l; lra).
      assert (q (m ^ (t + k) mod n) / q (m ^ k) <= q n).
      { apply Qle_shift_div_r; [easy |].
        assert (q n * 1 <= q n * q (m ^ k)); [| lra].
        rewrite !(Qmult_comm (q n)). apply Qmult_le_compat_r; [easy | apply q_nonneg]. }
      lra. }
  unfold rest. split.
  - apply Qle_shift_div_l; [lra |]. rewrite Qmult_0_l.
    apply Qmult_le_0_compat; lra.
  - unfold Qdiv. apply Qmult_le_compat_r; [| apply Qlt_le_weak, Qinv_lt_0_compat; lra].
    apply Qmult_le_compat_r; lra.
Qed.

(** The closed form is the sum of the series, for every pre-period and period. *)
Theorem E_closed : is_E m n (closed m n s p).
Proof.
  apply (tends_to_geometric m _ _ (q p * q n * q (m ^ p) / (q (m ^ p) - 1)) s Hm).
  intros k Hk. replace k with (s + (k - s))%nat by lia. rewrite (closed_split (k - s)).
  set (t := (s + (k - s))%nat). pose proof (rest_bounds t) as [Hl Hu].
  pose proof (q_pow_pos m t ltac:(lia)) as Hp.
  setoid_replace (partial (survival m n) t - (partial (survival m n) t + rest t / q (m ^ t)))
    with (- (rest t / q (m ^ t))) by ring.
  rewrite Qabs_opp, Qabs_pos.
  - unfold Qdiv at 1 2. apply Qmult_le_compat_r; [easy |].
    now apply Qlt_le_weak, Qinv_lt_0_compat.
  - apply Qle_shift_div_l; lra.
Qed.

End Closed.

(** For [n] prime to [m] the pre-period is empty: with [m ^ p = 1] modulo [n],
    E = m C / (m^p - 1), C = sum_{i<p} x_i m^(p-1-i). *)
Theorem E_closed_coprime : forall m n p, (2 <= m)%nat -> (1 <= n)%nat -> (1 <= p)%nat ->
  (m ^ p mod n = 1 mod n)%nat ->
  is_E m n (q m * partial (fun i => q (m ^ i mod n) * q (m ^ (p - 1 - i))) p
            / (q (m ^ p) - 1)).
Proof.
  intros m n p Hm Hn Hp H. eapply tends_to_equal; [| apply (E_closed m n 0 p Hm Hn)].
  - unfold closed. cbn [partial plus]. change (q (m ^ 0)) with 1.
    assert (1 < q (m ^ p)).
    { apply (q_lt 1). pose proof (pow_above m p Hm). lia. }
    field. lra.
  - split; [easy |]. exact H.
Qed.

(** ** There always are a pre-period and a period *)

Local Open Scope nat_scope.

(** Two of the residues of [0], ..., [n] rolls are the same. *)
Theorem orbit_exists : forall m n, 1 <= n ->
  exists s p, s + p <= n /\ is_orbit m n s p.
Proof.
  intros m n Hn.
  set (l := map (fun t => m ^ t mod n) (seq 0 (S n))).
  assert (Hnot : ~ NoDup l).
  { intros Hd. apply NoDup_incl_length with (l' := seq 0 n) in Hd.
    - unfold l in Hd. rewrite map_length, !seq_length in Hd. lia.
    - intros x Hx. apply in_map_iff in Hx. destruct Hx as (t & <- & _).
      apply in_seq. pose proof (Nat.mod_upper_bound (m ^ t) n). lia. }
  assert (H : forall k b, b + k <= S n ->
    ~ NoDup (map (fun t => m ^ t mod n) (seq b k)) ->
    exists s p, s + p <= n /\ is_orbit m n s p).
  { induction k as [|k IH]; intros b Hb Hd; [destruct Hd; constructor |].
    cbn [seq map] in Hd.
    destruct (in_dec Nat.eq_dec (m ^ b mod n) (map (fun t => m ^ t mod n) (seq (S b) k)))
      as [Hin|Hout].
    - apply in_map_iff in Hin. destruct Hin as (t & E & Ht). apply in_seq in Ht.
      exists b, (t - b). split; [lia |]. split; [lia |].
      now replace (b + (t - b)) with t by lia.
    - apply (IH (S b)); [lia |]. intros Hd'. apply Hd. now constructor. }
  now apply (H (S n) 0).
Qed.

(** Which they are: let [n = g n'], [g] a divisor of [m ^ s] and [n'] prime to [m]. Then the
    residues repeat every [p] rolls from [s] on if and only if [m ^ p = 1] modulo [n']: the
    least period is the multiplicative order of [m] modulo [n']. *)
Theorem period_is_order : forall m g n' s p, 1 <= m -> 1 <= g -> 1 <= n' ->
  Nat.divide g (m ^ s) -> Nat.gcd n' m = 1 ->
  (m ^ (s + p) mod (g * n') = m ^ s mod (g * n') <-> m ^ p mod n' = 1 mod n').
Proof.
  intros m g n' s p Hm Hg Hn' [c Hc] Hgcd.
  assert (Hpos : forall k, 1 <= m ^ k) by (intros k; pose proof (Nat.pow_nonzero m k); lia).
  assert (Hsub : forall a b k, 1 <= k -> b <= a -> (a mod k = b mod k <-> Nat.divide k (a - b))).
  { intros a b k Hk Hba. split.
    - intros E. exists (a / k - b / k).
      pose proof (Nat.div_mod_eq a k). pose proof (Nat.div_mod_eq b k). nia.
    - intros [j Hj]. replace a with (b + j * k) by lia. apply Nat.mod_add. lia. }
  assert (Hcop : forall k a, Nat.divide n' (m ^ k * a) -> Nat.divide n' a).
  { induction k as [|k IH]; intros a H; cbn [Nat.pow] in H.
    - now rewrite Nat.mul_1_l in H.
    - apply IH. apply (Nat.gauss _ m); [now rewrite Nat.mul_assoc | exact Hgcd]. }
  rewrite Hsub; [| nia | apply Nat.pow_le_mono_r; lia].
  rewrite (Hsub (m ^ p) 1) by easy.
  rewrite Nat.pow_add_r. replace (m ^ s * m ^ p - m ^ s) with (m ^ s * (m ^ p - 1)).
  2:{ rewrite Nat.mul_sub_distr_l. lia. }
  split.
  - intros H. apply (Hcop s). apply Nat.divide_trans with (m := g * n'); [now exists g | exact H].
  - intros [j Hj]. exists (c * j). rewrite Hj, Hc. lia.
Qed.

(** For [n] prime to [m] the residues repeat from the first on: there is a [p] as
    [E_closed_coprime] asks for. *)
Theorem period_of_coprime : forall m n, 1 <= m -> 1 <= n -> Nat.gcd n m = 1 ->
  exists p, 1 <= p <= n /\ m ^ p mod n = 1 mod n.
Proof.
  intros m n Hm Hn Hgcd. destruct (orbit_exists m n Hn) as (s & p & Hsp & Hp & E).
  exists p. split; [lia |].
  apply (period_is_order m 1 n s p); try easy; [apply Nat.divide_1_l |].
  now rewrite !Nat.mul_1_l.
Qed.
