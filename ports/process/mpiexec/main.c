/* main.c: mpiexec. It forks once: the child is the keeper of the job, and we only pass signals on to it. So
 * whichever of the two is killed, the other is left to end the ranks and what they have started.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "board.h"
#include "keeper.h"
#include "machine.h"
#include "model.h"
#include "runner.h"
#include "variables.h"

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2};

/* What was ignored when we were started (nohup, a background job of a script) stays so. */
static int ignored(int sig)
{
    struct sigaction now;
    return (sig == SIGHUP || sig == SIGINT) && sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void choose_signals(sigset_t *handled)
{
    sigemptyset(handled);
    sigaddset(handled, SIGCHLD);
    sigaddset(handled, SIGPWR); /* the keeper's: mpiexec is gone */
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++)
        if (!ignored(passed_on[i]))
            sigaddset(handled, passed_on[i]);
}

/* Until the keeper has ended: its wait status. */
static int relay(pid_t keeper, const sigset_t *handled)
{
    for (;;) {
        siginfo_t info;
        int status, sig = sigwaitinfo(handled, &info);
        pid_t pid;
        while (sig == SIGCHLD && (pid = waitpid(-1, &status, WNOHANG)) > 0)
            if (pid == keeper)
                return status;
        /* What the terminal sends has reached the keeper by itself. */
        if (sig > 0 && sig != SIGCHLD && sig != SIGPWR && info.si_code != SI_KERNEL)
            kill(keeper, sig);
        if (sig == SIGTSTP)
            kill(getpid(), SIGSTOP);
    }
}

/* A pipe of ours on a descriptor below 3 would be taken for the output. */
static void need_standard_files(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd < 3);
    close(fd);
}

static int run(const struct options *o, struct tracer *trace)
{
    sigset_t all, mask, handled;
    need_standard_files();
    signal(SIGCHLD, SIG_DFL);
    choose_signals(&handled);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t self = getpid(), keeper = fork();
    if (keeper < 0) {
        perror("mpiexec: cannot fork");
        return 1;
    }
    if (keeper == 0)
        _exit(keeper_run(o, trace, self, &mask, &handled));
    int status = relay(keeper, &handled);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    machine_kill_tree();
    tracer_drop(trace);
    fprintf(stderr, "mpiexec: its keeper process was killed by signal %d; the job has been ended\n", WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

/* What the user may not expect, a line each. */
static void say_notices(const struct options *o)
{
    if (o->quiet)
        return;
    for (const char *at = o->notices; *at; at += strcspn(at, "\n") + 1)
        fprintf(stderr, "mpiexec: %.*s\n", (int)strcspn(at, "\n"), at);
    for (char **variable = environ; *variable; variable++) {
        const char *meant = variables_meant(*variable);
        if (meant)
            fprintf(stderr, "mpiexec: %.*s is no setting of mpico; did you mean %s?\n", (int)strcspn(*variable, "="),
                    *variable, meant);
    }
}

int main(int argc, char **argv)
{
    static struct options options;
    char why[1024];
    switch (options_parse(&options, argc, argv, why, sizeof why)) {
    case OPTIONS_HELP:
        fputs(options_help, stdout);
        return 0;
    case OPTIONS_HELP_ENV:
        variables_help(stdout);
        return 0;
    case OPTIONS_VERSION:
        puts("mpiexec (mpico) " MPICO_VERSION);
        return 0;
    case OPTIONS_WRONG:
        fprintf(stderr, "mpiexec: %s\nTry 'mpiexec --help'.\n", why);
        return 2;
    case OPTIONS_RUN:
        break;
    }
    say_notices(&options);
    static struct tracer trace;
    int status = variables_check(&options, why, sizeof why);
    if (!status)
        status = runner_plan(&options, why, sizeof why);
    if (!status)
        status = board_plan(&options, why, sizeof why);
    if (!status)
        status = model_plan(&options, why, sizeof why);
    if (!status)
        status = tracer_open(&trace, &options, why, sizeof why);
    if (status) {
        fprintf(stderr, "mpiexec: %s\n", why);
        return status;
    }
    return run(&options, &trace);
}
