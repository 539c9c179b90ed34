// Does the tasks of run.py with GMP and OpenMP: gcc -O2 -fopenmp peers.c -lgmp
// With -DFLINT, -lflint and FLINT's headers, FLINT computes the product.
// Prints one line: a sum, and for a single n also the milliseconds inside the process.
#include <gmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef FLINT
#include <flint/fmpz.h>
#endif

typedef uint64_t u64;
typedef unsigned __int128 u128;

static const u64 M61 = (1ull << 61) - 1;

static void fail(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

// Computes orders of 2 by a sieve of smallest prime factors. For odd m, period[m] is the order modulo m.
// exact[m] is the power of two in the orders modulo the prime factors of m if all of these powers are
// equal, otherwise 0. For m > 1, -1 is a power of 2 modulo m if and only if exact[m] > 1.
static uint32_t *least, *period, *exact;

static u64 power_of_2(u64 exponent, u64 m) {
    u64 result = 1 % m, base = 2 % m;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = result * base % m;
        base = base * base % m;
    }
    return result;
}

static void sieve(u64 limit) {
    least = calloc(limit + 1, 4);
    period = calloc(limit + 2, 4);
    exact = calloc(limit + 2, 4);
    if (!least || !period || !exact) fail("no memory");
    for (u64 q = 2; q * q <= limit; q++)
        if (!least[q])
            for (u64 k = q * q; k <= limit; k += q)
                if (!least[k]) least[k] = q;
    period[1] = 1;
#pragma omp parallel for schedule(dynamic, 1024)
    for (u64 q = 3; q <= limit; q += 2) {
        if (least[q]) continue;
        u64 order = q - 1, rest = q - 1;
        while (rest > 1) {
            u64 f = least[rest] ? least[rest] : rest;
            while (rest % f == 0) rest /= f;
            while (order % f == 0 && power_of_2(order / f, q) == 1) order /= f;
        }
        period[q] = order;
        exact[q] = order & -order;
    }
    for (u64 m = 9; m <= limit; m += 2) {
        u64 q = least[m];
        if (!q) continue;
        u64 r = m / q, last = q;
        while (r % q == 0) r /= q, last *= q;
        if (r == 1) {
            u64 order = period[m / q];
            period[m] = power_of_2(order, m) == 1 ? order : order * q;
            exact[m] = exact[q];
        } else {
            u64 a = period[last], b = period[r], x = a, y = b;
            while (y) { u64 t = x % y; x = y; y = t; }
            period[m] = a / x * b;
            exact[m] = exact[q] == exact[r] ? exact[q] : 0;
        }
    }
}

static int has_half(u64 m) { return m > 1 && exact[m] > 1; }

static u64 order_alone(u64 m, int *half) {
    u64 phi = m, rest = m;
    for (u64 q = 3; q * q <= rest; q += 2)
        if (rest % q == 0) {
            phi = phi / q * (q - 1);
            while (rest % q == 0) rest /= q;
        }
    if (rest > 1) phi = phi / rest * (rest - 1);
    u64 order = phi;
    rest = phi;
    for (u64 q = 2; rest > 1; q++) {
        if (q * q > rest) q = rest;
        if (rest % q) continue;
        while (rest % q == 0) rest /= q;
        while (order % q == 0 && power_of_2(order / q, m) == 1) order /= q;
    }
    *half = order % 2 == 0 && power_of_2(order / 2, m) == m - 1;
    return order;
}

// Counts the ones in each period.
static void rounds(u64 limit, const char *path) {
    sieve(limit);
    uint32_t *ones = calloc(limit + 1, 4);
    if (!ones) fail("no memory");
#pragma omp parallel
    {
        u64 most = limit / 64 + 2;
        mp_limb_t *full = malloc(most * sizeof *full);
        memset(full, 0xff, most * sizeof *full);
        mpz_t q, view;
        mpz_init2(q, limit + 64);
#pragma omp for schedule(dynamic, 256)
        for (u64 m = 1; m <= limit; m += 2) {
            u64 p = period[m];
            if (m == 1 || has_half(m)) {
                ones[m] = m == 1 ? 1 : p / 2;
                continue;
            }
            u64 size = (p + 63) / 64;
            if (p % 64) full[size - 1] = (1ull << p % 64) - 1;
            mpz_divexact_ui(q, mpz_roinit_n(view, full, size), m);
            full[size - 1] = ~0ull;
            ones[m] = mpz_popcount(q);
        }
        mpz_clear(q);
        free(full);
    }
    FILE *file = fopen(path, "w");
    if (!file) fail("cannot write");
    for (u64 n = 1; n <= limit; n++)
        fprintf(file, "%llu %u\n", (unsigned long long)n, ones[n >> __builtin_ctzll(n)]);
    fclose(file);
}

// Computes the sum of j 2^j over the set bits j of b.
static void weigh(mpz_t j, const mpz_t b) {
    static const u64 mask[6] = {0xAAAAAAAAAAAAAAAAull, 0xCCCCCCCCCCCCCCCCull, 0xF0F0F0F0F0F0F0F0ull,
                                0xFF00FF00FF00FF00ull, 0xFFFF0000FFFF0000ull, 0xFFFFFFFF00000000ull};
    size_t size = mpz_size(b);
    const mp_limb_t *in = mpz_limbs_read(b);
    mp_limb_t *out = mpz_limbs_write(j, size + 2);
    u128 carry = 0;
    for (size_t i = 0; i < size; i++) {
        u64 w = in[i];
        carry += (u128)w * (64 * i);
        for (int s = 0; s < 6; s++) carry += (u128)(w & mask[s]) << s;
        out[i] = carry;
        carry >>= 64;
    }
    out[size] = carry;
    out[size + 1] = carry >> 64;
    mpz_limbs_finish(j, size + 2);
}

static void unreduced(mpz_t num, mpz_t den, mpz_t t, mpz_t j, u64 m, u64 p, int half) {
    u64 b = half ? p / 2 : p;
    mpz_set_ui(den, 0);
    mpz_setbit(den, b);
    if (half) mpz_add_ui(den, den, 1); else mpz_sub_ui(den, den, 1);
    mpz_divexact_ui(t, den, m);
    if (half) mpz_sub_ui(t, t, 1);
    weigh(j, t);
    mpz_set_ui(num, b);
    mpz_mul_2exp(num, num, b);
    if (half) mpz_add_ui(num, num, 2 * m);
    mpz_submul_ui(num, j, m);
}

static void reduce(mpz_t num, mpz_t den, mpz_t t) {
    mpz_gcd(t, num, den);
    if (mpz_cmp_ui(t, 1)) {
        mpz_divexact(num, num, t);
        mpz_divexact(den, den, t);
    }
}

static u64 residue(const mpz_t x) {
    const mp_limb_t *in = mpz_limbs_read(x);
    u64 r = 0;
    for (size_t i = mpz_size(x); i-- > 0;) {
        u128 t = ((u128)r << 3) + in[i];
        r = ((u64)t & M61) + (u64)(t >> 61);
    }
    return r % M61;
}

static void fractions(u64 limit) {
    sieve(limit);
    u64 total = 0;
#pragma omp parallel
    {
        mpz_t num, den, t, j;
        mpz_inits(num, den, t, j, NULL);
        u64 sum = 0;
#pragma omp for schedule(dynamic, 16)
        for (u64 m = 1; m <= limit; m += 2) {
            if (m == 1) {
                mpz_set_ui(num, 0);
                mpz_set_ui(den, 1);
            } else {
                unreduced(num, den, t, j, m, period[m], has_half(m));
                reduce(num, den, t);
            }
            for (u64 n = m; n <= limit; n *= 2) {
                sum = (sum + residue(num) + residue(den)) % M61;
                mpz_add(num, num, den);
            }
        }
#pragma omp critical
        total = (total + sum) % M61;
        mpz_clears(num, den, t, j, NULL);
    }
    printf("%llu\n", (unsigned long long)total);
}

// Writes the same fractions as CSV.
static void texts(u64 limit, const char *path) {
    sieve(limit);
    char **lines = calloc(limit + 1, sizeof *lines);
    if (!lines) fail("no memory");
#pragma omp parallel
    {
        mpz_t num, den, t, j;
        mpz_inits(num, den, t, j, NULL);
#pragma omp for schedule(dynamic, 16)
        for (u64 m = 1; m <= limit; m += 2) {
            if (m == 1) {
                mpz_set_ui(num, 0);
                mpz_set_ui(den, 1);
            } else {
                unreduced(num, den, t, j, m, period[m], has_half(m));
                reduce(num, den, t);
            }
            for (u64 n = m; n <= limit; n *= 2) {
                char *line = malloc(mpz_sizeinbase(num, 10) + mpz_sizeinbase(den, 10) + 32);
                if (!line) fail("no memory");
                lines[n] = line;
                line += sprintf(line, "%llu,", (unsigned long long)n);
                line += strlen(mpz_get_str(line, 10, num));
                if (mpz_cmp_ui(den, 1)) {
                    *line++ = '/';
                    line += strlen(mpz_get_str(line, 10, den));
                }
                strcpy(line, "\n");
                mpz_add(num, num, den);
            }
        }
        mpz_clears(num, den, t, j, NULL);
    }
    FILE *file = fopen(path, "w");
    if (!file) fail("cannot write");
    fputs("n,expected_exact\n", file);
    for (u64 n = 1; n <= limit; n++) fputs(lines[n], file);
    fclose(file);
}

static void one(u64 n, int reduced) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    mpz_t num, den, t, j;
    mpz_inits(num, den, t, j, NULL);
    int half, k = __builtin_ctzll(n);
    u64 m = n >> k, p = order_alone(m, &half);
    unreduced(num, den, t, j, m, p, half);
    if (reduced) reduce(num, den, t);
    mpz_addmul_ui(num, den, k);
    clock_gettime(CLOCK_MONOTONIC, &b);
    double ms = (b.tv_sec - a.tv_sec) * 1e3 + (b.tv_nsec - a.tv_nsec) / 1e6;
    printf("%llu %.3f\n", (unsigned long long)((residue(num) + residue(den)) % M61), ms);
}

// Fills x with words of Marsaglia's xorshift generator (2003), the lowest word first.
static void number(mpz_t x, u64 *state, u64 size) {
    mp_limb_t *words = mpz_limbs_write(x, size);
    for (u64 i = 0; i < size; i++) {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        words[i] = *state;
    }
    mpz_limbs_finish(x, size);
}

// Measures the mean time of 20 products; a first product is not counted.
static void product(u64 bits) {
    struct timespec a, b;
    u64 state = 1;
    mpz_t x, y, z;
    mpz_inits(x, y, z, NULL);
    number(x, &state, bits / 64);
    number(y, &state, bits / 64);
#ifdef FLINT
    fmpz_t fx, fy, fz;
    fmpz_init_set_readonly(fx, x);
    fmpz_init_set_readonly(fy, y);
    fmpz_init(fz);
#endif
    for (int i = 0; i <= 20; i++) {
        if (i == 1) clock_gettime(CLOCK_MONOTONIC, &a);
#ifdef FLINT
        fmpz_mul(fz, fx, fy);
#else
        mpz_mul(z, x, y);
#endif
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
#ifdef FLINT
    fmpz_get_mpz(z, fz);
#endif
    double ms = ((b.tv_sec - a.tv_sec) * 1e3 + (b.tv_nsec - a.tv_nsec) / 1e6) / 20;
    printf("%llu %.3f\n", (unsigned long long)residue(z), ms);
}

// E(m) 2^T is at least T 2^T - m J(floor(2^T / m)), and exceeds it by less than 2 m.
static void decimals(u64 limit, int digits, const char *path) {
    u64 bits = ((u64)(digits * 3.33) + 32 + 64) / 64 * 64 + 64;
    size_t width = digits + 32;
    char *text = malloc((limit + 1) * width);
    if (!text) fail("no memory");
#pragma omp parallel
    {
        mpz_t power, ten, unit, q, j, v, high;
        mpz_inits(power, ten, unit, q, j, v, high, NULL);
        mpz_ui_pow_ui(ten, 10, digits);
        char buffer[4096];
#pragma omp for schedule(static)
        for (u64 m = 1; m <= limit; m += 2) {
            for (u64 wide = bits;; wide *= 2) {
                mpz_set_ui(power, 0);
                mpz_setbit(power, wide);
                mpz_tdiv_q_ui(q, power, m);
                weigh(j, q);
                mpz_mul_ui(v, power, wide);
                mpz_submul_ui(v, j, m);
                if (m == 1) mpz_set_ui(v, 0);
                // round both ends
                mpz_add_ui(high, v, m == 1 ? 0 : 2 * m);
                mpz_mul(v, v, ten);
                mpz_mul(high, high, ten);
                mpz_fdiv_q_2exp(q, power, 1);
                mpz_add(v, v, q);
                mpz_add(high, high, q);
                mpz_fdiv_q_2exp(v, v, wide);
                mpz_fdiv_q_2exp(high, high, wide);
                if (!mpz_cmp(v, high)) break;
            }
            for (u64 n = m; n <= limit; n *= 2) {
                mpz_get_str(buffer, 10, v);
                int length = strlen(buffer), k = length - digits;
                char *line = text + n * width;
                if (k <= 0) {
                    line += sprintf(line, "%llu,0.", (unsigned long long)n);
                    memset(line, '0', -k);
                    sprintf(line - k, "%s\n", buffer);
                } else {
                    sprintf(line, "%llu,%.*s.%s\n", (unsigned long long)n, k, buffer, buffer + k);
                }
                mpz_add(v, v, ten);
            }
        }
    }
    FILE *file = fopen(path, "w");
    if (!file) fail("cannot write");
    fputs("n,expected\n", file);
    for (u64 n = 1; n <= limit; n++) fputs(text + n * width, file);
    fclose(file);
}

int main(int count, char **words) {
    if (count < 3) fail("usage: peers rounds|fractions|texts|one|numerator|decimals|orders|product N [FILE]");
    const char *work = words[1], *path = count > 3 ? words[3] : "/dev/null";
    u64 n = strtoull(words[2], NULL, 10);
    if (!strcmp(work, "rounds")) rounds(n, path);
    else if (!strcmp(work, "fractions")) fractions(n);
    else if (!strcmp(work, "texts")) texts(n, path);
    else if (!strcmp(work, "one")) one(n, 1);
    else if (!strcmp(work, "numerator")) one(n, 0);
    else if (!strcmp(work, "product")) product(n);
    else if (!strcmp(work, "decimals")) decimals(n, 50, path);
    else if (!strcmp(work, "orders")) {
        sieve(n);
        u64 sum = 0;
        for (u64 k = 1; k <= n; k++) sum += period[k >> __builtin_ctzll(k)];
        printf("%llu\n", (unsigned long long)sum);
    } else fail("no such work");
    return 0;
}
