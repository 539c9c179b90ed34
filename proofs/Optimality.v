(** No algorithm has fewer undecided nodes than the fast dice roller, at any depth. *)

From Coq Require Import Arith List QArith Lqa Lia.
From Flipcost Require Import Words Roller Limits Trees.
Import ListNotations.
Local Open Scope nat_scope.

Lemma sum_le : forall A (f g : A -> nat) l, (forall a, In a l -> f a <= g a) ->
  sum (map f l) <= sum (map g l).
Proof.
  intros A f g l H. induction l as [|a l IH]; cbn; [lia |].
  assert (f a <= g a) by (apply H; now left).
  assert (sum (map f l) <= sum (map g l)) by (apply IH; intros; apply H; now right).
  unfold sum in *. lia.
Qed.

Lemma sum_constant : forall A c (l : list A), sum (map (fun _ => c) l) = length l * c.
Proof. intros. induction l as [|a l IH]; cbn; [easy |]. unfold sum in *. lia. Qed.

(** Below a decided node all [m] nodes are decided the same. *)
Lemma decided_rises : forall m decide x t, is_decision_tree m decide ->
  m * decided_at m decide x t <= decided_at m decide x (S t).
Proof.
  intros m decide x t Htree. unfold decided_at. cbn [words].
  rewrite count_flat_map, <- sum_of_count, Nat.mul_comm.
  assert (E : forall l, sum (map (fun w => if gives x (decide w) then 1 else 0) l) * m
    = sum (map (fun w => if gives x (decide w) then m else 0) l)).
  { intros l. induction l as [|w l IH]; cbn; [easy |]. unfold sum in *.
    destruct (gives x (decide w)); lia. }
  rewrite E. apply sum_le. intros w _. rewrite count_map.
  destruct (decide w) as [y|] eqn:D; cbn [gives]; [| lia].
  destruct (Nat.eqb_spec x y) as [<-|]; [| lia].
  rewrite (count_ext _ _ (fun _ => true)).
  - rewrite count_all by easy. now rewrite seq_length.
  - intros face Hf. apply in_seq in Hf.
    rewrite (Htree w face x D) by lia. cbn. apply Nat.eqb_refl.
Qed.

Lemma decided_rises_far : forall m decide x t j, is_decision_tree m decide ->
  m ^ j * decided_at m decide x t <= decided_at m decide x (t + j).
Proof.
  intros m decide x t j Htree. induction j as [|j IH].
  - rewrite Nat.add_0_r. cbn. lia.
  - rewrite Nat.add_succ_r. pose proof (decided_rises m decide x (t + j) Htree).
    cbn [Nat.pow]. nia.
Qed.

(** Each of the [n] outcomes has at most [m ^ t / n] of the nodes of depth [t]. *)
Theorem decided_at_most : forall m n decide x t, 2 <= m ->
  fair_die m n decide -> x < n -> decided_at m decide x t <= m ^ t / n.
Proof.
  intros m n decide x t Hm [Htree Hout Hprob] Hx.
  assert (Hn : 1 <= n) by lia.
  apply Nat.div_le_lower_bound; [lia |]. apply q_le. rewrite q_mul.
  assert (Hlimit : (q (decided_at m decide x t) / q (m ^ t) <= 1 / q n)%Q).
  { apply (limit_above _ _ _ t (Hprob x Hx)). intros k Hk.
    replace k with (t + (k - t)) by lia. generalize (k - t) as j. intros j.
    pose proof (decided_rises_far m decide x t j Htree) as H.
    apply q_le in H. rewrite q_mul in H.
    pose proof (q_pow_pos m t ltac:(lia)) as Ht. pose proof (q_pow_pos m j ltac:(lia)) as Hj.
    rewrite Nat.pow_add_r, q_mul.
    apply Qle_shift_div_l; [now apply Qmult_lt_0_compat |].
    setoid_replace (q (decided_at m decide x t) / q (m ^ t) * (q (m ^ t) * q (m ^ j)))%Q
      with (q (m ^ j) * q (decided_at m decide x t))%Q by (field; lra).
    exact H. }
  pose proof (q_pow_pos m t ltac:(lia)) as Ht. pose proof (q_pos n Hn) as Hqn.
  apply Qmult_le_r with (z := (q (m ^ t) * q n)%Q) in Hlimit;
    [| now apply Qmult_lt_0_compat].
  setoid_replace (q (decided_at m decide x t) / q (m ^ t) * (q (m ^ t) * q n))%Q
    with (q n * q (decided_at m decide x t))%Q in Hlimit by (field; lra).
  setoid_replace (1 / q n * (q (m ^ t) * q n))%Q with (q (m ^ t))%Q in Hlimit
    by (field; lra).
  exact Hlimit.
Qed.

(** A sequence is undecided, or has one of the [n] outcomes. *)
Lemma every_node : forall (o : option nat) n, (forall x, o = Some x -> x < n) ->
  (if open o then 1 else 0) + count (fun x => gives x o) (seq 0 n) = 1.
Proof.
  intros [y|] n H; cbn [open gives].
  - specialize (H y eq_refl).
    rewrite (count_ext _ _ (fun x => Nat.eqb y x)) by (intros; apply Nat.eqb_sym).
    rewrite Fairness.count_equal.
    destruct (Nat.leb_spec 0 y), (Nat.ltb_spec y (0 + n)); cbn; lia.
  - rewrite (count_none _ (fun _ => false)) by easy. easy.
Qed.

Lemma sum_exchange : forall A (p : nat -> A -> bool) l n,
  sum (map (fun a => count (fun x => p x a) (seq 0 n)) l)
  = sum (map (fun x => count (p x) l) (seq 0 n)).
Proof.
  intros A p l n. induction l as [|a l IH]; cbn [map].
  - unfold count. cbn. rewrite sum_constant. lia.
  - unfold sum at 1. cbn [fold_right]. fold (sum (map (fun b =>
      count (fun x => p x b) (seq 0 n)) l)). rewrite IH, <- sum_of_count, <- sum_map_add.
    f_equal. apply map_ext. intros x. unfold count. cbn. now destruct (p x a).
Qed.

Lemma nodes_of_depth : forall m n decide t,
  (forall w x, In w (words m t) -> decide w = Some x -> x < n) ->
  undecided_at m decide t + sum (map (fun x => decided_at m decide x t) (seq 0 n)) = m ^ t.
Proof.
  intros m n decide t H. unfold undecided_at, decided_at.
  rewrite <- sum_exchange with (p := fun x w => gives x (decide w)).
  rewrite <- sum_of_count, <- sum_map_add, <- (length_words m t).
  rewrite <- (Nat.mul_1_r (length _)), <- sum_constant. f_equal.
  apply map_ext_in. intros w Hw. apply every_node. intros x. now apply H.
Qed.

(** Optimality: whatever fair die of [n] sides an algorithm makes from a die of [m]
    sides, at least [m ^ t mod n] of its nodes of depth [t] are undecided. The
    fast dice roller has just so many ([Trees.roller_undecided]). *)
Theorem optimal : forall m n decide t, 2 <= m -> 1 <= n ->
  fair_die m n decide -> m ^ t mod n <= undecided_at m decide t.
Proof.
  intros m n decide t Hm Hn Hfair.
  pose proof (nodes_of_depth m n decide t (outcomes m n decide Hfair t)) as Hall.
  assert (Hle : sum (map (fun x => decided_at m decide x t) (seq 0 n)) <= n * (m ^ t / n)).
  { etransitivity; [apply sum_le with (g := fun _ => m ^ t / n) |].
    - intros x Hx. apply in_seq in Hx. apply decided_at_most; [easy | easy | lia].
    - now rewrite sum_constant, seq_length. }
  pose proof (Nat.div_mod_eq (m ^ t) n). lia.
Qed.

(** So no algorithm costs less, stopped after [k] rolls or not. *)
Theorem optimal_mean : forall m n decide k, 2 <= m -> 1 <= n -> fair_die m n decide ->
  (mean_used m (roller m n) k <= mean_used m decide k)%Q.
Proof.
  intros m n decide k Hm Hn Hfair. rewrite !mean_is_sum_of_survival by lia.
  apply partial_le. intros t _. rewrite roller_undecided by easy.
  unfold Qdiv. apply Qmult_le_compat_r.
  - apply q_le. now apply (optimal m n).
  - apply Qlt_le_weak, Qinv_lt_0_compat, q_pow_pos. lia.
Qed.

Theorem optimal_cost : forall m n decide e e', 2 <= m -> 1 <= n -> fair_die m n decide ->
  expected_cost m (roller m n) e -> expected_cost m decide e' -> (e <= e')%Q.
Proof.
  intros m n decide e e' Hm Hn Hfair He He'.
  destruct (Qlt_le_dec e' e) as [N|]; [| easy]. exfalso.
  destruct (He ((e - e') * (1 # 2))%Q ltac:(lra)) as [K HK].
  destruct (He' ((e - e') * (1 # 2))%Q ltac:(lra)) as [K' HK'].
  specialize (HK (K + K')%nat ltac:(lia)). specialize (HK' (K + K')%nat ltac:(lia)).
  apply Qabs.Qabs_Qlt_condition in HK. apply Qabs.Qabs_Qlt_condition in HK'.
  pose proof (optimal_mean m n decide (K + K') Hm Hn Hfair). lra.
Qed.
