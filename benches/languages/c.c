/* Runs rand() % n of the C library: reads `id n calls`, prints `id n outcome word`. The words are those of rand()
   after the same seed. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char id[64];
    unsigned long n;
    int calls;
    while (scanf("%63s %lu %d%*[^\n]", id, &n, &calls) == 3) {
        unsigned long *outcomes = malloc(calls * sizeof *outcomes);
        srand(12345);
        for (int i = 0; i < calls; i++) outcomes[i] = rand() % n;
        srand(12345);
        for (int i = 0; i < calls; i++) printf("%s %lu %lu %d\n", id, n, outcomes[i], rand());
        free(outcomes);
    }
}
