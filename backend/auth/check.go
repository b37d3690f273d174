package auth

import (
	"cmp"
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// checked is what a check came to.
type checked struct {
	token   Token
	refusal *Refusal
}

// Check finds the token for an agent that is to be started and asks GitHub about
// it afresh; calls at the same time share one request. A token that GitHub could
// not be asked about, or did not say anything about, is returned unverified.
// The cause of a refusal is CauseNotSignedIn or CauseLocked: nothing is to be
// started. It is CauseStopped where ctx ended or the desk was closed.
func (d *Desk) Check(ctx context.Context) (Token, *Refusal) {
	c, err := d.checks.do(ctx, d.goes, d.check)
	if err != nil {
		return Token{}, &Refusal{Cause: backend.CauseStopped, Message: closingWords}
	}
	return c.token, c.refusal
}

func (d *Desk) check(answered func()) checked {
	for {
		turn := d.currentTurn()
		f, a := d.examine(d.look(d.life, false))
		answered()
		if c, ok := d.settle(turn, f, a, byAgent); ok {
			return c
		}
	}
}

// Recheck looks at all sources and asks GitHub again, in the background: what
// comes of it comes as an Account event. It is also what to call when
// Settings.SignIn or Settings.ClientID has changed.
func (d *Desk) Recheck(context.Context) error {
	d.mu.Lock()
	d.turn++ // What is being found out now may be by the settings before.
	d.mu.Unlock()
	d.renounce()
	d.recheck()
	return nil
}

// recheck has no need to begin again where somebody signed in or out meanwhile:
// that has begun another one.
func (d *Desk) recheck() {
	d.goes(func() {
		turn := d.currentTurn()
		f := d.look(d.life, true)
		d.glimpse(f, true)
		f, a := d.examine(f)
		d.settle(turn, f, a, byUser)
	})
}

// glimpse shows whose sign-in was found before GitHub has said anything of it,
// where nothing else is shown yet. Once all sources were looked at they are shown
// in any case.
func (d *Desk) glimpse(f finding, all bool) {
	account := d.describe(f, nil)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.account.State != backend.AccountUnknown {
		account = d.account
		if all {
			account.Found = f.found
		}
	}
	d.publish(account)
}

// renounce has all who ask from now on be answered afresh.
func (d *Desk) renounce() {
	d.checks.renounce()
	d.refusals.renounce()
}

func (d *Desk) currentTurn() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.turn
}

// examine asks GitHub about the token that was found. The answer is nil where
// there is nothing to ask about.
func (d *Desk) examine(f finding) (finding, *answer) {
	switch {
	case f.cred == nil:
		return f, nil
	case f.cred.source == backend.SourceCLI:
		return f, d.probe()
	}
	c, a := d.askAbout(d.life, f.cred)
	f.cred = c
	return f, &a
}

// probe finds out whether GitHub can be reached again, where the CLI was refused
// while it could not; else there is nothing that could be asked about the CLI's
// own login.
func (d *Desk) probe() *answer {
	d.mu.Lock()
	offline := d.offline
	d.mu.Unlock()
	if !offline {
		return nil
	}
	return d.reach()
}

// reach finds out whether GitHub can be reached. A pause that it asks for is an
// answer too: without a token, many who share an address share one limit.
func (d *Desk) reach() *answer {
	a := d.ask(d.life, "")
	if a.verdict == limited {
		a.verdict, a.message = refused, backend.Message{}
	}
	return &a
}

// occasion is why something was found out.
type occasion int

const (
	byAgent  occasion = iota // one is to be started
	byUser                   // who asked to look at all sources, or has just started VoxPilot
	bySignIn                 // or by a sign-out
)

// settle makes what was found out the truth: it publishes the account, and tells
// agents of another token. ok is false where somebody signed in or out
// meanwhile, so that it has to be found out again.
func (d *Desk) settle(turn uint64, f finding, a *answer, why occasion) (c checked, ok bool) {
	account := d.describe(f, a)
	c = result(f, a, account)
	d.mu.Lock()
	if turn != d.turn && !d.closed {
		d.mu.Unlock()
		return c, false
	}
	if why != byUser {
		account.Found = d.account.Found
	}
	d.publish(account)
	tell := d.takeNote(f, a, c, why)
	d.mu.Unlock()
	if tell != nil {
		d.cfg.Changed(*tell)
	}
	if a != nil && a.verdict == known {
		d.fetchAvatar(a.avatar)
	}
	return c, true
}

// takeNote remembers what agents were told, and says what is to be told to them
// now, if anything. It is called with the lock held.
func (d *Desk) takeNote(f finding, a *answer, c checked, why occasion) (tell *bool) {
	if d.closed {
		return nil
	}
	signedIn := f.cred != nil || !f.locked.IsZero()
	is := f.cred.identity()
	if !f.locked.IsZero() {
		is = d.used // It is there, and nobody knows that it is another.
	}
	if d.looked && is != d.used || why == bySignIn {
		tell = &signedIn
	}
	d.used, d.looked = is, true
	if a == nil || a.verdict.said() {
		d.offline = false
	}
	if why == byAgent {
		d.handed = is
		if c.refusal != nil {
			d.waiting = c.refusal.Cause
		}
	}
	// Those that wait go on once the reason is gone. That Copilot takes the
	// account by now is known to nobody before an agent has tried: only the user
	// can ask for that.
	if c.refusal == nil && d.waiting != "" && (why != byAgent || c.token.Verified && d.waiting != backend.CauseNoAccess) {
		tell, d.waiting = &signedIn, ""
	}
	return tell
}

// result is what an agent that is to be started gets to know.
func result(f finding, a *answer, account backend.Account) checked {
	refusal := func(cause backend.Cause) checked {
		return checked{refusal: &Refusal{Cause: cause, Message: account.Message}}
	}
	switch {
	case !f.locked.IsZero():
		return refusal(backend.CauseLocked)
	case f.cred == nil:
		c := refusal(backend.CauseNotSignedIn)
		if c.refusal.Message.IsZero() {
			c.refusal.Message = nobodyWords
		}
		return c
	case f.cred.source == backend.SourceCLI:
		return checked{token: Token{Source: backend.SourceCLI, Reachable: a == nil || a.verdict.said()}}
	case a.verdict == refused:
		return refusal(backend.CauseNotSignedIn)
	default:
		return checked{token: Token{
			Secret: f.cred.grant.Token, Source: f.cred.source,
			Verified: a.verdict == known, Reachable: a.verdict.said(),
		}}
	}
}

// Refused says why an agent has asked for a sign-in (-32000), after asking
// GitHub afresh; calls at the same time share one request.
//   - CauseNotSignedIn: there is no token, or GitHub refused it
//   - CauseLocked: the keychain with the sign-in cannot be read
//   - CauseNoAccess: GitHub knows the token, so it is Copilot that refused it
//   - CauseOffline: GitHub cannot say, so nothing is known against the token
//   - CauseNone: the token was renewed, or is another than the one that Check
//     gave out last: started afresh, the agent gets the new one
//   - CauseStopped: ctx ended, or the desk was closed
//
// It is about the token that is in use now: an agent that is known to have an
// older one is to be started afresh without asking.
func (d *Desk) Refused(ctx context.Context) Refusal {
	r, err := d.refusals.do(ctx, d.goes, d.explain)
	if err != nil {
		return Refusal{Cause: backend.CauseStopped, Message: closingWords}
	}
	return r
}

// Waits says whether agents that were refused a sign-in wait for one still. It is
// false from the moment in which they are told to go on.
func (d *Desk) Waits() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waiting != ""
}

func (d *Desk) explain(answered func()) Refusal {
	for {
		d.mu.Lock()
		turn, handed := d.turn, d.handed
		d.mu.Unlock()
		f, a := d.examine(d.look(d.life, false))
		if f.cred != nil && f.cred.source == backend.SourceCLI && a == nil {
			a = d.reach() // The CLI says the same without a network.
		}
		answered()
		r, account := d.reason(f, a, handed)
		if d.settleRefusal(turn, f, r, account) {
			return r
		}
	}
}

// reason is why Copilot refused the token that was found.
func (d *Desk) reason(f finding, a *answer, handed identity) (Refusal, backend.Account) {
	account := d.describe(f, a)
	if c := result(f, a, account); c.refusal != nil {
		return *c.refusal, account
	}
	isCLI := f.cred.source == backend.SourceCLI
	switch is := f.cred.identity(); {
	case handed != (identity{}) && is != handed:
		return Refusal{Message: renewedWords}, account
	case !a.verdict.said():
		message := a.message
		if message == unreachedWords {
			message = offlineWords
		}
		return Refusal{Cause: backend.CauseOffline, Message: message}, account
	case isCLI:
		account.Source, account.Login = "", ""
		f.nobody(&account)
		if f.cred.own != "" {
			account.State, account.Source, account.Variable, account.Message = backend.AccountSignedOut, "", "", ownWords
		}
		account.Message = cmp.Or(account.Message, nobodyWords)
		return Refusal{Cause: backend.CauseNotSignedIn, Message: account.Message}, account
	case a.verdict == forbidden:
		account.State = backend.AccountNoAccess
		return Refusal{Cause: backend.CauseNoAccess, Message: a.message}, account
	default:
		account.State, account.Message = backend.AccountNoAccess, noAccess(account.Login, f.cred)
		return Refusal{Cause: backend.CauseNoAccess, Message: account.Message}, account
	}
}

func (d *Desk) settleRefusal(turn uint64, f finding, r Refusal, account backend.Account) bool {
	d.mu.Lock()
	if turn != d.turn && !d.closed {
		d.mu.Unlock()
		return false
	}
	account.Found = d.account.Found
	d.publish(account)
	is := f.cred.identity()
	tell := !d.closed && d.looked && is != d.used && f.locked.IsZero()
	if f.locked.IsZero() {
		d.used, d.looked = is, true
	}
	switch r.Cause {
	case backend.CauseOffline:
		d.offline = f.cred.source == backend.SourceCLI
	case backend.CauseNone:
	default:
		d.waiting = r.Cause
	}
	d.mu.Unlock()
	if tell {
		d.cfg.Changed(is != identity{})
	}
	return true
}
