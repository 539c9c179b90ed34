(** Sequences of rolls, and counting among them.

    A source die has [m] sides; its faces are [0], ..., [m - 1]. The [m ^ t]
    sequences of [t] rolls are equally likely, so a probability after [t] rolls
    is a number of sequences divided by [m ^ t]. *)

From Coq Require Import Arith List Permutation Lia.
Import ListNotations.

(** All sequences of [t] rolls of a die of [m] sides, the first roll first. *)
Fixpoint words (m t : nat) : list (list nat) :=
  match t with
  | 0 => [[]]
  | S t => flat_map (fun w => map (fun face => w ++ [face]) (seq 0 m)) (words m t)
  end.

(** How many members of a list have a property. *)
Definition count {A} (p : A -> bool) (l : list A) : nat := length (filter p l).

Definition sum (l : list nat) : nat := fold_right Nat.add 0 l.

(** [words m t] holds every sequence of [t] faces, each once: [m ^ t] in all. *)
Theorem in_words : forall m t w,
  In w (words m t) <-> length w = t /\ Forall (fun face => face < m) w.
Proof.
  induction t as [|t IH]; intros w; cbn [words].
  - split.
    + intros [<-|[]]. now split.
    + intros [H _]. destruct w; [now left | discriminate].
  - rewrite in_flat_map. split.
    + intros (u & Hu & Hw). apply in_map_iff in Hw. destruct Hw as (f & <- & Hf).
      apply in_seq in Hf. apply IH in Hu. destruct Hu as [Hl Hu]. split.
      * rewrite app_length. cbn. lia.
      * apply Forall_app. split; [exact Hu | repeat constructor; lia].
    + intros [Hl Hw]. destruct (exists_last (l := w)) as (u & f & ->).
      { intros ->. discriminate. }
      apply Forall_app in Hw. destruct Hw as [Hu Hf]. inversion Hf; subst.
      rewrite app_length in Hl. cbn in Hl.
      exists u. split; [apply IH; split; [lia | exact Hu] |].
      apply in_map_iff. exists f. split; [easy | apply in_seq; lia].
Qed.

Theorem words_distinct : forall m t, NoDup (words m t).
Proof.
  induction t as [|t IH]; cbn [words].
  - repeat constructor. easy.
  - induction IH as [|w l Hw _ IHl]; cbn; [constructor |].
    assert (Happ : forall (a b c d : list nat) x y,
      a ++ [x] = b ++ [y] -> a = b /\ x = y) by (intros; now apply app_inj_tail).
    revert IHl. generalize (seq_NoDup m 0). generalize (seq 0 m) at 1 3 as faces.
    induction faces as [|f faces IHf]; cbn; intros Hd IHl; [exact IHl |].
    inversion Hd as [|? ? Hf Hd']; subst. constructor; [| now apply IHf].
    rewrite in_app_iff, in_map_iff, in_flat_map.
    intros [(g & Hg & Hin)|(u & Hu & Hin)].
    + apply Happ in Hg; [| exact nil | exact nil]. destruct Hg as [_ <-]. easy.
    + apply in_map_iff in Hin. destruct Hin as (g & Hg & _).
      apply Happ in Hg; [| exact nil | exact nil]. destruct Hg as [<- _]. easy.
Qed.

Lemma length_flat_map_const : forall A B (f : A -> list B) k l,
  (forall a, length (f a) = k) -> length (flat_map f l) = length l * k.
Proof.
  intros A B f k l H. induction l as [|a l IH]; cbn; [easy |].
  rewrite app_length, H, IH. lia.
Qed.

Theorem length_words : forall m t, length (words m t) = m ^ t.
Proof.
  induction t as [|t IH]; cbn [words]; [easy |].
  rewrite (length_flat_map_const _ _ _ m).
  - rewrite IH. cbn. lia.
  - intros w. now rewrite map_length, seq_length.
Qed.

Lemma count_app : forall A (p : A -> bool) l k, count p (l ++ k) = count p l + count p k.
Proof. intros. unfold count. now rewrite filter_app, app_length. Qed.

Lemma count_map : forall A B (p : B -> bool) (f : A -> B) l,
  count p (map f l) = count (fun a => p (f a)) l.
Proof.
  intros. unfold count. induction l as [|a l IH]; cbn; [easy |].
  destruct (p (f a)); cbn; now rewrite IH.
Qed.

Lemma count_flat_map : forall A B (p : B -> bool) (f : A -> list B) l,
  count p (flat_map f l) = sum (map (fun a => count p (f a)) l).
Proof.
  intros. induction l as [|a l IH]; [easy |]. cbn [flat_map map sum fold_right].
  now rewrite count_app, IH.
Qed.

Lemma count_permutation : forall A (p : A -> bool) l k,
  Permutation l k -> count p l = count p k.
Proof.
  intros A p l k H. unfold count. induction H; cbn; try congruence.
  - destruct (p x); cbn; congruence.
  - destruct (p x), (p y); reflexivity.
Qed.

Lemma count_ext : forall A (p q : A -> bool) l,
  (forall a, In a l -> p a = q a) -> count p l = count q l.
Proof.
  intros A p q l H. unfold count. induction l as [|a l IH]; cbn; [easy |].
  rewrite (H a) by now left. rewrite filter_ext_in with (g := q); [easy |].
  intros b Hb. apply H. now right.
Qed.

Lemma count_all : forall A (p : A -> bool) l, (forall a, p a = true) -> count p l = length l.
Proof.
  intros A p l H. unfold count. induction l as [|a l IH]; cbn; [easy |].
  rewrite H. cbn. now rewrite IH.
Qed.

Lemma count_none : forall A (p : A -> bool) l, (forall a, p a = false) -> count p l = 0.
Proof.
  intros A p l H. unfold count. induction l as [|a l IH]; cbn; [easy |]. now rewrite H.
Qed.
