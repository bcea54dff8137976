/* A wall clock that jumps once, for the process that loads this library (LD_PRELOAD) and for its descendants; the machine's
   clock is left alone. PLIMSOLL_CHAOS_JUMP is the instant of the jump by CLOCK_MONOTONIC, in ns, and its length in seconds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long long instant, length;

static int true_clock(clockid_t clock, struct timespec *now) {
    static int (*next)(clockid_t, struct timespec *);
    if (next == NULL) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    return next(clock, now);
}

__attribute__((constructor)) static void read_jump(void) {
    const char *jump = getenv("PLIMSOLL_CHAOS_JUMP");
    if (jump == NULL || sscanf(jump, "%lld %lld", &instant, &length) != 2) length = 0;
}

static long long jumped(void) {
    struct timespec now;
    true_clock(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec >= instant ? length : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = true_clock(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += jumped();
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (now != NULL) *now = precise.tv_sec;
    return precise.tv_sec;
}
