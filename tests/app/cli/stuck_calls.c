/* A library for LD_PRELOAD.
   - Once there is a file "hang", the main thread never returns from its next look at the clock. The kernel does not wake
     a parent of vfork for signals that have a handler.
   - While there is a file "busy_disk", each fsync takes 4 s. */
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

int fsync(int file) {
    const struct timespec seconds = {4, 0};
    if (access("busy_disk", F_OK) == 0) nanosleep(&seconds, NULL);
    return (int)syscall(SYS_fsync, file);
}
