/* Runs one of the C libraries GMP, GSL and libsodium, chosen by -DGMP, -DGSL or -DSODIUM. Reads `id n calls word ...`,
   prints `id n outcome word ...`. The generators of GSL and libsodium are replaced by one that returns the given words.
   For GMP, a copy of its Mersenne Twister is stepped word by word until it gives the word that GMP draws after a call;
   this shows how many words the call took. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef GMP
#include <gmp.h>
#endif
#ifdef GSL
#include <gsl/gsl_rng.h>
#endif
#ifdef SODIUM
#include <sodium.h>
#endif

static uint64_t *words;
static size_t count, place;

/* Returns the next given word. When all are used up, returns other words, and the call is not printed. */
static uint32_t word(void) {
    static uint32_t other = 1;
    if (place < count) return (uint32_t)words[place++];
    place = count + 1;
    return other = other * 1664525u + 1013904223u;
}

#ifdef GSL
static void set(void *state, unsigned long seed) {}
static unsigned long get(void *state) { return word(); }
static double get_double(void *state) { return word() / 4294967296.0; }
static const gsl_rng_type given = {"given", 0xffffffffUL, 0, 1, &set, &get, &get_double};
#endif

#ifdef SODIUM
static const char *name(void) { return "given"; }
static void stir(void) {}
static void buffer(void *const bytes, const size_t size) { memset(bytes, 0, size); }
static int end(void) { return 0; }
static struct randombytes_implementation given = {name, word, stir, NULL, buffer, end};
#endif

int main(void) {
    char id[64];
    uint64_t n;
    size_t calls;
#ifdef GSL
    gsl_rng *generator = gsl_rng_alloc(&given);
#endif
#ifdef SODIUM
    randombytes_set_implementation(&given);
#endif
    while (scanf("%63s %lu %zu", id, &n, &calls) == 3) {
        size_t room = 0;
        count = place = 0;
        int c;
        while ((c = getchar()) == ' ') {
            if (count == room) words = realloc(words, (room = 2 * room + 64) * sizeof *words);
            if (scanf("%lu", &words[count]) == 1) count++;
        }
#ifdef GMP
        gmp_randstate_t real, twin;
        gmp_randinit_mt(real);
        gmp_randseed_ui(real, 12345);
        gmp_randinit_set(twin, real);
        mpz_t most, result;
        mpz_init_set_ui(most, n);
        mpz_init(result);
#endif
        for (size_t call = 0; call < calls; call++) {
            size_t begin = place;
#ifdef GMP
            uint64_t outcome;
            if (call % 2 == 0) {
                mpz_urandomm(result, real, most);
                outcome = mpz_get_ui(result);
            } else {
                outcome = gmp_urandomm_ui(real, n);
            }
            printf("%s %lu %lu", id, n, outcome);
            uint32_t first = gmp_urandomb_ui(real, 32), second = gmp_urandomb_ui(real, 32);
            uint32_t a = gmp_urandomb_ui(twin, 32), b = gmp_urandomb_ui(twin, 32);
            while (a != first || b != second) {
                printf(" %u", a);
                a = b;
                b = gmp_urandomb_ui(twin, 32);
            }
            printf("\n");
#else
#ifdef GSL
            uint64_t outcome = gsl_rng_uniform_int(generator, n);
#else
            uint64_t outcome = randombytes_uniform((uint32_t)n);
#endif
            if (place > count) break;
            printf("%s %lu %lu", id, n, outcome);
            for (size_t at = begin; at < place; at++) printf(" %lu", words[at]);
            printf("\n");
#endif
        }
    }
}
