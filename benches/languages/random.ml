(* Runs Random.int and Random.full_int of OCaml 4.14: reads `id n calls`, prints `id n outcome word ...`. The words are
   the generator's steps of 30 bits. A copy of the state makes such steps until it is equal to the state after the call. *)
let () =
  try
    while true do
      match String.split_on_char ' ' (input_line stdin) with
      | id :: n :: calls :: _ ->
          let n = int_of_string n in
          let real = Random.State.make [| 12345 |] in
          let twin = Random.State.copy real in
          for call = 1 to int_of_string calls do
            let outcome =
              if n < 1 lsl 30 && call land 1 = 0 then Random.State.int real n
              else Random.State.full_int real n
            in
            Printf.printf "%s %d %d" id n outcome;
            while compare twin real <> 0 do
              Printf.printf " %d" (Random.State.bits twin)
            done;
            print_newline ()
          done
      | _ -> ()
    done
  with End_of_file -> ()
