// The state that the C part of package first leaves to the Go part.

#include <stddef.h>

// Values of Go's package inside.
#define RUN_ARG "sandbox-run"
#define ALIVE_FD 3
#define JOB_FD 4

#define EXIT_FAILED 125 // the exit code if the command wasn't started
#define LATE_MS 10      // after which the Go part starts, which a short command doesn't need

enum {
	FIRST_NONE,    // this process isn't the first one of a sandbox
	FIRST_READY,   // Go has to start the command
	FIRST_RUNNING, // the command is running
	FIRST_ENDED,   // the command has failed
};

struct voxpilot_first {
	int state;
	char *job; // as the file
	size_t size;
	int *sockets; // listening, in the order of the job's relays
	int pid;      // of the command
	int status;   // of the command, if it has ended
};

extern struct voxpilot_first voxpilot_first;
