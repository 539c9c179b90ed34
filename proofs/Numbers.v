(** Prints E(n), n <= 200, for sources of 2, ..., 12 sides: [(m, n, numerator, denominator)].
    [.ci/proofs.sh] compares the numbers with the program's. *)

From Coq Require Import List ZArith.
From Flipcost Require Import Table.
Import ListNotations.
Local Open Scope Z_scope.

Set Printing Depth 1000000.
Eval vm_compute in flat_map (fun m => table m 200) (seq 2 11).
