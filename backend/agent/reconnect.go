package agent

import (
	"math/rand/v2"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// connEvent is something that happens to a connection.
type connEvent string

const (
	eventWanted       connEvent = "wanted"       // a prompt came
	eventRetried      connEvent = "retried"      // the user said: try again
	eventRetryDue     connEvent = "due"          // the time to try again has come
	eventChecked      connEvent = "checked"      // the token, where there is one, is good; the program was found
	eventSignedOut    connEvent = "signed out"   // the token is not good, or the agent wants another one
	eventPostponed    connEvent = "put off"      // the agent wants a sign-in, and GitHub cannot say whether it has one; or it has another by now
	eventUntrusted    connEvent = "untrusted"    // the folder can run something that the user has not trusted
	eventUnlaunchable connEvent = "unlaunchable" // it cannot be started: no program, no folder, …
	eventInitialized  connEvent = "answered"     // initialize was answered
	eventRestored     connEvent = "restored"     // the main session is loaded, where there is one
	eventExited       connEvent = "exited"       // the process ended, or had to be ended
	eventExhausted    connEvent = "exhausted"    // … for the last time: it did too often
	eventIdled        connEvent = "idled"        // it had nothing to do for a while
	eventStopped      connEvent = "halted"       // the user said: stop
	eventClosed       connEvent = "closed"       // the chat or the app goes
)

// transitions is the whole reconnect machine: what follows in a state when something
// happens. What stands in no row changes nothing.
//
// Starting is entered from Checking only, so that the token and the folder are
// checked before every start.
var transitions = map[backend.ConnectionState]map[connEvent]backend.ConnectionState{
	backend.ConnectionIdle:       {eventWanted: backend.ConnectionChecking, eventRetried: backend.ConnectionChecking},
	backend.ConnectionChecking:   {eventChecked: backend.ConnectionStarting, eventSignedOut: backend.ConnectionNeedsLogin, eventPostponed: backend.ConnectionWaiting, eventUntrusted: backend.ConnectionNeedsTrust, eventUnlaunchable: backend.ConnectionFailed, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionStarting:   {eventInitialized: backend.ConnectionRestoring, eventSignedOut: backend.ConnectionNeedsLogin, eventPostponed: backend.ConnectionWaiting, eventUntrusted: backend.ConnectionNeedsTrust, eventUnlaunchable: backend.ConnectionFailed, eventExited: backend.ConnectionWaiting, eventExhausted: backend.ConnectionFailed, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionRestoring:  {eventRestored: backend.ConnectionReady, eventSignedOut: backend.ConnectionNeedsLogin, eventPostponed: backend.ConnectionWaiting, eventUntrusted: backend.ConnectionNeedsTrust, eventExited: backend.ConnectionWaiting, eventExhausted: backend.ConnectionFailed, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionReady:      {eventSignedOut: backend.ConnectionNeedsLogin, eventPostponed: backend.ConnectionWaiting, eventUntrusted: backend.ConnectionNeedsTrust, eventExited: backend.ConnectionWaiting, eventExhausted: backend.ConnectionFailed, eventIdled: backend.ConnectionIdle, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionWaiting:    {eventRetryDue: backend.ConnectionChecking, eventRetried: backend.ConnectionChecking, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionNeedsLogin: {eventWanted: backend.ConnectionChecking, eventRetried: backend.ConnectionChecking, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionNeedsTrust: {eventWanted: backend.ConnectionChecking, eventRetried: backend.ConnectionChecking, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
	backend.ConnectionFailed:     {eventWanted: backend.ConnectionChecking, eventRetried: backend.ConnectionChecking, eventStopped: backend.ConnectionIdle, eventClosed: backend.ConnectionIdle},
}

// next is the state that follows; false where it stays.
func next(s backend.ConnectionState, h connEvent) (backend.ConnectionState, bool) {
	to, ok := transitions[s][h]
	return to, ok
}

// health is how long a process must have been ready for what happened before
// to be forgotten.
const health = time.Minute

// maxDelay is the longest time between two tries.
const maxDelay = 30 * time.Second

// attempts counts how often an agent exited, and how often its start was put
// off.
type attempts struct {
	exits         []time.Time // within the last minute
	inRow         int         // one after the other, without a minute of health between
	postponements int         // the same, of starts that were put off
}

// exited counts an exit at now, of a process that had been ready for the given
// time, and says how long to wait and whether to go on at all, where there may
// be most exits in a minute.
func (a *attempts) exited(now time.Time, ready time.Duration, most int) (delay time.Duration, goOn bool) {
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

// postponed counts that the next start is put off, after a process that had been
// ready for the given time, and says how long. There is no end to it: while
// GitHub is out of reach nothing is started.
func (a *attempts) postponed(ready time.Duration) time.Duration {
	if ready >= health {
		*a = attempts{}
	}
	a.postponements++
	return backOff(a.postponements)
}

// backOff is the time before try n, counted from 1: 0, 1, 2, 4, 8 … 30 s.
func backOff(n int) time.Duration {
	if n <= 1 {
		return 0
	}
	if n > 7 {
		return maxDelay
	}
	return min(time.Second<<(n-2), maxDelay)
}

// withJitter spreads tries, so that chats whose agents died together do not start
// them together.
func withJitter(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64()))
}

// recheckInterval is how long an idle agent is left before it is looked at again,
// since the setting may have changed meanwhile.
const recheckInterval = time.Minute

// idleDelay says after how long to see again whether an agent is to be stopped that
// has had nothing to do for the time quiet; 0 is now. limit is the setting, 0
// for never.
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
