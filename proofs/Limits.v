(** Limits and sums of sequences of rationals. Every limit here is rational, so
    the real numbers are not needed, nor any axiom. *)

From Coq Require Import Arith List QArith Qabs Lqa Lia.

(** A natural number as a rational. *)
Definition q (a : nat) : Q := inject_Z (Z.of_nat a).

(** [u] tends to [l]. *)
Definition tends_to (u : nat -> Q) (l : Q) : Prop :=
  forall eps, 0 < eps -> exists K, forall k, (K <= k)%nat -> Qabs (u k - l) < eps.

(** [a 0 + ... + a (k - 1)]. *)
Fixpoint partial (a : nat -> Q) (k : nat) : Q :=
  match k with 0%nat => 0 | S k => partial a k + a k end.

(** The series of the [a t] over all [t >= 0] converges to [l]. *)
Definition sums_to (a : nat -> Q) (l : Q) : Prop := tends_to (partial a) l.

(** ** Natural numbers as rationals *)

Lemma q_add : forall a b, q (a + b) == q a + q b.
Proof. intros. unfold q. now rewrite Nat2Z.inj_add, inject_Z_plus. Qed.

Lemma q_mul : forall a b, q (a * b) == q a * q b.
Proof. intros. unfold q. now rewrite Nat2Z.inj_mul, inject_Z_mult. Qed.

Lemma q_le : forall a b, (a <= b)%nat <-> q a <= q b.
Proof. intros. unfold q. rewrite <- Zle_Qle. lia. Qed.

Lemma q_lt : forall a b, (a < b)%nat <-> q a < q b.
Proof. intros. unfold q. rewrite <- Zlt_Qlt. lia. Qed.

Lemma q_eq : forall a b, a = b -> q a == q b.
Proof. intros. now subst. Qed.

Lemma q_nonneg : forall a, 0 <= q a.
Proof. intros. change 0 with (q 0). apply q_le. lia. Qed.

Lemma q_pos : forall a, (1 <= a)%nat -> 0 < q a.
Proof. intros. change 0 with (q 0). apply q_lt. lia. Qed.

Lemma q_pow_pos : forall m t, (1 <= m)%nat -> 0 < q (m ^ t).
Proof. intros. apply q_pos. pose proof (Nat.pow_nonzero m t). lia. Qed.

Lemma q_pow_S : forall m t, q (m ^ S t) == q m * q (m ^ t).
Proof. intros. cbn [Nat.pow]. apply q_mul. Qed.

Lemma q_sub : forall a b, (b <= a)%nat -> q (a - b) == q a - q b.
Proof.
  intros a b H. assert (E : q a == q (a - b) + q b).
  { rewrite <- q_add. apply q_eq. lia. }
  rewrite E. ring.
Qed.

(** ** Limits *)

Lemma tends_to_ext : forall u v l, (forall k, u k == v k) -> tends_to u l -> tends_to v l.
Proof.
  intros u v l E H eps Heps. destruct (H eps Heps) as [K HK]. exists K. intros k Hk.
  rewrite <- E. now apply HK.
Qed.

Lemma tends_to_equal : forall u l l', l == l' -> tends_to u l -> tends_to u l'.
Proof.
  intros u l l' E H eps Heps. destruct (H eps Heps) as [K HK]. exists K. intros k Hk.
  rewrite <- E. now apply HK.
Qed.

Lemma tends_to_unique : forall u l l', tends_to u l -> tends_to u l' -> l == l'.
Proof.
  intros u l l' H H'. destruct (Qeq_dec l l') as [E|N]; [easy |]. exfalso.
  assert (Hd : 0 < Qabs (l - l')).
  { apply Qabs_case; intros; destruct (Q_dec l l') as [[?|?]|?]; try lra; now destruct N. }
  destruct (H (Qabs (l - l') * (1 # 2))) as [K HK]; [lra |].
  destruct (H' (Qabs (l - l') * (1 # 2))) as [K' HK']; [lra |].
  specialize (HK (K + K')%nat ltac:(lia)). specialize (HK' (K + K')%nat ltac:(lia)).
  apply Qabs_Qlt_condition in HK. apply Qabs_Qlt_condition in HK'.
  revert HK HK'. apply Qabs_case; intros; lra.
Qed.

(** What all late terms stay above, or below, the limit does. *)
Lemma limit_above : forall u l b K,
  tends_to u l -> (forall k, (K <= k)%nat -> b <= u k) -> b <= l.
Proof.
  intros u l b K H Hb. destruct (Qlt_le_dec l b) as [N|]; [| easy]. exfalso.
  destruct (H (b - l)) as [K' HK']; [lra |].
  specialize (Hb (K + K')%nat ltac:(lia)). specialize (HK' (K + K')%nat ltac:(lia)).
  apply Qabs_Qlt_condition in HK'. lra.
Qed.

Lemma limit_below : forall u l b K,
  tends_to u l -> (forall k, (K <= k)%nat -> u k <= b) -> l <= b.
Proof.
  intros u l b K H Hb. destruct (Qlt_le_dec b l) as [N|]; [| easy]. exfalso.
  destruct (H (l - b)) as [K' HK']; [lra |].
  specialize (Hb (K + K')%nat ltac:(lia)). specialize (HK' (K + K')%nat ltac:(lia)).
  apply Qabs_Qlt_condition in HK'. lra.
Qed.

Lemma above_archimedean : forall x : Q, exists k : nat, x < q k.
Proof.
  intros x. exists (Z.to_nat (Z.max 0 (Qnum x + 1))). unfold q, Qlt, inject_Z. cbn.
  rewrite Z2Nat.id by lia. destruct x as [a d]. cbn. nia.
Qed.

Lemma pow_above : forall m k, (2 <= m)%nat -> (k < m ^ k)%nat.
Proof. intros. apply Nat.pow_gt_lin_r. lia. Qed.

(** A sequence within [c / m ^ k] of [l] tends to [l]. *)
Lemma tends_to_geometric : forall m u l c K, (2 <= m)%nat ->
  (forall k, (K <= k)%nat -> Qabs (u k - l) <= c / q (m ^ k)) -> tends_to u l.
Proof.
  intros m u l c K Hm H eps Heps.
  destruct (above_archimedean (c / eps)) as [k0 Hk0].
  exists (K + k0)%nat. intros k Hk. eapply Qle_lt_trans; [apply H; lia |].
  assert (Hp : 0 < q (m ^ k)) by (apply q_pow_pos; lia).
  apply Qlt_shift_div_r; [exact Hp |].
  assert (Hle : q k0 <= q (m ^ k)).
  { apply q_le. pose proof (pow_above m k Hm). lia. }
  assert (Hc : c < q k0 * eps).
  { setoid_replace c with (c / eps * eps) by (field; lra).
    apply Qmult_lt_compat_r; assumption. }
  assert (q k0 * eps <= q (m ^ k) * eps) by (apply Qmult_le_compat_r; lra).
  lra.
Qed.

(** ** Sums *)

Lemma partial_ext : forall a b k, (forall t, (t < k)%nat -> a t == b t) ->
  partial a k == partial b k.
Proof.
  induction k as [|k IH]; intros H; cbn; [easy |]. rewrite IH, H; [easy | lia |].
  intros. apply H. lia.
Qed.

Lemma partial_first : forall a k, partial a (S k) == a 0%nat + partial (fun t => a (S t)) k.
Proof.
  induction k as [|k IH]; [cbn; ring |].
  change (partial a (S (S k))) with (partial a (S k) + a (S k)).
  rewrite IH. cbn. ring.
Qed.

Lemma partial_split : forall a j k,
  partial a (j + k) == partial a j + partial (fun t => a (j + t)%nat) k.
Proof.
  induction k as [|k IH]; [rewrite Nat.add_0_r; cbn; ring |].
  rewrite Nat.add_succ_r. cbn. rewrite IH. ring.
Qed.

Lemma partial_le : forall a b k, (forall t, (t < k)%nat -> a t <= b t) ->
  partial a k <= partial b k.
Proof.
  induction k as [|k IH]; intros H; cbn; [lra |].
  assert (partial a k <= partial b k) by (apply IH; intros; apply H; lia).
  specialize (H k ltac:(lia)). lra.
Qed.

Lemma partial_monotone : forall a j k, (forall t, 0 <= a t) -> (j <= k)%nat ->
  partial a j <= partial a k.
Proof.
  intros a j k Ha H. induction H as [|k H IH]; [lra |]. cbn. specialize (Ha k). lra.
Qed.

Lemma partial_scale : forall a c k, partial (fun t => a t * c) k == partial a k * c.
Proof. induction k as [|k IH]; cbn; [ring |]. rewrite IH. ring. Qed.
