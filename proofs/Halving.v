(** E(m n) = E(n) + 1; for a coin E(2n) = E(n) + 1. *)

From Coq Require Import Arith List QArith Qabs Lqa Lia.
From Flipcost Require Import Limits Series.
Local Open Scope Q_scope.

(** The residues of [m n] are those of [n], one roll later and [m] times as large. *)
Lemma residue_later : forall m n t, (1 <= m)%nat -> (1 <= n)%nat ->
  (m ^ S t mod (m * n) = m * (m ^ t mod n))%nat.
Proof. intros. cbn [Nat.pow]. apply Nat.mul_mod_distr_l; lia. Qed.

Lemma survival_later : forall m n t, (1 <= m)%nat -> (1 <= n)%nat ->
  survival m (m * n) (S t) == survival m n t.
Proof.
  intros m n t Hm Hn. unfold survival. rewrite residue_later, q_pow_S, q_mul by easy.
  pose proof (q_pos m Hm). pose proof (q_pow_pos m t Hm). field. lra.
Qed.

Theorem E_of_multiple : forall m n e, (2 <= m)%nat -> (1 <= n)%nat ->
  is_E m n e -> is_E m (m * n) (e + 1).
Proof.
  intros m n e Hm Hn He eps Heps. destruct (He eps Heps) as [K HK].
  exists (S K). intros [|k] Hk; [lia |]. rewrite partial_first.
  rewrite (partial_ext (fun t => survival m (m * n) (S t)) (survival m n))
    by (intros; apply survival_later; lia).
  assert (E0 : survival m (m * n) 0 == 1).
  { unfold survival. change (m ^ 0)%nat with 1%nat.
    rewrite Nat.mod_small by nia. reflexivity. }
  rewrite E0.
  setoid_replace (1 + partial (survival m n) k - (e + 1))
    with (partial (survival m n) k - e) by ring.
  apply HK. lia.
Qed.

(** E(2n) = E(n) + 1 for a coin. *)
Theorem E_of_double : forall n e e', (1 <= n)%nat ->
  is_E 2 n e -> is_E 2 (2 * n) e' -> e' == e + 1.
Proof.
  intros n e e' Hn He He'. apply (E_unique 2 (2 * n) _ _ He').
  now apply E_of_multiple.
Qed.
