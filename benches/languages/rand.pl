# Runs int(rand n) of Perl after srand: reads `id n calls`, prints `id n outcome word`. The word is the state of drand48,
# which this script computes itself (x = 0x5DEECE66D x + 11 modulo 2^48, beginning with seed * 2^16 + 0x330E).
use strict;
use warnings;
use Math::BigInt;

while (my $line = <STDIN>) {
    my ($id, $n, $calls) = split ' ', $line;
    srand(12345);
    my $state = Math::BigInt->new(12345)->blsft(16)->badd(0x330E);
    for (1 .. $calls) {
        my $outcome = int(rand $n);
        $state->bmul('0x5DEECE66D')->badd(11)->bmod(Math::BigInt->new(2)->bpow(48));
        print "$id $n $outcome $state\n";
    }
}
