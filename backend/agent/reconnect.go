package agent

import (
	"math/rand/v2"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// connEvent is an event in the connection state machine.
type connEvent string

const (
	eventNeeded       connEvent = "wanted"       // a prompt or another operation needs the agent
	eventRetried      connEvent = "retried"      // the user requested a retry
	eventRetryDue     connEvent = "due"          // the delay before the next attempt has passed
	eventChecked      connEvent = "checked"      // the folder, the program and the sign-in were checked; nothing prevents a start
	eventSignedOut    connEvent = "signed out"   // a sign-in is required, because there is no usable one or the agent rejects it
	eventPostponed    connEvent = "put off"      // the agent wants a sign-in, but GitHub is unreachable or a different token is now available
	eventUntrusted    connEvent = "untrusted"    // the folder contains untrusted executable settings
	eventUnlaunchable connEvent = "unlaunchable" // the agent can't be started: no program, no folder, …
	eventInitialized  connEvent = "answered"     // initialize was answered
	eventRestored     connEvent = "restored"     // the main session is loaded, or its next prompt will load or create it
	eventExited       connEvent = "exited"       // the process exited or was killed
	eventExhausted    connEvent = "exhausted"    // the process exited too often within a minute
	eventIdled        connEvent = "idled"        // the process was idle for long enough
	eventStopped      connEvent = "halted"       // the user stopped the agent
	eventClosed       connEvent = "closed"       // the chat or the app is closing
)

// transitions is the transition table of the connection state machine. Events without
// an entry don't change the state.
//
// Starting is only entered from Checking, so that the token and the folder are checked
// before every start.
var transitions = map[backend.ConnectionState]map[connEvent]backend.ConnectionState{
	backend.ConnectionIdle:       {eventNeeded: backend.ConnectionChecking, eventRetried: backend.ConnectionChecking},
	backend.ConnectionChecking:   {eventChecked: backend.ConnectionStarting, eventSignedOut: backend.ConnectionNeedsLogin, eventPostponed: backend.ConnectionWaiting, eventUntrusted: backend.ConnectionNeedsTrust, eventUnlaunchable: backend.ConnectionFailed, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionStarting:   {eventInitialized: backend.ConnectionRestoring, eventSignedOut: backend.ConnectionNeedsLogin, eventPostponed: backend.ConnectionWaiting, eventUntrusted: backend.ConnectionNeedsTrust, eventUnlaunchable: backend.ConnectionFailed, eventExited: backend.ConnectionWaiting, eventExhausted: backend.ConnectionFailed, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionRestoring:  {eventRestored: backend.ConnectionReady, eventSignedOut: backend.ConnectionNeedsLogin, eventPostponed: backend.ConnectionWaiting, eventUntrusted: backend.ConnectionNeedsTrust, eventExited: backend.ConnectionWaiting, eventExhausted: backend.ConnectionFailed, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionReady:      {eventSignedOut: backend.ConnectionNeedsLogin, eventPostponed: backend.ConnectionWaiting, eventUntrusted: backend.ConnectionNeedsTrust, eventUnlaunchable: backend.ConnectionFailed, eventExited: backend.ConnectionWaiting, eventExhausted: backend.ConnectionFailed, eventIdled: backend.ConnectionIdle, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionWaiting:    {eventRetryDue: backend.ConnectionChecking, eventRetried: backend.ConnectionChecking, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionNeedsLogin: {eventNeeded: backend.ConnectionChecking, eventRetried: backend.ConnectionChecking, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionNeedsTrust: {eventNeeded: backend.ConnectionChecking, eventRetried: backend.ConnectionChecking, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionFailed:     {eventNeeded: backend.ConnectionChecking, eventRetried: backend.ConnectionChecking, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
}

// next returns the state that follows s after the event h, or false if the event doesn't change the state.
func next(s backend.ConnectionState, h connEvent) (backend.ConnectionState, bool) {
	to, ok := transitions[s][h]
	return to, ok
}

// health is the time after which a process counts as healthy. Once it has been ready for that long, the agent's
// earlier exits no longer count.
const health = time.Minute

// maxDelay is the maximum delay between two attempts to start an agent.
const maxDelay = 30 * time.Second

// attempts counts an agent's exits and postponed starts.
type attempts struct {
	exits         []time.Time // within the last minute
	inRow         int         // number of consecutive exits of processes that hadn't been ready for the duration health
	postponements int         // number of consecutive postponed starts, counted in the same way
}

// exited records that a process exited, and returns the delay before the next start. The parameter now is the time
// of the exit, and ready is how long the process had been ready. The parameter most is the limit on the number of
// exits within a minute. If that limit has been reached, retry is false.
func (a *attempts) exited(now time.Time, ready time.Duration, most int) (delay time.Duration, retry bool) {
	if ready >= health {
		*a = attempts{}
	}
	recent := a.exits[:0]
	for _, t := range a.exits {
		if now.Sub(t) < time.Minute {
			recent = append(recent, t)
		}
	}
	a.exits = append(recent, now)
	a.inRow++
	return backOff(a.inRow), len(a.exits) < most
}

// postponed records a postponed start and returns the delay before the next attempt. The parameter ready is how long
// the last process had been ready. The number of attempts is unlimited, because nothing is started while GitHub is
// unreachable.
func (a *attempts) postponed(ready time.Duration) time.Duration {
	if ready >= health {
		*a = attempts{}
	}
	a.postponements++
	return backOff(a.postponements)
}

// backOff returns the delay before attempt n, counted from 1. The delays are 0, 1, 2, 4, 8 and 16 seconds, and then
// always 30 seconds.
func backOff(n int) time.Duration {
	if n <= 1 {
		return 0
	}
	if n > 7 {
		return maxDelay
	}
	return min(time.Second<<(n-2), maxDelay)
}

// withJitter changes a delay by up to 20% at random. This prevents chats whose agents exited together from
// restarting at the same time.
func withJitter(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64()))
}

// recheckInterval is the maximum interval between idle checks. It ensures that a changed idle
// timeout takes effect soon.
const recheckInterval = time.Minute

// idleDelay returns the time until the next idle check, or 0 if the agent must be stopped now. quiet is how long the
// agent has been idle. limit is the idle timeout in the settings; 0 means that agents are never stopped. A busy agent
// isn't stopped.
func idleDelay(limit, quiet time.Duration, busy bool) time.Duration {
	switch {
	case limit <= 0:
		return recheckInterval
	case busy:
		return min(limit, recheckInterval)
	case quiet >= limit:
		return 0
	}
	return min(limit-quiet, recheckInterval)
}
