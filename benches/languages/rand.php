<?php
// Reads `id n calls word ...`, prints `id n outcome word ...` for each call. For mt_rand, two words are drawn
// after a call, and an engine with the same seed is stepped until it gives these two words; this shows how many words
// the call took. For random_int, the given bytes are in the file that feed.c reads, and the place in this file shows
// how many bytes the call took.

function unsigned_word(string $bytes): string
{
    $word = unpack('P', str_pad($bytes, 8, "\0"))[1];
    return sprintf('%u', $word);
}

while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', trim($line));
    [$id, $n, $calls] = array_splice($words, 0, 3);
    $most = $n === '9223372036854775808' ? PHP_INT_MAX : (int) $n - 1;
    $out = '';
    if ($id === 'php-random-int') {
        $bytes = '';
        foreach ($words as $word) {
            $bytes .= bytes_of($word);
        }
        file_put_contents(getenv('FEED'), $bytes);
        file_put_contents(getenv('FEED') . '.place', pack('P', 0));
        for ($call = 0, $begin = 0; $call < $calls; $call++) {
            $outcome = random_int(0, $most);
            $end = unpack('P', file_get_contents(getenv('FEED') . '.place'))[1];
            if ($end > strlen($bytes)) {
                break;
            }
            $drawn = array_map('unsigned_word', $end > $begin ? str_split(substr($bytes, $begin, $end - $begin), 8) : []);
            $out .= implode(' ', [$id, $n, $outcome, ...$drawn]) . "\n";
            $begin = $end;
        }
    } else {
        $mode = $id === 'php-mt-rand-legacy' ? MT_RAND_PHP : MT_RAND_MT19937;
        mt_srand(12345, $mode);
        $twin = new Random\Engine\Mt19937(12345, $mode);
        $next = fn () => unpack('V', $twin->generate())[1];
        for ($call = 0; $call < $calls; $call++) {
            $outcome = mt_rand(0, $most);
            $mark = [mt_rand(), mt_rand()];
            $seen = [$next(), $next()];
            while ([$seen[count($seen) - 2] >> 1, $seen[count($seen) - 1] >> 1] !== $mark) {
                $seen[] = $next();
            }
            $out .= implode(' ', [$id, $n, $outcome, ...array_slice($seen, 0, -2)]) . "\n";
        }
    }
    echo $out;
}

// Returns the eight bytes, the lowest first, of a 64-bit word given in decimal digits.
function bytes_of(string $decimal): string
{
    $word = 0;
    foreach (str_split($decimal) as $digit) {
        // computes 10 * word + digit modulo 2^64, in two halves that do not overflow
        $low = ($word & 0xFFFFFFFF) * 10 + (int) $digit;
        $high = (($word >> 32) & 0xFFFFFFFF) * 10 + ($low >> 32);
        $word = ($high & 0xFFFFFFFF) << 32 | ($low & 0xFFFFFFFF);
    }
    return pack('P', $word);
}
