package auth

import (
	"cmp"
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// checkResult is what a check came to.
type checkResult struct {
	token   Token
	refusal *Refusal
}

// Check finds the token for an agent that is to be started and asks GitHub about
// it afresh; calls at the same time share one request. A token that GitHub could
// not be asked about, or did not say anything about, is returned unverified.
// The cause of a refusal is CauseNotSignedIn or CauseLocked: nothing is to be
// started. It is CauseStopped where ctx ended or the manager was closed.
func (m *Manager) Check(ctx context.Context) (Token, *Refusal) {
	c, err := m.checks.do(ctx, m.background, m.check)
	if err != nil {
		return Token{}, &Refusal{Cause: backend.CauseStopped, Message: closingMessage}
	}
	return c.token, c.refusal
}

func (m *Manager) check(answered func()) checkResult {
	for {
		turn := m.currentTurn()
		f, a := m.examine(m.findCredential(m.life, false))
		answered()
		if c, ok := m.settle(turn, f, a, byAgent); ok {
			return c
		}
	}
}

// Recheck looks at all sources and asks GitHub again, in the background: what
// comes of it comes as an Account event. It is also what to call when
// Settings.SignIn or Settings.ClientID has changed.
func (m *Manager) Recheck(context.Context) error {
	m.mu.Lock()
	m.turn++ // What is being found out now may be by the settings before.
	m.mu.Unlock()
	m.invalidateCheck()
	m.recheck()
	return nil
}

// recheck has no need to begin again where somebody signed in or out meanwhile:
// that has begun another one.
func (m *Manager) recheck() {
	m.background(func() {
		turn := m.currentTurn()
		f := m.findCredential(m.life, true)
		m.publishProvisional(f, true)
		f, a := m.examine(f)
		m.settle(turn, f, a, byUser)
	})
}

// publishProvisional shows whose sign-in was found before GitHub has said anything of it,
// where nothing else is shown yet. Once all sources were looked at they are shown
// in any case.
func (m *Manager) publishProvisional(f lookupResult, all bool) {
	account := m.describe(f, nil)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.account.State != backend.AccountUnknown {
		account = m.account
		if all {
			account.Found = f.sources
		}
	}
	m.publish(account)
}

// invalidateCheck has all who ask from now on be answered afresh.
func (m *Manager) invalidateCheck() {
	m.checks.invalidate()
	m.refusals.invalidate()
}

func (m *Manager) currentTurn() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.turn
}

// examine asks GitHub about the token that was found. The answer is nil where
// there is nothing to ask about.
func (m *Manager) examine(f lookupResult) (lookupResult, *answer) {
	switch {
	case f.cred == nil:
		return f, nil
	case f.cred.source == backend.SourceCLI:
		return f, m.probe()
	}
	c, a := m.askAbout(m.life, f.cred)
	f.cred = c
	return f, &a
}

// probe finds out whether GitHub can be reached again, where the CLI was refused
// while it could not; else there is nothing that could be asked about the CLI's
// own login.
func (m *Manager) probe() *answer {
	m.mu.Lock()
	offline := m.offline
	m.mu.Unlock()
	if !offline {
		return nil
	}
	return m.reach()
}

// reach finds out whether GitHub can be reached. A pause that it asks for is an
// answer too: without a token, many who share an address share one limit.
func (m *Manager) reach() *answer {
	a := m.ask(m.life, "")
	if a.verdict == rateLimited {
		a.verdict, a.message = refused, backend.Message{}
	}
	return &a
}

// checkReason is why something was found out.
type checkReason int

const (
	byAgent  checkReason = iota // one is to be started
	byUser                      // who asked to look at all sources, or has just started VoxPilot
	bySignIn                    // or by a sign-out
)

// settle makes what was found out the truth: it publishes the account, and tells
// agents of another token. ok is false where somebody signed in or out
// meanwhile, so that it has to be found out again.
func (m *Manager) settle(turn uint64, f lookupResult, a *answer, why checkReason) (c checkResult, ok bool) {
	account := m.describe(f, a)
	c = result(f, a, account)
	m.mu.Lock()
	if turn != m.turn && !m.closed {
		m.mu.Unlock()
		return c, false
	}
	if why != byUser {
		account.Found = m.account.Found
	}
	m.publish(account)
	tell := m.recordTokenChange(f, a, c, why)
	m.mu.Unlock()
	if tell != nil {
		m.cfg.TokenChanged(*tell)
	}
	if a != nil && a.verdict == known {
		m.fetchAvatar(a.avatar)
	}
	return c, true
}

// recordTokenChange remembers what agents were told, and says what is to be told to them
// now, if anything. It is called with the lock held.
func (m *Manager) recordTokenChange(f lookupResult, a *answer, c checkResult, why checkReason) (tell *bool) {
	if m.closed {
		return nil
	}
	signedIn := f.cred != nil || !f.locked.IsZero()
	is := f.cred.identity()
	if !f.locked.IsZero() {
		is = m.used // It is there, and nobody knows that it is another.
	}
	if m.checkedOnce && is != m.used || why == bySignIn {
		tell = &signedIn
	}
	m.used, m.checkedOnce = is, true
	if a == nil || a.verdict.isConclusive() {
		m.offline = false
	}
	if why == byAgent {
		m.given = is
		if c.refusal != nil {
			m.waiting = c.refusal.Cause
		}
	}
	// Those that wait go on once the reason is gone. That Copilot takes the
	// account by now is known to nobody before an agent has tried: only the user
	// can ask for that.
	if c.refusal == nil && m.waiting != "" && (why != byAgent || c.token.Verified && m.waiting != backend.CauseNoAccess) {
		tell, m.waiting = &signedIn, ""
	}
	return tell
}

// result is what an agent that is to be started gets to know.
func result(f lookupResult, a *answer, account backend.Account) checkResult {
	refusal := func(cause backend.Cause) checkResult {
		return checkResult{refusal: &Refusal{Cause: cause, Message: account.Message}}
	}
	switch {
	case !f.locked.IsZero():
		return refusal(backend.CauseLocked)
	case f.cred == nil:
		c := refusal(backend.CauseNotSignedIn)
		if c.refusal.Message.IsZero() {
			c.refusal.Message = signedOutMessage
		}
		return c
	case f.cred.source == backend.SourceCLI:
		return checkResult{token: Token{Source: backend.SourceCLI, Reachable: a == nil || a.verdict.isConclusive()}}
	case a.verdict == refused:
		return refusal(backend.CauseNotSignedIn)
	default:
		return checkResult{token: Token{
			Secret: f.cred.grant.Token, Source: f.cred.source,
			Verified: a.verdict == known, Reachable: a.verdict.isConclusive(),
		}}
	}
}

// RefusalCause says why an agent has asked for a sign-in (-32000), after asking
// GitHub afresh; calls at the same time share one request.
//   - CauseNotSignedIn: there is no token, or GitHub refused it
//   - CauseLocked: the keychain with the sign-in cannot be read
//   - CauseNoAccess: GitHub knows the token, so it is Copilot that refused it
//   - CauseOffline: GitHub cannot say, so nothing is known against the token
//   - CauseNone: the token was renewed, or is another than the one that Check
//     gave out last: started afresh, the agent gets the new one
//   - CauseStopped: ctx ended, or the manager was closed
//
// It is about the token that is in use now: an agent that is known to have an
// older one is to be started afresh without asking.
func (m *Manager) RefusalCause(ctx context.Context) Refusal {
	r, err := m.refusals.do(ctx, m.background, m.explain)
	if err != nil {
		return Refusal{Cause: backend.CauseStopped, Message: closingMessage}
	}
	return r
}

// HasWaitingAgents says whether agents that were refused a sign-in wait for one still. It is
// false from the moment in which they are told to go on.
func (m *Manager) HasWaitingAgents() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.waiting != ""
}

func (m *Manager) explain(answered func()) Refusal {
	for {
		m.mu.Lock()
		turn, handed := m.turn, m.given
		m.mu.Unlock()
		f, a := m.examine(m.findCredential(m.life, false))
		if f.cred != nil && f.cred.source == backend.SourceCLI && a == nil {
			a = m.reach() // The CLI says the same without a network.
		}
		answered()
		r, account := m.reason(f, a, handed)
		if m.settleRefusal(turn, f, r, account) {
			return r
		}
	}
}

// reason is why Copilot refused the token that was found.
func (m *Manager) reason(f lookupResult, a *answer, handed identity) (Refusal, backend.Account) {
	account := m.describe(f, a)
	if c := result(f, a, account); c.refusal != nil {
		return *c.refusal, account
	}
	isCLI := f.cred.source == backend.SourceCLI
	switch is := f.cred.identity(); {
	case handed != (identity{}) && is != handed:
		return Refusal{Message: renewedMessage}, account
	case !a.verdict.isConclusive():
		message := a.message
		if message == unreachableMessage {
			message = offlineMessage
		}
		return Refusal{Cause: backend.CauseOffline, Message: message}, account
	case isCLI:
		account.Source, account.Login = "", ""
		f.describeSignedOut(&account)
		if f.cred.own != "" {
			account.State, account.Source, account.Variable, account.Message = backend.AccountSignedOut, "", "", cliSignedOutMessage
		}
		account.Message = cmp.Or(account.Message, signedOutMessage)
		return Refusal{Cause: backend.CauseNotSignedIn, Message: account.Message}, account
	case a.verdict == forbidden:
		account.State = backend.AccountNoAccess
		return Refusal{Cause: backend.CauseNoAccess, Message: a.message}, account
	default:
		account.State, account.Message = backend.AccountNoAccess, noAccessMessage(account.Login, f.cred)
		return Refusal{Cause: backend.CauseNoAccess, Message: account.Message}, account
	}
}

func (m *Manager) settleRefusal(turn uint64, f lookupResult, r Refusal, account backend.Account) bool {
	m.mu.Lock()
	if turn != m.turn && !m.closed {
		m.mu.Unlock()
		return false
	}
	account.Found = m.account.Found
	m.publish(account)
	is := f.cred.identity()
	tell := !m.closed && m.checkedOnce && is != m.used && f.locked.IsZero()
	if f.locked.IsZero() {
		m.used, m.checkedOnce = is, true
	}
	switch r.Cause {
	case backend.CauseOffline:
		m.offline = f.cred.source == backend.SourceCLI
	case backend.CauseNone:
	default:
		m.waiting = r.Cause
	}
	m.mu.Unlock()
	if tell {
		m.cfg.TokenChanged(is != identity{})
	}
	return true
}
