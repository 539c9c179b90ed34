(** Algorithms as decision trees, and what they cost.

    An algorithm is a decision tree, finite or not: a node is the sequence of
    rolls that leads to it, and [decide] is the outcome there, if there is one.
    Below a decided node everything is decided the same. *)

From Coq Require Import Arith List QArith Lqa Lia.
From Flipcost Require Import Words Roller Survival Fairness Limits.
Import ListNotations.
Local Open Scope nat_scope.

Definition tree := list nat -> option nat.

Definition is_decision_tree (m : nat) (decide : tree) : Prop :=
  forall w face x, decide w = Some x -> face < m -> decide (w ++ [face]) = Some x.

Definition gives (x : nat) (o : option nat) : bool :=
  match o with Some y => Nat.eqb x y | None => false end.

Definition open (o : option nat) : bool :=
  match o with Some _ => false | None => true end.

(** Sequences of [t] rolls that lead to the outcome [x], and to none. *)
Definition decided_at (m : nat) (decide : tree) (x t : nat) : nat :=
  count (fun w => gives x (decide w)) (words m t).

Definition undecided_at (m : nat) (decide : tree) (t : nat) : nat :=
  count (fun w => open (decide w)) (words m t).

(** A decision tree is a fair die of [n] sides if each of the [n] outcomes has
    the probability [1 / n] in the end, and there are no other outcomes. *)
Record fair_die (m n : nat) (decide : tree) : Prop := {
  consistent : is_decision_tree m decide;
  outcomes : forall t w x, In w (words m t) -> decide w = Some x -> x < n;
  probability : forall x, x < n ->
    tends_to (fun t => (q (decided_at m decide x t) / q (m ^ t))%Q) (1 / q n)%Q
}.

(** The rolls used on the sequence [w]: one for each undecided node on its way. *)
Definition used (decide : tree) (w : list nat) : nat :=
  count (fun k => open (decide (firstn k w))) (seq 0 (length w)).

(** The mean, over all sequences of [k] rolls, of the rolls used: E[min(T, k)].
    It rises with [k], and the expected cost E[T] is its limit. *)
Definition mean_used (m : nat) (decide : tree) (k : nat) : Q :=
  (q (sum (map (used decide) (words m k))) / q (m ^ k))%Q.

Definition expected_cost (m : nat) (decide : tree) (e : Q) : Prop :=
  tends_to (mean_used m decide) e.

(** The fast dice roller as a decision tree. *)
Definition roller (m n : nat) : tree := fun w =>
  match run m n w with Output x => Some x | Roll _ _ => None end.

(** ** The roller is a fair die *)

Lemma roller_undecided : forall m n t, 1 <= n ->
  undecided_at m (roller m n) t = m ^ t mod n.
Proof.
  intros m n t Hn. rewrite <- undecided_after by easy. apply count_ext.
  intros w _. unfold roller. now destruct (run m n w).
Qed.

Lemma roller_decided : forall m n t x, x < n ->
  decided_at m (roller m n) x t = m ^ t / n.
Proof.
  intros m n t x Hx. rewrite <- (fair_after m n t x) by easy. apply count_ext.
  intros w _. unfold roller. now destruct (run m n w).
Qed.

(** In the end every face has the probability [1 / n], and no other outcome comes. *)
Theorem roller_is_fair : forall m n, 2 <= m -> 1 <= n -> fair_die m n (roller m n).
Proof.
  intros m n Hm Hn. split.
  - intros w face x H _. unfold roller in *. rewrite run_snoc.
    destruct (run m n w); [exact H | discriminate].
  - intros t w x Hw H. apply (outcome_is_a_face m n t w); try easy.
    unfold roller in H. destruct (run m n w); congruence.
  - intros x Hx. apply (tends_to_geometric m _ _ 1 0); [easy |]. intros t _.
    rewrite roller_decided by easy.
    pose proof (q_pos n Hn) as Hqn. pose proof (q_pow_pos m t ltac:(lia)) as Hqm.
    assert (E : (q (m ^ t) == q n * q (m ^ t / n) + q (m ^ t mod n))%Q).
    { rewrite <- q_mul, <- q_add. apply q_eq, Nat.div_mod_eq. }
    assert (Hr : (q (m ^ t mod n) < q n)%Q).
    { apply q_lt, Nat.mod_upper_bound. lia. }
    pose proof (q_nonneg (m ^ t mod n)) as Hr0.
    assert (E' : (q (m ^ t / n) / q (m ^ t) - 1 / q n
                  == - (q (m ^ t mod n) / q n) / q (m ^ t))%Q).
    { assert (E2 : (q (m ^ t / n) == (q (m ^ t) - q (m ^ t mod n)) / q n)%Q)
        by (rewrite E; field; lra).
      rewrite E2. field. lra. }
    rewrite E'.
    assert (H1 : (q (m ^ t mod n) / q n <= 1)%Q) by (apply Qle_shift_div_r; lra).
    assert (H0 : (0 <= q (m ^ t mod n) / q n)%Q) by (apply Qle_shift_div_l; lra).
    apply Qabs.Qabs_Qle_condition. split.
    + apply Qle_shift_div_l; [easy |].
      setoid_replace (- (1 / q (m ^ t)) * q (m ^ t))%Q with (-(1))%Q by (field; lra). lra.
    + apply Qle_shift_div_r; [easy |].
      setoid_replace (1 / q (m ^ t) * q (m ^ t))%Q with 1%Q by (field; lra). lra.
Qed.

(** ** Cost and undecided nodes *)

Lemma sum_map_add : forall A (f g : A -> nat) l,
  sum (map (fun a => f a + g a) l) = sum (map f l) + sum (map g l).
Proof. intros. induction l as [|a l IH]; cbn; [easy |]. unfold sum in *. lia. Qed.

Lemma sum_flat_map_constant : forall A (f : A -> nat) m l,
  sum (flat_map (fun a => repeat (f a) m) l) = m * sum (map f l).
Proof.
  intros. induction l as [|a l IH]; cbn [flat_map map sum fold_right]; [lia |].
  unfold sum in *. rewrite fold_right_app.
  assert (H : forall k b, fold_right Nat.add b (repeat (f a) k) = k * f a + b).
  { induction k as [|k IHk]; intros; cbn; [easy |]. rewrite IHk. lia. }
  rewrite H, IH. lia.
Qed.

Lemma used_snoc : forall decide w face,
  used decide (w ++ [face]) = used decide w + (if open (decide w) then 1 else 0).
Proof.
  intros. unfold used. rewrite app_length. cbn [length].
  rewrite seq_app, count_app. cbn [plus seq]. f_equal.
  - apply count_ext. intros k Hk. apply in_seq in Hk.
    rewrite firstn_app. replace (k - length w) with 0 by lia.
    cbn. now rewrite app_nil_r.
  - unfold count. cbn. rewrite firstn_app, Nat.sub_diag, firstn_all. cbn.
    rewrite app_nil_r. now destruct (open (decide w)).
Qed.

Lemma sum_of_count : forall A (p : A -> bool) l,
  sum (map (fun a => if p a then 1 else 0) l) = count p l.
Proof.
  intros. unfold count. induction l as [|a l IH]; cbn; [easy |].
  unfold sum in *. rewrite IH. now destruct (p a).
Qed.

Lemma total_used_S : forall m decide k,
  sum (map (used decide) (words m (S k)))
  = m * (sum (map (used decide) (words m k)) + undecided_at m decide k).
Proof.
  intros. cbn [words]. rewrite map_flat_map.
  unfold undecided_at. rewrite <- sum_of_count, <- sum_map_add, <- sum_flat_map_constant.
  f_equal. apply flat_map_ext. intros w. rewrite map_map.
  rewrite <- (map_constant _ _ m 0). apply map_ext. intros face. apply used_snoc.
Qed.

(** E[min(T, k)] is the sum of P(T > t) over [t < k]. *)
Theorem mean_is_sum_of_survival : forall m decide k, 1 <= m ->
  (mean_used m decide k
   == partial (fun t => q (undecided_at m decide t) / q (m ^ t)) k)%Q.
Proof.
  intros m decide k Hm. induction k as [|k IH]; [easy |].
  cbn [partial]. rewrite <- IH. unfold mean_used.
  rewrite total_used_S, q_pow_S, q_mul, q_add.
  pose proof (q_pos m Hm). pose proof (q_pow_pos m k Hm). field. lra.
Qed.
