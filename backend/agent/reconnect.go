package agent

import (
	"math/rand/v2"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// happening is something that happens to a connection.
type happening string

const (
	wanted       happening = "wanted"       // a prompt came
	retried      happening = "retried"      // the user said: try again
	due          happening = "due"          // the time to try again has come
	checked      happening = "checked"      // the token, where there is one, is good; the program was found
	signedOut    happening = "signed out"   // the token is not good, or the agent wants another one
	putOff       happening = "put off"      // the agent wants a sign-in, and GitHub cannot say whether it has one; or it has another by now
	untrusted    happening = "untrusted"    // the folder can run something that the user has not trusted
	unlaunchable happening = "unlaunchable" // it cannot be started: no program, no folder, …
	answered     happening = "answered"     // initialize was answered
	restored     happening = "restored"     // the main session is loaded, where there is one
	exited       happening = "exited"       // the process ended, or had to be ended
	exhausted    happening = "exhausted"    // … for the last time: it did too often
	idled        happening = "idled"        // it had nothing to do for a while
	halted       happening = "halted"       // the user said: stop
	closed       happening = "closed"       // the chat or the app goes
)

// edges is the whole reconnect machine: what follows in a state when something
// happens. What stands in no row changes nothing.
//
// Starting is entered from Checking only, so that the token and the folder are
// checked before every start.
var edges = map[backend.ConnectionState]map[happening]backend.ConnectionState{
	backend.ConnectionIdle:       {wanted: backend.ConnectionChecking, retried: backend.ConnectionChecking},
	backend.ConnectionChecking:   {checked: backend.ConnectionStarting, signedOut: backend.ConnectionNeedsLogin, putOff: backend.ConnectionWaiting, untrusted: backend.ConnectionNeedsTrust, unlaunchable: backend.ConnectionFailed, halted: backend.ConnectionIdle, closed: backend.ConnectionIdle},
	backend.ConnectionStarting:   {answered: backend.ConnectionRestoring, signedOut: backend.ConnectionNeedsLogin, putOff: backend.ConnectionWaiting, untrusted: backend.ConnectionNeedsTrust, unlaunchable: backend.ConnectionFailed, exited: backend.ConnectionWaiting, exhausted: backend.ConnectionFailed, halted: backend.ConnectionIdle, closed: backend.ConnectionIdle},
	backend.ConnectionRestoring:  {restored: backend.ConnectionReady, signedOut: backend.ConnectionNeedsLogin, putOff: backend.ConnectionWaiting, untrusted: backend.ConnectionNeedsTrust, exited: backend.ConnectionWaiting, exhausted: backend.ConnectionFailed, halted: backend.ConnectionIdle, closed: backend.ConnectionIdle},
	backend.ConnectionReady:      {signedOut: backend.ConnectionNeedsLogin, putOff: backend.ConnectionWaiting, untrusted: backend.ConnectionNeedsTrust, exited: backend.ConnectionWaiting, exhausted: backend.ConnectionFailed, idled: backend.ConnectionIdle, halted: backend.ConnectionIdle, closed: backend.ConnectionIdle},
	backend.ConnectionWaiting:    {due: backend.ConnectionChecking, retried: backend.ConnectionChecking, halted: backend.ConnectionIdle, closed: backend.ConnectionIdle},
	backend.ConnectionNeedsLogin: {wanted: backend.ConnectionChecking, retried: backend.ConnectionChecking, halted: backend.ConnectionIdle, closed: backend.ConnectionIdle},
	backend.ConnectionNeedsTrust: {wanted: backend.ConnectionChecking, retried: backend.ConnectionChecking, halted: backend.ConnectionIdle, closed: backend.ConnectionIdle},
	backend.ConnectionFailed:     {wanted: backend.ConnectionChecking, retried: backend.ConnectionChecking, halted: backend.ConnectionIdle, closed: backend.ConnectionIdle},
}

// next is the state that follows; false where it stays.
func next(s backend.ConnectionState, h happening) (backend.ConnectionState, bool) {
	to, ok := edges[s][h]
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
	exits []time.Time // within the last minute
	row   int         // one after the other, without a minute of health between
	puts  int         // the same, of starts that were put off
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
	a.row++
	return backOff(a.row), len(a.exits) < most
}

// putOff counts that the next start is put off, after a process that had been
// ready for the given time, and says how long. There is no end to it: while
// GitHub is out of reach nothing is started.
func (a *attempts) putOff(ready time.Duration) time.Duration {
	if ready >= health {
		*a = attempts{}
	}
	a.puts++
	return backOff(a.puts)
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

// jittered spreads tries, so that chats whose agents died together do not start
// them together.
func jittered(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64()))
}

// lookAgain is how long an idle agent is left before it is looked at again,
// since the setting may have changed meanwhile.
const lookAgain = time.Minute

// nap says after how long to see again whether an agent is to be stopped that
// has had nothing to do for the time quiet; 0 is now. limit is the setting, 0
// for never.
func nap(limit, quiet time.Duration, busy bool) time.Duration {
	switch {
	case limit <= 0:
		return lookAgain
	case busy:
		return min(limit, lookAgain)
	case quiet >= limit:
		return 0
	}
	return min(limit-quiet, lookAgain)
}
