// Package notify tells the user, in the notifications of the system, what
// happens in chats while the window is not in front. What is said, and when, is
// decided in policy.go, which knows no system; how a system shows it is in the
// file of that system. This is the loop between the two.
package notify

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// Config says what a Notifier may do. None of the funcs is called under a lock.
type Config struct {
	// Able is told how the system shows notifications: why it shows none, "" where
	// it does, and whether they can carry buttons.
	Able func(why backend.Message, actions bool)
	// Answer chooses an option of a request.
	Answer func(permissionID, optionID string) error
	// Open shows a chat in the window, with its request in focus; "" is the window
	// as it is. token is the desktop's leave to bring it to the front, "" where there
	// is none.
	Open func(chatID string, request bool, token string)
	// Link makes a link to VoxPilot that does something once, until void is called.
	Link func(do func()) (link string, void func())
	// Outcome says what came of a turn, in one short line.
	Outcome func(turn backend.Turn, in Language) string
	Log     *slog.Logger
}

// Notice is one notification. Its texts are plain: nothing is hidden in them.
type Notice struct {
	Key          string // one of the same key takes its place
	ChatID       string // the chat that it leads to, "" where it leads to none
	Title        string
	Body         string
	Open         string // the button, and the name, of what a click does
	Actions      []Action
	IsPersistent bool // it waits for the user and does not go by itself
	serial       int  // grows with each that is shown
}

// Action is a button of a notice besides opening it.
type Action struct{ ID, Label string }

// actionOpen is what a click on a notice, or on its button Open, is called.
const actionOpen = "default"

// system shows notices. Its calls come one at a time.
type system interface {
	show(n Notice) error
	withdraw(key string)
	limits() textLimits // for the body of a notice that is answered in its notification
	close()
}

// noop shows nothing.
type noop struct{}

// errNoService says that nobody shows notifications.
var errNoService = backend.Problem("no notification service")

func (noop) show(Notice) error  { return errNoService }
func (noop) withdraw(string)    {}
func (noop) limits() textLimits { return 0 }
func (noop) close()             {}

// callbacks is what a system tells, and asks for. Each may be called from any goroutine.
type callbacks struct {
	available func(why backend.Message, actions bool)
	acted     func(key string, serial int, action, token string)
	closed    func(key string, serial int) // the user, the system or time took the notice away
	link      func(do func()) (link string, void func())
}

// Notifier shows notifications.
type Notifier struct {
	cfg  Config
	ctx  context.Context
	end  context.CancelFunc
	done chan struct{}
	wake chan struct{} // holds one: there is something to do

	mu   sync.Mutex
	todo []func()

	// Of the loop alone.
	policy *policy
	system system
	shown  map[string]Notice
	serial int
}

// Start begins to show notifications. Nothing is shown before Begin.
func Start(cfg Config) *Notifier {
	n := &Notifier{cfg: cfg, done: make(chan struct{}), wake: make(chan struct{}, 1), shown: map[string]Notice{}}
	n.policy = newPolicy(cfg.Outcome)
	n.ctx, n.end = context.WithCancel(context.Background())
	go n.run()
	return n
}

// Begin takes over what is there: the chats, and the requests that are open.
// The maps are the Notifier's from now on.
func (n *Notifier) Begin(chats map[string]backend.Chat, requests map[string]backend.Permission, settings backend.Settings) {
	n.do(func() { n.policy.begin(chats, requests, settings) })
}

// Observe takes over what happened. It does not block.
func (n *Notifier) Observe(e backend.Event) { n.do(func() { n.policy.observe(e, time.Now()) }) }

// SetFocus says whether the window is in front, which chat it shows, and in which
// language it speaks.
func (n *Notifier) SetFocus(front bool, chatID string, in Language) {
	n.do(func() { n.policy.setFocus(front, chatID, in) })
}

// Notify shows a message of the app's own, where the user wants any.
func (n *Notifier) Notify(title, body string) {
	n.do(func() { n.policy.addMessage(title, body, time.Now()) })
}

// Close withdraws what is shown.
func (n *Notifier) Close() {
	n.end()
	<-n.done
}

// do has the loop do something.
func (n *Notifier) do(what func()) {
	n.mu.Lock()
	n.todo = append(n.todo, what)
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
		available: n.cfg.Able,
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
		n.draw(n.policy.notices())
		late.Stop()
		if waits {
			late.Reset(time.Until(next))
		}
	}
}

func (n *Notifier) leave() {
	n.draw(nil)
	n.system.close()
}

// draw has the system show these notices and no others.
func (n *Notifier) draw(notices []Notice) {
	stay := map[string]bool{}
	for _, notice := range notices {
		stay[notice.Key] = true
	}
	for key := range n.shown {
		if !stay[key] {
			n.system.withdraw(key)
			delete(n.shown, key)
		}
	}
	for _, notice := range notices {
		if was, ok := n.shown[notice.Key]; ok && was.same(notice) {
			continue
		}
		n.serial++
		notice.serial = n.serial
		n.shown[notice.Key] = notice // shown or not, it was said
		if err := n.system.show(notice); err != nil {
			n.cfg.Log.Warn("a notification could not be shown", "err", err)
		}
	}
}

// acted is what the user did with a notice. An answer is for the request whose
// id the button has, whatever the notice says by now, and only while it is open;
// an answer that comes too late shows the chat.
func (n *Notifier) acted(key string, serial int, action, token string) {
	var chatID string
	var request bool
	if n.shown[key].serial == serial {
		chatID, request = n.policy.targetOf(key)
	}
	n.closed(key, serial) // a system takes a notice away when it was clicked
	if ask, option, ok := n.policy.answerOf(action); ok {
		err := n.cfg.Answer(ask.ID, option)
		if err == nil {
			return
		}
		n.cfg.Log.Warn("the answer in a notification was not taken", "err", err)
		chatID, request = ask.ChatID, true
	}
	n.cfg.Open(chatID, request, token)
}

// closed forgets a notice that is not there any more, unless another one has taken
// its place meanwhile.
func (n *Notifier) closed(key string, serial int) {
	if n.shown[key].serial == serial {
		delete(n.shown, key)
		n.policy.closed(key)
	}
}
