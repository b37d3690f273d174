package auth

import (
	"cmp"
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// checkResult is the result of a check: a token, or the reason that an agent must not start.
type checkResult struct {
	token   Token
	refusal *Refusal
}

// Check finds the token for an agent that is about to start and checks it with GitHub; concurrent calls share one
// request. If GitHub is unreachable or its answer is inconclusive, the token is returned unverified. The cause of a
// refusal is CauseNotSignedIn or CauseLocked (the agent must not start), or CauseStopped if ctx ended or the manager
// was closed.
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

// Recheck looks for tokens in all sources and asks GitHub again, in the background; the result arrives as
// an Account event. Call it also when Settings.SignIn or Settings.ClientID has changed.
func (m *Manager) Recheck(context.Context) error {
	m.mu.Lock()
	m.turn++ // a check in progress may use the old settings
	m.mu.Unlock()
	m.invalidateCheck()
	m.recheck()
	return nil
}

// recheck looks for tokens in all sources and asks GitHub, in the background. Unlike check, it doesn't
// retry if the user signs in or out meanwhile, because that starts another recheck.
func (m *Manager) recheck() {
	m.background(func() {
		turn := m.currentTurn()
		f := m.findCredential(m.life, true)
		m.publishProvisional(f, true)
		f, a := m.examine(f)
		m.settle(turn, f, a, byUser)
	})
}

// publishProvisional publishes the account before GitHub has answered. If the state of the sign-in is already known,
// only the list of sources can change, and it changes only if the parameter all is true.
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

// invalidateCheck makes later calls to Check and RefusalCause ask GitHub again instead of joining a request
// in progress.
func (m *Manager) invalidateCheck() {
	m.checks.invalidate()
	m.refusals.invalidate()
}

func (m *Manager) currentTurn() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.turn
}

// examine asks GitHub about the token in f. It returns f with the token, which may have been renewed, and
// GitHub's answer. If the CLI's own login is used, the answer is the result of probe; without a token, it
// is nil.
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

// probe checks whether GitHub is reachable now, but only if it was unreachable when the CLI's own login
// was refused. Otherwise, probe returns nil, because VoxPilot can't check that login.
func (m *Manager) probe() *answer {
	m.mu.Lock()
	offline := m.offline
	m.mu.Unlock()
	if !offline {
		return nil
	}
	return m.checkReachable()
}

// checkReachable sends GitHub a request without a token. If GitHub is reachable, the answer has the verdict refused.
// GitHub also counts as reachable if it limits the rate of requests, because all clients behind one IP address share
// the limit for such requests.
func (m *Manager) checkReachable() *answer {
	a := m.ask(m.life, "")
	if a.verdict == rateLimited {
		a.verdict, a.message = refused, backend.Message{}
	}
	return &a
}

// checkReason is the reason for a check.
type checkReason int

const (
	byAgent  checkReason = iota // an agent is about to start
	byUser                      // requested by the user, or VoxPilot just started
	bySignIn                    // after a sign-in or sign-out
)

// settle applies the result of a check: it publishes the account, and calls TokenChanged if the token has
// changed or waiting agents can continue. ok is false if the user signed in or out or Recheck was called
// meanwhile; the result is then outdated and has no effect.
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

// recordTokenChange records the token in use and returns the argument for TokenChanged, or nil if no notification is
// due. The parameter why is the reason for the check whose result is being applied. The caller must hold m.mu.
func (m *Manager) recordTokenChange(f lookupResult, a *answer, c checkResult, why checkReason) (tell *bool) {
	if m.closed {
		return nil
	}
	signedIn := f.cred != nil || !f.locked.IsZero()
	is := f.cred.identity()
	if !f.locked.IsZero() {
		is = m.used // the token that can't be read may be the one in use
	}
	if m.checkedOnce && is != m.used || why == bySignIn {
		tell = &signedIn
	}
	m.used, m.checkedOnce = is, true
	if a == nil || a.verdict.isConclusive() {
		m.offline = false
	}
	if why == byAgent {
		m.returned = is
		if c.refusal != nil {
			m.waiting = c.refusal.Cause
		}
	}
	// Waiting agents continue once the cause is resolved. Only a started agent can find out whether
	// Copilot accepts the account now, so after CauseNoAccess agents continue only after a check that the
	// user requested.
	if c.refusal == nil && m.waiting != "" && (why != byAgent || c.token.Verified && m.waiting != backend.CauseNoAccess) {
		tell, m.waiting = &signedIn, ""
	}
	return tell
}

// result returns the token or the refusal for an agent that is about to start.
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

// RefusalCause returns the reason why an agent requested a sign-in (ACP error -32000), after asking GitHub again;
// concurrent calls share one request.
//   - CauseNotSignedIn: there is no token, or GitHub rejected it
//   - CauseLocked: the keychain with the sign-in can't be read
//   - CauseNoAccess: GitHub accepts the token but Copilot rejected it, or GitHub
//     denied access
//   - CauseOffline: GitHub's answer is missing or inconclusive, so the token may be
//     valid
//   - CauseNone: the token was renewed, or differs from the one Check returned last; a
//     restarted agent gets the new one
//   - CauseStopped: ctx ended, or the manager was closed
//
// The reason applies to the token in use now. If an agent is known to use an older one, restart it without calling
// RefusalCause.
func (m *Manager) RefusalCause(ctx context.Context) Refusal {
	r, err := m.refusals.do(ctx, m.background, m.explain)
	if err != nil {
		return Refusal{Cause: backend.CauseStopped, Message: closingMessage}
	}
	return r
}

// HasWaitingAgents reports whether refused agents are still waiting for a sign-in. It returns false once those agents
// have been told to continue.
func (m *Manager) HasWaitingAgents() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.waiting != ""
}

func (m *Manager) explain(answered func()) Refusal {
	for {
		m.mu.Lock()
		turn, handed := m.turn, m.returned
		m.mu.Unlock()
		f, a := m.examine(m.findCredential(m.life, false))
		if f.cred != nil && f.cred.source == backend.SourceCLI && a == nil {
			a = m.checkReachable() // the CLI also requests a sign-in when it is offline
		}
		answered()
		r, account := m.reason(f, a, handed)
		if m.settleRefusal(turn, f, r, account) {
			return r
		}
	}
}

// reason returns the reason why Copilot rejected the token in f, and the account to publish. The parameter handed is
// the identity of the token that Check last returned.
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
