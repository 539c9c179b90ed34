(** A fair bit from a loaded coin costs at least two flips, whatever the rule.

    The coin shows heads with probability [a / (a + b)] and tails with
    [b / (a + b)], [a < b] coprime. A rule is a decision tree, as in [Trees]; the
    weight of a sequence of [t] flips is its probability times [(a + b) ^ t]. *)

From Coq Require Import Arith List QArith Lqa Lia.
From Flipcost Require Import Limits.
Import ListNotations.
Local Open Scope nat_scope.

Definition rule := list bool -> option bool.

(** Below a leaf everything is decided the same. *)
Definition is_rule (decide : rule) : Prop :=
  forall w flip x, decide w = Some x -> decide (w ++ [flip]) = Some x.

Section Coin.
Variables a b : nat.

(** The sum of [f] over the sequences of [t] more flips, with their weights. *)
Fixpoint weight (f : list bool -> nat) (t : nat) (w : list bool) : nat :=
  match t with
  | 0 => f w
  | S t => a * weight f t (w ++ [true]) + b * weight f t (w ++ [false])
  end.

Definition is_leaf_of (decide : rule) (x : bool) (w : list bool) : nat :=
  match decide w with Some y => if Bool.eqb x y then 1 else 0 | None => 0 end.

Definition is_open (decide : rule) (w : list bool) : nat :=
  match decide w with Some _ => 0 | None => 1 end.

Definition decided_weight (decide : rule) (x : bool) (t : nat) : nat :=
  weight (is_leaf_of decide x) t [].

Definition open_weight (decide : rule) (t : nat) : nat := weight (is_open decide) t [].

Record fair_bit (decide : rule) : Prop := {
  consistent : is_rule decide;
  half : forall x, tends_to
    (fun t => (q (decided_weight decide x t) / q ((a + b) ^ t))%Q) (1 / q 2)%Q
}.

(** P(T > t): the expected cost is the sum over all [t]. *)
Definition survival (decide : rule) (t : nat) : Q :=
  (q (open_weight decide t) / q ((a + b) ^ t))%Q.

Lemma weight_sum : forall f g t w,
  weight (fun v => f v + g v) t w = weight f t w + weight g t w.
Proof. intros f g t. induction t as [|t IH]; intros w; cbn; [easy |]. rewrite !IH. nia. Qed.

Lemma weight_ext : forall f g t w, (forall v, f v = g v) -> weight f t w = weight g t w.
Proof. intros f g t. induction t as [|t IH]; intros w H; cbn; [easy |]. now rewrite !IH. Qed.

Lemma weight_one : forall t w, weight (fun _ => 1) t w = (a + b) ^ t.
Proof. induction t as [|t IH]; intros w; cbn [weight Nat.pow]; [easy |]. rewrite !IH. nia. Qed.

Lemma weight_all : forall decide t,
  decided_weight decide true t + decided_weight decide false t + open_weight decide t
  = (a + b) ^ t.
Proof.
  intros. unfold decided_weight, open_weight. rewrite <- !weight_sum.
  rewrite <- (weight_one t []). apply weight_ext. intros v.
  unfold is_leaf_of, is_open. now destruct (decide v) as [[|]|].
Qed.

Lemma decided_grows : forall decide x t w, is_rule decide ->
  (a + b) * weight (is_leaf_of decide x) t w <= weight (is_leaf_of decide x) (S t) w.
Proof.
  intros decide x t. induction t as [|t IH]; intros w H.
  - cbn. unfold is_leaf_of at 1. destruct (decide w) as [y|] eqn:D; [| lia].
    unfold is_leaf_of. rewrite !(H w _ y D). destruct (Bool.eqb x y); lia.
  - pose proof (IH (w ++ [true]) H). pose proof (IH (w ++ [false]) H).
    change (weight (is_leaf_of decide x) (S (S t)) w) with
      (a * weight (is_leaf_of decide x) (S t) (w ++ [true])
       + b * weight (is_leaf_of decide x) (S t) (w ++ [false])).
    change (weight (is_leaf_of decide x) (S t) w) with
      (a * weight (is_leaf_of decide x) t (w ++ [true])
       + b * weight (is_leaf_of decide x) t (w ++ [false])).
    nia.
Qed.

Lemma decided_grows_far : forall decide x t j, is_rule decide ->
  (a + b) ^ j * decided_weight decide x t <= decided_weight decide x (t + j).
Proof.
  intros decide x t j H. induction j as [|j IH].
  - rewrite Nat.add_0_r. cbn. lia.
  - rewrite Nat.add_succ_r. unfold decided_weight in *.
    pose proof (decided_grows decide x (t + j) [] H). cbn [Nat.pow]. nia.
Qed.

Hypothesis heads : 1 <= a.
Hypothesis rarer : a < b.
Hypothesis coprime : Nat.gcd a b = 1.

(** No outcome is ever decided with more than one half. *)
Lemma at_most_half : forall decide x t, fair_bit decide ->
  2 * decided_weight decide x t <= (a + b) ^ t.
Proof.
  intros decide x t [Hrule Hhalf].
  assert (H : (q (decided_weight decide x t) / q ((a + b) ^ t) <= 1 / q 2)%Q).
  { apply (limit_above _ _ _ t (Hhalf x)). intros k Hk.
    replace k with (t + (k - t)) by lia. generalize (k - t) as j. intros j.
    pose proof (decided_grows_far decide x t j Hrule) as H.
    apply q_le in H. rewrite q_mul in H.
    pose proof (q_pow_pos (a + b) t ltac:(lia)) as Ht.
    pose proof (q_pow_pos (a + b) j ltac:(lia)) as Hj.
    rewrite Nat.pow_add_r, q_mul.
    apply Qle_shift_div_l; [nra |].
    setoid_replace (q (decided_weight decide x t) / q ((a + b) ^ t)
      * (q ((a + b) ^ t) * q ((a + b) ^ j)))%Q
      with (q ((a + b) ^ j) * q (decided_weight decide x t))%Q by (field; lra).
    exact H. }
  pose proof (q_pow_pos (a + b) t ltac:(lia)) as Ht.
  apply q_le. rewrite q_mul. change (q 2) with 2%Q in *. change (1 / 2)%Q with (1 # 2)%Q in H.
  assert (E : (q (decided_weight decide x t)
    == q (decided_weight decide x t) / q ((a + b) ^ t) * q ((a + b) ^ t))%Q) by (field; lra).
  apply (Qmult_le_compat_r _ _ (q ((a + b) ^ t))) in H; [lra | lra].
Qed.

(** The open weight below a node is 0, or at least that of one sequence. *)
Lemma open_or_none : forall decide t w,
  weight (is_open decide) t w = 0 \/ a ^ t <= weight (is_open decide) t w.
Proof.
  intros decide t. induction t as [|t IH]; intros w.
  - cbn. unfold is_open. destruct (decide w); lia.
  - cbn [weight Nat.pow]. destruct (IH (w ++ [true])), (IH (w ++ [false])); nia.
Qed.

Lemma closed_below : forall decide t w x, is_rule decide -> decide w = Some x ->
  weight (is_open decide) t w = 0.
Proof.
  intros decide t. induction t as [|t IH]; intros w x H D; cbn.
  - unfold is_open. now rewrite D.
  - now rewrite (IH _ x H (H w true x D)), (IH _ x H (H w false x D)); lia.
Qed.

(** All sequences but that of heads alone have a weight that [b] divides. *)
Lemma divided : forall f t w,
  exists k, weight f t w = b * k + a ^ t * f (w ++ repeat true t).
Proof.
  intros f t. induction t as [|t IH]; intros w.
  - exists 0. cbn. rewrite app_nil_r. lia.
  - destruct (IH (w ++ [true])) as [k Hk]. cbn [weight repeat Nat.pow].
    rewrite Hk, <- app_assoc. cbn [app].
    exists (a * k + weight f t (w ++ [false])). nia.
Qed.

Lemma coprime_power : forall t, Nat.gcd b ((a + b) ^ t) = 1.
Proof.
  induction t as [|t IH]; [apply Nat.gcd_1_r |]. cbn [Nat.pow].
  assert (Hab : Nat.gcd b (a + b) = 1).
  { replace (a + b) with (a + 1 * b) by lia.
    rewrite Nat.gcd_add_mult_diag_r. now rewrite Nat.gcd_comm. }
  apply Nat.divide_1_r. set (d := Nat.gcd b ((a + b) * (a + b) ^ t)).
  assert (D1 : Nat.divide d b) by apply Nat.gcd_divide_l.
  assert (D2 : Nat.divide d ((a + b) * (a + b) ^ t)) by apply Nat.gcd_divide_r.
  assert (G : Nat.gcd d (a + b) = 1).
  { apply Nat.divide_1_r. rewrite <- Hab. apply Nat.gcd_greatest.
    - apply (Nat.divide_trans _ d); [apply Nat.gcd_divide_l | exact D1].
    - apply Nat.gcd_divide_r. }
  rewrite <- IH. apply Nat.gcd_greatest; [exact D1 |].
  exact (Nat.gauss d (a + b) _ D2 G).
Qed.

(** A rule does not end after any number of flips. *)
Lemma never_closed : forall decide t, fair_bit decide -> open_weight decide t <> 0.
Proof.
  intros decide t H E.
  pose proof (weight_all decide t) as All. rewrite E in All.
  pose proof (at_most_half decide true t H). pose proof (at_most_half decide false t H).
  assert (Hx : exists x, is_leaf_of decide x (repeat true t) = 0).
  { unfold is_leaf_of. destruct (decide (repeat true t)) as [[|]|];
      [exists false | exists true | exists true]; easy. }
  destruct Hx as [x Hx].
  destruct (divided (is_leaf_of decide x) t []) as [k Hk]. cbn [app] in Hk.
  rewrite Hx in Hk.
  assert (Hd : Nat.divide b ((a + b) ^ t)).
  { exists (2 * k). unfold decided_weight in *. destruct x; nia. }
  assert (Hb : Nat.divide b 1).
  { rewrite <- (coprime_power t). now apply Nat.gcd_greatest. }
  apply Nat.divide_1_r in Hb. lia.
Qed.

(** Nodes above one half are open: the root, and tails. *)
Lemma heavy_is_open : forall decide, fair_bit decide -> decide [] = None /\ decide [false] = None.
Proof.
  intros decide H. split.
  - destruct (decide []) as [x|] eqn:D; [exfalso | easy].
    pose proof (at_most_half decide x 0 H) as P. unfold decided_weight in P. cbn in P.
    unfold is_leaf_of in P. rewrite D, Bool.eqb_reflx in P. lia.
  - destruct (decide [false]) as [x|] eqn:D; [exfalso | easy].
    pose proof (at_most_half decide x 1 H) as P. unfold decided_weight in P. cbn in P.
    unfold is_leaf_of in P. rewrite D, Bool.eqb_reflx in P. destruct (decide [true]); nia.
Qed.

Lemma open_at_each_depth : forall decide t, fair_bit decide -> decide [true] <> None ->
  b * a ^ t <= open_weight decide (S t).
Proof.
  intros decide t H D. destruct (decide [true]) as [x|] eqn:E; [| easy].
  pose proof (never_closed decide (S t) H) as N. unfold open_weight in *. cbn [weight app] in *.
  rewrite (closed_below decide t [true] x (consistent _ H) E) in *.
  destruct (open_or_none decide t [false]); nia.
Qed.

Lemma survival_pos : forall decide t, (0 <= survival decide t)%Q.
Proof.
  intros. unfold survival. pose proof (q_pow_pos (a + b) t ltac:(lia)).
  apply Qle_shift_div_l; [easy |]. pose proof (q_nonneg (open_weight decide t)). lra.
Qed.

(** Stopped after [t + 1] flips, a rule has used [2 - (a / (a + b)) ^ t] or more on average. *)
Theorem flips_until : forall decide t, fair_bit decide ->
  (2 - q (a ^ t) / q ((a + b) ^ t) <= partial (survival decide) (S t))%Q.
Proof.
  intros decide t H. destruct (heavy_is_open decide H) as [D0 D1].
  assert (H0 : (survival decide 0 == 1)%Q).
  { unfold survival, open_weight. cbn. unfold is_open. rewrite D0. reflexivity. }
  destruct (decide [true]) as [x|] eqn:E.
  - induction t as [|t IH].
    + cbn [partial]. rewrite H0. cbn. change (q 1 / q 1)%Q with 1%Q. lra.
    + cbn [partial] in *. pose proof (open_at_each_depth decide t H) as P.
      rewrite E in P. specialize (P ltac:(discriminate)).
      assert (S1 : (q b * q (a ^ t) / q ((a + b) ^ S t) <= survival decide (S t))%Q).
      { unfold survival. pose proof (q_pow_pos (a + b) (S t) ltac:(lia)) as Hp.
        apply Qle_shift_div_l; [easy |].
        setoid_replace (q b * q (a ^ t) / q ((a + b) ^ S t) * q ((a + b) ^ S t))%Q
          with (q b * q (a ^ t))%Q by (field; lra).
        rewrite <- q_mul. now apply q_le. }
      pose proof (q_pow_pos (a + b) t ltac:(lia)) as Hp.
      pose proof (q_pos (a + b) ltac:(lia)) as Hs.
      assert (Eq : (q (a ^ S t) / q ((a + b) ^ S t) + q b * q (a ^ t) / q ((a + b) ^ S t)
        == q (a ^ t) / q ((a + b) ^ t))%Q).
      { rewrite !q_pow_S. rewrite q_add in *. field. lra. }
      lra.
  - (* both are rolled at the second flip *)
    destruct t as [|t].
    + cbn [partial]. rewrite H0. cbn. change (q 1 / q 1)%Q with 1%Q. lra.
    + assert (H1 : (survival decide 1 == 1)%Q).
      { unfold survival, open_weight. cbn [weight app]. unfold is_open. rewrite E, D1.
        replace (a * 1 + b * 1) with ((a + b) ^ 1) by (cbn; lia).
        pose proof (q_pow_pos (a + b) 1 ltac:(lia)). field. lra. }
      pose proof (partial_monotone (survival decide) 2 (S (S t)) (survival_pos decide) ltac:(lia)) as M.
      assert (T : (partial (survival decide) 2 == 2)%Q).
      { cbn [partial]. rewrite H0, H1. reflexivity. }
      rewrite T in M.
      assert (P : (0 <= q (a ^ S t) / q ((a + b) ^ S t))%Q).
      { pose proof (q_pow_pos (a + b) (S t) ltac:(lia)). apply Qle_shift_div_l; [easy |].
        pose proof (q_nonneg (a ^ S t)). lra. }
      lra.
Qed.

Lemma rare_power : forall t, 2 ^ t * a ^ t <= (a + b) ^ t.
Proof. intros. rewrite <- Nat.pow_mul_l. apply Nat.pow_le_mono_l. lia. Qed.

(** A fair bit from any loaded coin costs at least 2 flips. *)
Theorem fair_bit_costs_at_least_two : forall decide e, fair_bit decide ->
  sums_to (survival decide) e -> (2 <= e)%Q.
Proof.
  intros decide e H He. destruct (Qlt_le_dec e 2) as [L|]; [exfalso | easy].
  destruct (above_archimedean (1 / (2 - e))) as [j Hj].
  assert (B : (2 - 1 / q (2 ^ j) <= e)%Q).
  { apply (limit_above _ _ _ (S j) He). intros k Hk.
    pose proof (partial_monotone (survival decide) (S j) k (survival_pos decide) Hk) as M.
    pose proof (flips_until decide j H) as F.
    assert (P : (q (a ^ j) / q ((a + b) ^ j) <= 1 / q (2 ^ j))%Q).
    { pose proof (rare_power j) as R. apply q_le in R. rewrite q_mul in R.
      pose proof (q_pow_pos (a + b) j ltac:(lia)). pose proof (q_pow_pos 2 j ltac:(lia)).
      apply Qle_shift_div_l; [easy |].
      setoid_replace (q (a ^ j) / q ((a + b) ^ j) * q (2 ^ j))%Q
        with (q (2 ^ j) * q (a ^ j) / q ((a + b) ^ j))%Q by (field; lra).
      apply Qle_shift_div_r; [easy | lra]. }
    lra. }
  pose proof (pow_above 2 j ltac:(lia)) as Pj. apply q_lt in Pj.
  assert (J : (1 < q (2 ^ j) * (2 - e))%Q).
  { assert (T : (1 / (2 - e) * (2 - e) < q j * (2 - e))%Q) by (apply Qmult_lt_compat_r; lra).
    setoid_replace (1 / (2 - e) * (2 - e))%Q with 1%Q in T by (field; lra). nra. }
  pose proof (q_pow_pos 2 j ltac:(lia)) as Hp.
  assert (I : (1 / q (2 ^ j) < 2 - e)%Q) by (apply Qlt_shift_div_r; lra).
  lra.
Qed.

End Coin.
