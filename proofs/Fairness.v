(** The fast dice roller is fair after every roll, not only in the end. *)

From Coq Require Import Arith Bool List Permutation Lia.
From Flipcost Require Import Words Roller.
Import ListNotations.

Definition is_output (x : nat) (s : state) : bool :=
  match s with Output y => Nat.eqb x y | Roll _ _ => false end.

Lemma count_equal : forall x k b,
  count (fun y => Nat.eqb x y) (seq b k) = if (b <=? x) && (x <? b + k) then 1 else 0.
Proof.
  intros x. induction k as [|k IH]; intros b.
  - destruct (Nat.leb_spec b x), (Nat.ltb_spec x (b + 0)); cbn; lia.
  - cbn [seq]. unfold count in *. cbn [filter].
    destruct (Nat.eqb_spec x b); cbn [length]; rewrite IH;
      destruct (Nat.leb_spec (S b) x), (Nat.leb_spec b x),
        (Nat.ltb_spec x (S b + k)), (Nat.ltb_spec x (b + S k)); cbn; lia.
Qed.

(** Of the [m ^ t] sequences of [t] rolls exactly [m ^ t / n] (rounded down) have led
    to the face [x], whichever face it is. *)
Theorem fair_after : forall m n t x, x < n ->
  count (fun w => is_output x (run m n w)) (words m t) = m ^ t / n.
Proof.
  intros m n t x Hx. assert (Hn : 1 <= n) by lia.
  rewrite <- count_map. fold (states m n t).
  rewrite (count_permutation _ _ _ _ (states_after m n t Hn)), count_app.
  unfold rolls. rewrite count_map. cbn [is_output].
  rewrite (count_none _ (fun _ => false)), Nat.add_0_r by easy.
  induction (m ^ t / n) as [|q IH]; [easy |].
  change (copies (S q) (outputs n)) with (outputs n ++ copies q (outputs n)).
  rewrite count_app, IH. unfold outputs. rewrite count_map. cbn [is_output].
  rewrite count_equal. destruct (Nat.leb_spec 0 x), (Nat.ltb_spec x (0 + n)); cbn; lia.
Qed.

(** Any two faces come equally often at every depth. *)
Theorem fair : forall m n t x y, x < n -> y < n ->
  count (fun w => is_output x (run m n w)) (words m t)
  = count (fun w => is_output y (run m n w)) (words m t).
Proof. intros. now rewrite !fair_after. Qed.

(** Nothing but the faces comes. *)
Theorem outcome_is_a_face : forall m n t w x, 1 <= n ->
  In w (words m t) -> run m n w = Output x -> x < n.
Proof.
  intros m n t w x Hn Hw Hr.
  assert (Hin : In (Output x) (states m n t)) by (apply in_map_iff; now exists w).
  apply (Permutation_in _ (states_after m n t Hn)), in_app_or in Hin.
  destruct Hin as [H|H].
  - induction (m ^ t / n) as [|q IH]; [easy |].
    apply in_app_or in H. destruct H as [H|H]; [| now apply IH].
    apply in_map_iff in H. destruct H as (y & E & H). injection E as <-.
    apply in_seq in H. lia.
  - apply in_map_iff in H. destruct H as (c & E & _). discriminate.
Qed.
