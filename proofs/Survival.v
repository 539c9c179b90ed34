(** How many nodes are undecided after [t] rolls, and which. *)

From Coq Require Import Arith List Permutation Lia.
From Flipcost Require Import Words Roller.
Import ListNotations.

Definition undecided (s : state) : bool :=
  match s with Output _ => false | Roll _ _ => true end.

(** Of the [m ^ t] equally likely sequences of [t] rolls exactly [m ^ t mod n]
    lead to no outcome: P(T > t) = (m^t mod n) / m^t. *)
Theorem undecided_after : forall m n t, 1 <= n ->
  count (fun w => undecided (run m n w)) (words m t) = m ^ t mod n.
Proof.
  intros m n t Hn. rewrite <- count_map. fold (states m n t).
  rewrite (count_permutation _ _ _ _ (states_after m n t Hn)), count_app.
  replace (count undecided (copies (m ^ t / n) (outputs n))) with 0.
  - unfold rolls. rewrite count_map. cbn [undecided].
    rewrite count_all by easy. now rewrite seq_length.
  - induction (m ^ t / n) as [|q IH]; [easy |].
    change (copies (S q) (outputs n)) with (outputs n ++ copies q (outputs n)).
    rewrite count_app, <- IH. unfold outputs. rewrite count_map. cbn [undecided].
    now rewrite count_none.
Qed.

(** An undecided state after [t] rolls is [v = m ^ t mod n] with some [c] below [v]. *)
Theorem undecided_state : forall m n t w v c, 1 <= n ->
  In w (words m t) -> run m n w = Roll v c -> v = m ^ t mod n /\ c < v.
Proof.
  intros m n t w v c Hn Hw Hr.
  assert (Hin : In (Roll v c) (states m n t)).
  { apply in_map_iff. now exists w. }
  apply (Permutation_in _ (states_after m n t Hn)), in_app_or in Hin.
  destruct Hin as [H|H].
  - exfalso. induction (m ^ t / n) as [|q IH]; [easy |].
    apply in_app_or in H. destruct H as [H|H]; [| now apply IH].
    apply in_map_iff in H. destruct H as (x & E & _). discriminate.
  - apply in_map_iff in H. destruct H as (c' & E & H). injection E as <- <-.
    apply in_seq in H. lia.
Qed.

(** Every such [c] is reached, by one sequence of [t] rolls. *)
Theorem undecided_state_reached : forall m n t c, 1 <= n ->
  c < m ^ t mod n -> exists w, In w (words m t) /\ run m n w = Roll (m ^ t mod n) c.
Proof.
  intros m n t c Hn Hc.
  assert (Hin : In (Roll (m ^ t mod n) c) (states m n t)).
  { apply (Permutation_in _ (Permutation_sym (states_after m n t Hn))), in_or_app.
    right. apply in_map_iff. exists c. split; [easy | apply in_seq; lia]. }
  apply in_map_iff in Hin. destruct Hin as (w & Hr & Hw). now exists w.
Qed.
