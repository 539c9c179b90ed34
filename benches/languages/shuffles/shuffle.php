<?php
// Counts the words of 32 bits that shuffle() draws. Arguments: id cards shuffles; prints the number of words. Words are drawn
// after each shuffle, and their place in the generator's sequence shows how many the shuffle took. mt_rand() shows only the
// top 31 bits of a word.
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
