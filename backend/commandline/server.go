package commandline

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/desktop"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// remoteTime is the time limit for a later launch to hand over to the running VoxPilot.
const remoteTime = 30 * time.Second

// Claim makes this process the running VoxPilot for the data directory. If there
// already is one, Claim hands over to it and returns nil.
func Claim(b Start) (*instance.Instance, error) {
	ctx, cancel := context.WithTimeout(context.Background(), remoteTime)
	defer cancel()
	giveForeground()
	r := instance.Request{Verb: instance.Open, Target: b.Target, Hidden: b.Hidden}
	r.Dir, _ = os.Getwd() // if unknown, a folder must be absolute
	r.Token = startToken()
	return instance.Claim(ctx, environment.DataDir(), r)
}

// startToken returns the token with which the desktop lets this launch bring the window to the front, or "" if
// there is none. It ignores the startup ID that a terminal passes to its child processes: that ID is outdated, so
// X11 would keep the window in the background.
func startToken() string {
	if token := os.Getenv("XDG_ACTIVATION_TOKEN"); token != "" {
		return token
	}
	if terminal, err := os.Open("/dev/tty"); err == nil {
		_ = terminal.Close() // nothing was written
		return ""
	}
	return os.Getenv("DESKTOP_STARTUP_ID")
}

// Server handles the requests from later launches of VoxPilot: opening the window or the quick prompt, sending a
// message, asking a question, finding the writers of a file's lines, and opening a review.
type Server struct {
	api       *engine.API
	desktop   *desktop.Desktop
	questions cliQuestions
}

// NewServer returns a Server for d's app.
func NewServer(d *desktop.Desktop) *Server {
	s := &Server{api: d.API, desktop: d}
	s.api.Overview.Follow(s.questions.observe)
	return s
}

// Serve starts handling the requests from later launches. It does nothing if other
// processes can't reach this one.
func (s *Server) Serve() {
	if s.desktop.First != nil {
		s.desktop.First.Serve(s.answer)
	}
}

// answer handles one request from a later launch (instance.Handler).
func (s *Server) answer(ctx context.Context, r instance.Request, more func(instance.Response) error) instance.Response {
	var err error
	switch r.Verb {
	case instance.Open:
		if !r.Hidden {
			err = s.openTarget(r.Target, r.Dir, r.Token)
		}
	case instance.Quick:
		if r.Text == "" {
			err = s.desktop.Quick.Open(ctx)
		} else {
			err = s.sendQuick(r)
		}
	case instance.Ask:
		err = s.ask(ctx, r, more)
	case instance.Blame:
		err = s.blame(ctx, r, more)
	case instance.Review:
		err = s.review(ctx, r)
	default:
		err = backend.Invalid("The running copy of VoxPilot is a different version and can't do this. Quit it, then try again.")
	}
	if err != nil {
		s.api.Log.Warn("couldn't handle a later start", "verb", r.Verb, "err", err)
		return instance.Response{Error: err.Error(), Code: string(backend.CodeOf(err))}
	}
	return instance.Response{}
}

// openTarget brings the window to the front with the desktop's activation token and opens the folder or
// link in it. A user who follows a link sees no terminal, so the window shows the error if the link is
// invalid. A link that answers a notification leaves the window unchanged.
func (s *Server) openTarget(target, dir, token string) error {
	if s.desktop.Links.Follow(target) {
		return nil
	}
	asked, err := navigationOf(target, dir)
	if err == nil && asked != nil && asked.For == backend.NavigateChat {
		var e *engine.Engine
		if e, err = s.api.EngineIn(engine.OpenTime); err == nil {
			_, err = e.Chats.Get(asked.ChatID)
		}
	}
	s.desktop.AllowActivation(token)
	switch {
	case err != nil && isLink(target):
		s.desktop.ShowError(err)
	case err != nil:
		s.desktop.Show()
	case asked == nil:
		s.desktop.Show()
	default:
		s.desktop.Navigate(*asked)
	}
	return err
}

// OpenWith opens target, a folder or a link, in the window, which also shows any error. It returns immediately, and
// does nothing if target is "".
func (s *Server) OpenWith(target string) {
	if target == "" {
		return
	}
	dir, _ := os.Getwd() // if unknown, a folder must be absolute
	go func() {
		if err := s.openTarget(target, dir, ""); err != nil {
			s.api.Log.Warn("couldn't open the folder or link that VoxPilot was started with", "err", err)
			if !isLink(target) {
				s.desktop.ShowError(err)
			}
		}
	}()
}

// sendQuick sends the text of `voxpilot quick "text"` to a new chat, as the quick prompt does. If the request
// names no folder, the chat is created in the last used one.
func (s *Server) sendQuick(r instance.Request) error {
	e, err := s.api.EngineIn(engine.OpenTime)
	if err != nil {
		return err
	}
	last := r.Dir
	s.api.Overview.View(func(now overview.State) {
		if chats := overview.Recent(now); len(chats) > 0 {
			last = chats[0].Folder
		}
	})
	b := e.DefaultModel()
	m := backend.QuickMessage{Text: r.Text, Folder: folderOf(r, last), AgentID: b.QuickAgent(), OrchestratorID: b.OrchestratorID, Mode: e.Setup.Settings().Mode}
	return s.api.SendMessage(m, func(backend.Chat) {})
}

// folderOf returns the folder that a command-line request names. If it names none, folderOf returns other.
func folderOf(r instance.Request, other string) string {
	switch {
	case r.Folder == "":
		return other
	case strings.HasPrefix(r.Folder, "~"):
		return r.Folder
	}
	return realpath.Join(r.Dir, r.Folder)
}
