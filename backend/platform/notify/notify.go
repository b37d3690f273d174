// Package notify shows system notifications about chat events while the window isn't in front, and about the app
// itself. policy.go decides what to show and when, independently of the system. For each system, a separate file shows
// the notifications. This file contains the loop that connects the policy and the system.
package notify

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// Config is the configuration of a Notifier. The Notifier calls the functions in it without holding any locks.
type Config struct {
	// Able is called with the reason why the system can't show notifications, or with the zero Message if it can.
	// actions is true if notifications can have buttons.
	Able func(why backend.Message, actions bool)
	// Answer answers a permission request with one of its options.
	Answer func(permissionID, optionID string) error
	// Choose answers a question with one of its choices.
	Choose func(id string, choice int) error
	// Open shows a chat in the window and, if request is true, focuses the chat's request. If chatID is "", the
	// window keeps its content. token is the desktop's activation token, or "" if there is none.
	Open func(chatID string, request bool, token string)
	// Link creates a voxpilot: link that works only once. Opening the link calls the function do. Link also returns
	// a function that makes the link invalid.
	Link func(do func()) (link string, void func())
	// Outcome returns the result of a turn as a short line.
	Outcome func(turn backend.Turn, in Language) string
	Log     *slog.Logger
}

// Notice is a notification. Its text fields contain plain text without invisible characters.
type Notice struct {
	Key          string // a notice replaces the one with the same key
	ChatID       string // the chat that a click opens, or ""
	Title        string
	Body         string
	Open         string // label of the action that opens the chat
	Actions      []Action
	IsPersistent bool // stays until the user acts on it
	serial       int  // increases with every notice shown
}

// Action is an additional button of a notice.
type Action struct{ ID, Label string }

// actionOpen is the action ID of a click on a notice or on its Open button.
const actionOpen = "default"

// system shows notices. Its methods are never called concurrently.
type system interface {
	show(n Notice) error
	withdraw(key string)
	limits() textLimits // for the body of a notice that can be answered directly
	close()
}

// noop is a system that shows nothing.
type noop struct{}

// errNoService means that there is no notification service.
var errNoService = backend.Problem("no notification service")

func (noop) show(Notice) error  { return errNoService }
func (noop) withdraw(string)    {}
func (noop) limits() textLimits { return 0 }
func (noop) close()             {}

// callbacks holds the functions that a system calls. The system may call them from any goroutine.
type callbacks struct {
	available func(why backend.Message, actions bool)
	acted     func(key string, serial int, action, token string)
	closed    func(key string, serial int) // the notice was closed by the user, the system or a timeout
	link      func(do func()) (link string, void func())
}

// Notifier shows system notifications about chat events while the window isn't in front, and about the app itself at
// any time. It is safe for concurrent use.
type Notifier struct {
	cfg  Config
	ctx  context.Context
	end  context.CancelFunc
	done chan struct{}
	wake chan struct{} // capacity 1: there is work

	mu   sync.Mutex
	todo []func()

	// The following fields are used only by run.
	policy  *policy
	system  system
	visible map[string]Notice    // the notices to show, by key, including those that couldn't be shown
	failed  map[string]time.Time // when to try to show a visible notice again, or the zero Time if there is no service
	serial  int
}

// retryTime is the time to wait before trying again to show a notice that the system couldn't show. A busy system may
// fail to answer in time. Tests change it.
var retryTime = 10 * time.Second

// Start starts a Notifier. It shows nothing about chats until Begin is called.
func Start(cfg Config) *Notifier {
	n := &Notifier{cfg: cfg, done: make(chan struct{}), wake: make(chan struct{}, 1), visible: map[string]Notice{}, failed: map[string]time.Time{}}
	n.policy = newPolicy(cfg.Outcome)
	n.ctx, n.end = context.WithCancel(context.Background())
	go n.run()
	return n
}

// Begin sets the initial chats, open requests and settings. The Notifier takes ownership of the maps.
func (n *Notifier) Begin(chats map[string]backend.Chat, requests map[string]backend.Permission, settings backend.Settings) {
	n.do(func() { n.policy.begin(chats, requests, settings) })
}

// Observe processes an event, unless Begin hasn't been called yet. It doesn't block.
func (n *Notifier) Observe(e backend.Event) { n.do(func() { n.policy.observe(e, time.Now()) }) }

// SetFocus sets whether the window is in front, the chat that it shows, and its language.
func (n *Notifier) SetFocus(front bool, chatID string, in Language) {
	n.do(func() { n.policy.setFocus(front, chatID, in) })
}

// Notify shows a message about the app itself rather than a chat, even if the window is in front. It does
// nothing while notifications are muted and during the quiet hours.
func (n *Notifier) Notify(title, body string) {
	n.do(func() { n.policy.addMessage(title, body, time.Now()) })
}

// Close withdraws all notices and stops the Notifier.
func (n *Notifier) Close() {
	n.end()
	<-n.done
}

// do queues a function for the loop to call. It doesn't block.
func (n *Notifier) do(f func()) {
	n.mu.Lock()
	n.todo = append(n.todo, f)
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

func (n *Notifier) take() []func() {
	n.mu.Lock()
	defer n.mu.Unlock()
	todo := n.todo
	n.todo = nil
	return todo
}

func (n *Notifier) run() {
	defer close(n.done)
	n.system = open(callbacks{
		available: func(why backend.Message, actions bool) {
			n.cfg.Able(why, actions)
			if why == (backend.Message{}) {
				n.do(n.retryAll)
			}
		},
		acted: func(key string, serial int, action, token string) {
			n.do(func() { n.acted(key, serial, action, token) })
		},
		closed: func(key string, serial int) { n.do(func() { n.closed(key, serial) }) },
		link:   n.cfg.Link,
	}, n.cfg.Log)
	defer n.leave()
	late := time.NewTimer(0)
	defer late.Stop()
	for {
		select {
		case <-n.ctx.Done():
			return
		case <-n.wake:
		case <-late.C:
		}
		for _, do := range n.take() {
			do()
		}
		next, waits := n.policy.settle(time.Now())
		n.policy.limits = n.system.limits()
		if again, fails := n.draw(n.policy.notices(), time.Now()); fails && (!waits || again.Before(next)) {
			next, waits = again, true
		}
		late.Stop()
		if waits {
			late.Reset(time.Until(next))
		}
	}
}

func (n *Notifier) leave() {
	n.draw(nil, time.Now())
	n.system.close()
}

// retryAll makes the next call to draw try again to show the notices that the system couldn't show.
func (n *Notifier) retryAll() {
	for key := range n.failed {
		n.failed[key] = time.Now()
	}
}

// draw shows the given notices and withdraws all others. If some notices couldn't be shown but can be tried again,
// fails is true, and the caller must call draw once more at the returned time.
func (n *Notifier) draw(notices []Notice, at time.Time) (again time.Time, fails bool) {
	stay := map[string]bool{}
	for _, notice := range notices {
		stay[notice.Key] = true
	}
	for key := range n.visible {
		if !stay[key] {
			n.system.withdraw(key)
			delete(n.visible, key)
			delete(n.failed, key)
		}
	}
	for _, notice := range notices {
		next, failed := n.failed[notice.Key]
		if was, ok := n.visible[notice.Key]; !ok || !was.same(notice) || failed && !next.IsZero() && !next.After(at) {
			next, failed = n.show(notice)
		}
		if failed && !next.IsZero() && (!fails || next.Before(again)) {
			again, fails = next, true
		}
	}
	return again, fails
}

// show shows a notice. If that fails, next is the time of the next attempt. It is the zero Time if there is no
// notification service, because another attempt would then be useless.
func (n *Notifier) show(notice Notice) (next time.Time, failed bool) {
	n.serial++
	notice.serial = n.serial
	n.visible[notice.Key] = notice // even if showing fails
	delete(n.failed, notice.Key)
	err := n.system.show(notice)
	if err == nil {
		return next, false
	}
	n.cfg.Log.Warn("couldn't show a notification", "err", err)
	if !errors.Is(err, errNoService) {
		next = time.Now().Add(retryTime)
	}
	n.failed[notice.Key] = next
	return next, true
}

// acted carries out the user's action on a notice. A button that answers a request always answers the request for which
// it was shown, even if another notice has replaced this one. If the answer can't be applied, and for any other action,
// acted opens the notice's chat in the window.
func (n *Notifier) acted(key string, serial int, action, token string) {
	var chatID string
	var request bool
	if n.visible[key].serial == serial {
		chatID, request = n.policy.targetOf(key)
	}
	n.closed(key, serial) // systems close a clicked notice
	if ask, option, ok := n.policy.answerOf(action); ok {
		err := n.cfg.Answer(ask.ID, option)
		if err == nil {
			return
		}
		n.cfg.Log.Warn("couldn't apply the answer to a notification", "err", err)
		chatID, request = ask.ChatID, true
	}
	if ask, choice, ok := n.policy.choiceOf(action); ok {
		err := n.cfg.Choose(ask.ID, choice)
		if err == nil {
			return
		}
		n.cfg.Log.Warn("couldn't apply the answer to a notification", "err", err)
		chatID, request = ask.ChatID, true
	}
	n.cfg.Open(chatID, request, token)
}

// closed removes a notice that was closed, unless another one has replaced it.
func (n *Notifier) closed(key string, serial int) {
	if n.visible[key].serial == serial {
		delete(n.visible, key)
		delete(n.failed, key)
		n.policy.closed(key)
	}
}
