/* A library for LD_PRELOAD: once there is a file "hang", the main thread never returns from its next look at the
   clock. The kernel does not wake a parent of vfork for signals that have a handler. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* now) {
    if (getpid() == (pid_t)syscall(SYS_gettid) && access("hang", F_OK) == 0 && vfork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (1) pause();
    }
    return (int)syscall(SYS_clock_gettime, clock, now);
}
