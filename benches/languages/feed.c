/* A library to preload into a program. It replaces the random bytes of the operating system by known bytes, 8 at a
   time, from the file that FEED names. It does so as soon as the file FEED.place exists, which contains the number of
   bytes that were taken. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static int fed(void *bytes, size_t count) {
    const char *name = getenv("FEED");
    char place_name[4096];
    uint64_t place;
    if (!name || count != 8) return 0;
    snprintf(place_name, sizeof place_name, "%s.place", name);
    FILE *places = fopen(place_name, "r+b"), *given = fopen(name, "rb");
    int done = places && given && fread(&place, sizeof place, 1, places) == 1 &&
               fseek(given, (long)place, SEEK_SET) == 0;
    if (done) {
        done = fread(bytes, 1, count, given) == count;
        place += count; /* also counted after the end of the file, so that the caller notices the end */
        rewind(places);
        fwrite(&place, sizeof place, 1, places);
    }
    if (places) fclose(places);
    if (given) fclose(given);
    return done;
}

long syscall(long number, ...) {
    va_list list;
    long a[6];
    va_start(list, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_getrandom && fed((void *)a[0], (size_t)a[1])) return a[1];
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
