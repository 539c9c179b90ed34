<?php
// Words of 32 bits that shuffle() draws. Arguments: id cards shuffles; prints the words. Those of a shuffle are the place in
// the generator's words of the ones that are drawn after it; mt_rand() shows the top 31 bits of each.
[$cards, $shuffles] = [(int) $argv[2], (int) $argv[3]];
$words = 0;
for ($seed = 0; $seed < $shuffles; $seed++) {
    $deck = range(1, $cards);
    mt_srand($seed);
    shuffle($deck);
    $after = [mt_rand(), mt_rand()];
    mt_srand($seed);
    [$a, $b] = [mt_rand(), mt_rand()];
    while ([$a, $b] !== $after) {
        $words++;
        [$a, $b] = [$b, mt_rand()];
    }
}
echo $words, "\n";
