# $RANDOM % n of bash after RANDOM=seed: reads `id n calls`, prints `id n outcome word` with the states of the
# generator, which is stepped here on its own (x = 16807 x modulo 2^31 - 1), counted from 0.
while read -r id n calls; do
    RANDOM=12345
    state=12345
    for ((i = 0; i < calls; i++)); do
        outcome=$((RANDOM % n))
        ((state = state * 16807 % 2147483647))
        echo "$id $n $outcome $((state - 1))"
    done
done
