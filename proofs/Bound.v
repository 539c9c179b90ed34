(** For a coin, E(n) < ceil(log2 n) + 1. *)

From Coq Require Import Arith List QArith Lqa Lia.
From Flipcost Require Import Limits Series.
Local Open Scope Q_scope.

(** The first [k] terms from the residue after [t] flips on, with [2 ^ t] taken out:
    [sum of x_(t + j) / 2^j over j < k]. *)
Definition tail (n t k : nat) : Q :=
  partial (fun j => q (2 ^ (t + j) mod n) / q (2 ^ j)) k.

Lemma tail_S : forall n t k,
  tail n t (S k) == q (2 ^ t mod n) + tail n (S t) k * (1 # 2).
Proof.
  intros n t k. unfold tail. rewrite partial_first, <- partial_scale.
  rewrite Nat.add_0_r. change (q (2 ^ 0)) with 1.
  apply Qplus_comp; [field |]. apply partial_ext. intros j _.
  rewrite q_pow_S. change (q 2) with 2.
  replace (t + S j)%nat with (S t + j)%nat by lia.
  pose proof (q_pow_pos 2 j ltac:(lia)). field. lra.
Qed.

(** The next residue is [2 x] or [2 x - n]. *)
Lemma next_residue : forall n t, (1 <= n)%nat ->
  let x := (2 ^ t mod n)%nat in let y := (2 ^ S t mod n)%nat in
  (2 * x < n /\ y = 2 * x \/ n <= 2 * x /\ y + n = 2 * x)%nat.
Proof.
  intros n t Hn x y. assert (Hx : (x < n)%nat) by (apply Nat.mod_upper_bound; lia).
  assert (Hy : y = ((2 * x) mod n)%nat).
  { unfold x, y. cbn [Nat.pow]. symmetry. apply Nat.mul_mod_idemp_r. lia. }
  destruct (Nat.lt_ge_cases (2 * x) n) as [H|H]; [left | right]; split; try easy.
  - rewrite Hy. now apply Nat.mod_small.
  - rewrite Hy. rewrite <- (Nat.mod_unique (2 * x) n 1 (2 * x - n)); lia.
Qed.

(** The residues to come weigh less than [n] more than the present one. *)
Lemma tail_bound : forall n k t, (1 <= n)%nat -> tail n t k <= q n + q (2 ^ t mod n).
Proof.
  intros n k. induction k as [|k IH]; intros t Hn.
  - pose proof (q_nonneg n). pose proof (q_nonneg (2 ^ t mod n)). cbn. lra.
  - rewrite tail_S. specialize (IH (S t) Hn).
    assert (Hx : (2 ^ t mod n < n)%nat) by (apply Nat.mod_upper_bound; lia).
    destruct (next_residue n t Hn) as [[H E]|[H E]]; apply q_eq in E; apply q_lt in Hx;
      rewrite ?q_add, q_mul in E; change (q 2) with 2 in E.
    + apply q_lt in H. rewrite q_mul in H. change (q 2) with 2 in H. lra.
    + lra.
Qed.

Lemma survival_tail : forall n t k,
  partial (fun j => survival 2 n (t + j)) k == tail n t k / q (2 ^ t).
Proof.
  intros n t k. unfold tail, Qdiv at 1. rewrite <- partial_scale. apply partial_ext.
  intros j _. unfold survival. rewrite Nat.pow_add_r, q_mul, <- Nat.pow_add_r.
  pose proof (q_pow_pos 2 j ltac:(lia)). pose proof (q_pow_pos 2 t ltac:(lia)).
  field. split; lra.
Qed.

(** The first [ceil(log2 n)] flips are always needed. *)
Lemma first_terms : forall n k, (forall t, (t < k)%nat -> (2 ^ t < n)%nat) ->
  partial (survival 2 n) k == q k.
Proof.
  intros n k. induction k as [|k IH]; intros H; [easy |]. cbn [partial].
  rewrite IH by (intros; apply H; lia). replace (S k) with (k + 1)%nat by lia.
  rewrite q_add. apply Qplus_comp; [easy |]. unfold survival.
  rewrite Nat.mod_small by (apply H; lia). change (q 1) with 1.
  pose proof (q_pow_pos 2 k ltac:(lia)). field. lra.
Qed.

Lemma log2_up_power : forall n, (1 <= n)%nat -> (n <= 2 ^ Nat.log2_up n < 2 * n)%nat.
Proof.
  intros n Hn. destruct (Nat.eq_dec n 1) as [->|H]; [cbn; lia |].
  pose proof (Nat.log2_up_spec n ltac:(lia)) as [Hl Hu].
  pose proof (Nat.log2_up_pos n ltac:(lia)).
  destruct (Nat.log2_up n) as [|k]; [lia |]. cbn [Nat.pred] in Hl. cbn [Nat.pow] in *. lia.
Qed.

(** E(n) < ceil(log2 n) + 1. *)
Theorem E_below_ceil_plus_one : forall n e, (1 <= n)%nat -> is_E 2 n e ->
  e < q (Nat.log2_up n) + 1.
Proof.
  intros n e Hn He. set (k := Nat.log2_up n).
  pose proof (log2_up_power n Hn) as [Hl Hu]. fold k in Hl, Hu.
  assert (Hbefore : forall t, (t < k)%nat -> (2 ^ t < n)%nat).
  { intros t Ht. apply Nat.nle_gt. intros Hle.
    assert (2 ^ S t <= 2 ^ k)%nat by (apply Nat.pow_le_mono_r; lia).
    cbn [Nat.pow] in *. lia. }
  assert (Hx : (2 ^ k mod n + n = 2 ^ k)%nat).
  { rewrite <- (Nat.mod_unique (2 ^ k) n 1 (2 ^ k - n)); lia. }
  apply q_eq in Hx. rewrite q_add in Hx.
  pose proof (q_pow_pos 2 k ltac:(lia)) as Hp.
  (* one step of the recursion makes the inequality strict *)
  set (x := (2 ^ k mod n)%nat) in *. set (y := (2 ^ S k mod n)%nat).
  assert (Hle : e <= q k + (q x + (q n + q y) * (1 # 2)) / q (2 ^ k)).
  { apply (limit_below _ _ _ (S k) He). intros j Hj.
    replace j with (k + S (j - S k))%nat by lia.
    rewrite partial_split, first_terms, survival_tail, tail_S by easy.
    apply Qplus_le_r. unfold Qdiv. apply Qmult_le_compat_r;
      [| now apply Qlt_le_weak, Qinv_lt_0_compat].
    pose proof (tail_bound n (j - S k) (S k) Hn). fold x. fold y in H. lra. }
  assert (Hlt : (q x + (q n + q y) * (1 # 2)) / q (2 ^ k) < 1); [| lra].
  apply Qlt_shift_div_r; [easy |].
  assert (Hxn : (x < n)%nat) by (apply Nat.mod_upper_bound; lia). apply q_lt in Hxn.
  destruct (next_residue n k Hn) as [[H E]|[H E]]; fold x y in H, E; apply q_eq in E;
    rewrite ?q_add, q_mul in E; change (q 2) with 2 in E.
  - apply q_lt in H. rewrite q_mul in H. change (q 2) with 2 in H. lra.
  - lra.
Qed.
