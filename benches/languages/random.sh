# Runs $RANDOM % n of bash, with the first value after RANDOM=seed. Reads `id n calls`, prints `id n
# outcome word ...` with the states of the generator, counted from 0, which this script computes
# itself (x = 16807 x modulo 2^31 - 1). $RANDOM never gives the same value twice in a row, and never
# gives 0 after a seed. In these cases it takes the next state, and so does this script. Every fifth
# seed has a first state that gives 0 (1407677000 is the inverse of 16807).
while read -r id n calls; do
    for ((i = 1; i <= calls; i++)); do
        seed=$((i * 5368709 % 2147483647))
        ((i % 5)) || seed=$(((i << 16 | i) * 1407677000 % 2147483647))
        RANDOM=$seed
        value=$RANDOM
        state=$seed words=
        for ((step = 0; step < 3; step++)); do
            ((state = state * 16807 % 2147483647))
            words+=" $((state - 1))"
            (((state >> 16 ^ state) % 32768 == value)) && break
        done
        echo "$id $n $((value % n))$words"
    done
done
