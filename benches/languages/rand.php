<?php
// Reads `id n calls word ...`, prints `id n outcome word ...` for each call. mt_rand: two words drawn after a call
// show how many the call took, by an engine of the same seed. random_int: its bytes are those given, in the file
// that feed.c reads, and their place in it tells how many it took.

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

// The eight bytes of a word of 64 bits in decimal, the low one first.
function bytes_of(string $decimal): string
{
    $word = 0;
    foreach (str_split($decimal) as $digit) {
        // ten times the word and a digit, modulo 2^64, in halves that do not overflow
        $low = ($word & 0xFFFFFFFF) * 10 + (int) $digit;
        $high = (($word >> 32) & 0xFFFFFFFF) * 10 + ($low >> 32);
        $word = ($high & 0xFFFFFFFF) << 32 | ($low & 0xFFFFFFFF);
    }
    return pack('P', $word);
}
