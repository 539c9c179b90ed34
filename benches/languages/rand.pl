# int(rand n) of Perl after srand: reads `id n calls`, prints `id n outcome word` with the state of drand48, which is
# stepped here on its own (x = 0x5DEECE66D x + 11 modulo 2^48, from the seed times 2^16 plus 0x330E).
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
