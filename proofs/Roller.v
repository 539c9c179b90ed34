(** The fast dice roller, and the states in which it may be after [t] rolls.

    The program is that of [src/algorithms/fast_dice_roller.rs]: [settle] is
    [extract], the two lines of [after] are [expand] and [step]. *)

From Coq Require Import Arith List Permutation Lia.
From Flipcost Require Import Words.
Import ListNotations.

(** [Output x]: the outcome is [x]. [Roll v c]: another roll is needed, and [c]
    is one of [0], ..., [v - 1]. *)
Inductive state := Output (x : nat) | Roll (v c : nat).

Definition settle (n v c : nat) : state :=
  if v <? n then Roll v c
  else
    let q := v / n in
    if c <? q * n then Output (c mod n) else Roll (v - q * n) (c - q * n).

Definition start (n : nat) : state := settle n 1 0.

Definition after (m n : nat) (s : state) (face : nat) : state :=
  match s with
  | Output x => Output x
  | Roll v c => settle n (m * v) (m * c + face)
  end.

(** Where a sequence of rolls leads. *)
Definition run (m n : nat) (w : list nat) : state := fold_left (after m n) w (start n).

Definition states (m n t : nat) : list state := map (run m n) (words m t).

Definition copies {A} (k : nat) (l : list A) : list A := concat (repeat l k).

Lemma run_snoc : forall m n w face, run m n (w ++ [face]) = after m n (run m n w) face.
Proof. intros. unfold run. now rewrite fold_left_app. Qed.

Lemma states_S : forall m n t,
  states m n (S t) = flat_map (fun s => map (after m n s) (seq 0 m)) (states m n t).
Proof.
  intros. unfold states. cbn [words]. induction (words m t) as [|w l IH]; cbn; [easy |].
  rewrite map_app, IH, map_map. f_equal. apply map_ext. intros. apply run_snoc.
Qed.

(** ** Lists *)

Lemma copies_add : forall A j k (l : list A), copies (j + k) l = copies j l ++ copies k l.
Proof. intros. unfold copies. now rewrite repeat_app, concat_app. Qed.

Lemma copies_mul : forall A j k (l : list A), copies j (copies k l) = copies (j * k) l.
Proof.
  induction j as [|j IH]; intros; cbn [Nat.mul]; [easy |].
  rewrite copies_add, <- IH. reflexivity.
Qed.

Lemma flat_map_copies : forall A B (f : A -> list B) k l,
  flat_map f (copies k l) = copies k (flat_map f l).
Proof.
  induction k as [|k IH]; intros; [easy |].
  unfold copies in *. cbn. now rewrite flat_map_app, IH.
Qed.

Lemma copies_snoc : forall A k (l : list A), copies (S k) l = copies k l ++ l.
Proof.
  intros. replace (S k) with (k + 1) by lia. rewrite copies_add. f_equal.
  unfold copies. cbn. now rewrite app_nil_r.
Qed.

Lemma repeat_each : forall A m (l : list A),
  Permutation (flat_map (fun a => repeat a m) l) (copies m l).
Proof.
  induction m as [|m IH]; intros l.
  - unfold copies. cbn. induction l; [constructor | easy].
  - change (copies (S m) l) with (l ++ copies m l). rewrite <- IH. clear IH.
    induction l as [|a l IH]; cbn; [constructor |]. constructor.
    rewrite IH. rewrite !app_assoc. apply Permutation_app_tail.
    apply Permutation_app_comm.
Qed.

Lemma shift : forall a k b, map (fun c => a + c) (seq b k) = seq (a + b) k.
Proof.
  intros a. induction k as [|k IH]; intros b; cbn; [easy |].
  now rewrite IH, Nat.add_succ_r.
Qed.

Lemma map_constant : forall A (a : A) k b, map (fun _ => a) (seq b k) = repeat a k.
Proof. induction k as [|k IH]; intros b; cbn; [easy |]. now rewrite IH. Qed.

(** The numbers [m c + face]. *)
Lemma expand_all : forall m v,
  flat_map (fun c => map (fun face => m * c + face) (seq 0 m)) (seq 0 v) = seq 0 (m * v).
Proof.
  intros m v. induction v as [|v IH]; [now rewrite Nat.mul_0_r |].
  rewrite seq_S, flat_map_app, IH. cbn [flat_map plus]. rewrite app_nil_r.
  replace (m * S v) with (m * v + m) by lia. rewrite seq_app. f_equal. cbn [plus].
  now rewrite shift, Nat.add_0_r.
Qed.

Lemma flat_map_map : forall A B C (f : B -> list C) (g : A -> B) l,
  flat_map f (map g l) = flat_map (fun a => f (g a)) l.
Proof. intros. induction l as [|a l IH]; cbn; congruence. Qed.

Lemma map_flat_map : forall A B C (f : B -> C) (g : A -> list B) l,
  map f (flat_map g l) = flat_map (fun a => map f (g a)) l.
Proof. intros. induction l as [|a l IH]; cbn; [easy |]. now rewrite map_app, IH. Qed.

(** ** One accept test *)

(** All undecided nodes with [v] equally likely numbers. *)
Definition rolls (v : nat) : list state := map (Roll v) (seq 0 v).

(** Every outcome once. *)
Definition outputs (n : nat) : list state := map Output (seq 0 n).

Lemma outputs_of_block : forall n q, 1 <= n ->
  map (fun c => Output (c mod n)) (seq 0 (q * n)) = copies q (outputs n).
Proof.
  intros n q Hn. induction q as [|q IH]; [easy |].
  rewrite copies_snoc, <- IH. replace (S q * n) with (q * n + n) by lia.
  rewrite seq_app, map_app. f_equal. cbn [plus]. unfold outputs.
  replace (seq (q * n) n) with (map (fun c => q * n + c) (seq 0 n)).
  - rewrite map_map. apply map_ext_in. intros c Hc. apply in_seq in Hc. f_equal.
    rewrite Nat.add_comm, Nat.mod_add by lia. apply Nat.mod_small. lia.
  - now rewrite shift, Nat.add_0_r.
Qed.

Lemma settle_all : forall n v, 1 <= n ->
  map (settle n v) (seq 0 v) = copies (v / n) (outputs n) ++ rolls (v mod n).
Proof.
  intros n v Hn. unfold settle. destruct (Nat.ltb_spec v n) as [H|H].
  - now rewrite Nat.div_small, Nat.mod_small.
  - pose proof (Nat.div_mod_eq v n) as E. set (q := v / n) in *. set (r := v mod n) in *.
    replace (seq 0 v) with (seq 0 (q * n + r)) by (f_equal; lia).
    rewrite seq_app, map_app. f_equal.
    + rewrite <- outputs_of_block by easy. apply map_ext_in. intros c Hc.
      apply in_seq in Hc. destruct (Nat.ltb_spec c (q * n)); [easy | lia].
    + cbn [plus]. unfold rolls. replace (v - q * n) with r by lia.
      replace (seq (q * n) r) with (map (fun c => q * n + c) (seq 0 r)).
      * rewrite map_map. apply map_ext. intros c.
        destruct (Nat.ltb_spec (q * n + c) (q * n)); [lia | f_equal; lia].
      * now rewrite shift, Nat.add_0_r.
Qed.

(** ** The states after [t] rolls *)

(** Of the [m ^ t] sequences of [t] rolls, [m ^ t / n] lead to each outcome, and
    the other [m ^ t mod n] to one undecided state each, [Roll v c] with
    [v = m ^ t mod n] and [c = 0, ..., v - 1]. *)
Theorem states_after : forall m n t, 1 <= n ->
  Permutation (states m n t) (copies (m ^ t / n) (outputs n) ++ rolls (m ^ t mod n)).
Proof.
  intros m n t Hn. induction t as [|t IH].
  - change (states m n 0) with (map (settle n 1) (seq 0 1)).
    now rewrite settle_all.
  - rewrite states_S. etransitivity; [apply Permutation_flat_map, IH |].
    rewrite flat_map_app. set (q := m ^ t / n). set (v := m ^ t mod n).
    assert (Hdecided : Permutation
      (flat_map (fun s => map (after m n s) (seq 0 m)) (copies q (outputs n)))
      (copies (q * m) (outputs n))).
    { rewrite flat_map_copies, <- copies_mul.
      assert (E : flat_map (fun s => map (after m n s) (seq 0 m)) (outputs n)
                = flat_map (fun s => repeat s m) (outputs n)).
      { unfold outputs. rewrite !flat_map_map. apply flat_map_ext. intros x.
        apply (map_constant _ (Output x)). }
      rewrite E. clear E. induction q as [|q IHq]; [constructor |].
      change (copies (S q) (flat_map (fun s => repeat s m) (outputs n)))
        with (flat_map (fun s => repeat s m) (outputs n)
              ++ copies q (flat_map (fun s => repeat s m) (outputs n))).
      change (copies (S q) (copies m (outputs n)))
        with (copies m (outputs n) ++ copies q (copies m (outputs n))).
      apply Permutation_app; [apply repeat_each | apply IHq]. }
    assert (Hundecided :
      flat_map (fun s => map (after m n s) (seq 0 m)) (rolls v)
      = copies (m * v / n) (outputs n) ++ rolls (m * v mod n)).
    { rewrite <- settle_all, <- expand_all, map_flat_map by easy. unfold rolls.
      rewrite flat_map_map. apply flat_map_ext. intros c. now rewrite map_map. }
    rewrite Hundecided, Hdecided, app_assoc, <- copies_add.
    assert (E : m ^ S t = (q * m) * n + m * v).
    { cbn [Nat.pow]. unfold q, v. pose proof (Nat.div_mod_eq (m ^ t) n) as H. nia. }
    rewrite E, (Nat.add_comm (q * m * n)), Nat.div_add, Nat.mod_add by lia.
    now rewrite Nat.add_comm.
Qed.
