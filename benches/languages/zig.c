/* Calls the functions of counted.zig: reads `id n calls word ...`, prints `id n outcome word ...`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t less_than_32(uint32_t n);
uint64_t less_than_64(uint64_t n);
uint32_t less_than_biased_32(uint32_t n);

static uint64_t *words;
static size_t count, place;

/* Returns the next given word. When all are used up, returns other words, and the call is not printed. */
uint64_t next_word(void) {
    static uint64_t other = 1;
    if (place < count) return words[place++];
    place = count + 1;
    return other = other * 6364136223846793005u + 1442695040888963407u;
}

int run(void) {
    char id[64];
    unsigned long n;
    size_t calls;
    while (scanf("%63s %lu %zu", id, &n, &calls) == 3) {
        size_t room = 0;
        count = place = 0;
        while (getchar() == ' ') {
            unsigned long word;
            if (count == room) words = realloc(words, (room = 2 * room + 64) * sizeof *words);
            if (scanf("%lu", &word) == 1) words[count++] = word;
        }
        for (size_t call = 0; call < calls; call++) {
            size_t begin = place;
            unsigned long outcome = strcmp(id, "zig-uintlessthan-u64") == 0   ? less_than_64(n)
                                    : strcmp(id, "zig-uintlessthan-u32") == 0 ? less_than_32(n)
                                                                              : less_than_biased_32(n);
            if (place > count) break;
            printf("%s %lu %lu", id, n, outcome);
            for (size_t at = begin; at < place; at++) printf(" %lu", (unsigned long)words[at]);
            printf("\n");
        }
    }
    return 0;
}
