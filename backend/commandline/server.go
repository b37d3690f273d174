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

// remoteTime bounds how long a start waits for the VoxPilot that runs.
const remoteTime = 30 * time.Second

// Claim makes this process the VoxPilot of the data directory, or hands over to
// the one that is; it returns nil then.
func Claim(b Start) (*instance.Instance, error) {
	ctx, cancel := context.WithTimeout(context.Background(), remoteTime)
	defer cancel()
	giveForeground()
	r := instance.Request{Verb: instance.Open, Target: b.Target, Hidden: b.Hidden}
	r.Dir, _ = os.Getwd() // without one, a folder needs its whole path
	r.Token = startToken()
	return instance.Claim(ctx, environment.DataDir(), r)
}

// startToken is what the desktop gave this start to bring the window to the front. A
// terminal leaves the id of its own start to all that is started in it: it is old,
// and X11 would keep the window down for it.
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

// Server does what later starts ask for: to open the window on something, to send
// a message, to be asked.
type Server struct {
	api       *engine.API
	desktop   *desktop.Desktop
	questions cliQuestions
}

// NewServer makes the Server of an app.
func NewServer(d *desktop.Desktop) *Server {
	s := &Server{api: d.API, desktop: d}
	s.api.Overview.Follow(s.questions.observe)
	return s
}

// Serve has this process do what later starts ask for. Where others cannot reach
// it, there is nothing to serve.
func (s *Server) Serve() {
	if s.desktop.First != nil {
		s.desktop.First.Serve(s.answer)
	}
}

// answer does what a later start asks for (instance.Handler).
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
	default:
		err = backend.Invalid("The running VoxPilot is a different version and can't do this. Quit it and try again.")
	}
	if err != nil {
		s.api.Log.Warn("what a later start asked for could not be done", "verb", r.Verb, "err", err)
		return instance.Response{Error: err.Error(), Code: string(backend.CodeOf(err))}
	}
	return instance.Response{}
}

// openTarget brings the window to the front, by a token of the desktop, with the
// folder or the link that VoxPilot was started with in it. Who follows a link sees no
// terminal: a bad one is told of in the window. A link that answers leaves the window
// as it is.
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

// OpenWith shows what this process was started with, once there is a window.
func (s *Server) OpenWith(target string) {
	if target == "" {
		return
	}
	dir, _ := os.Getwd() // without one, a folder needs its whole path
	go func() {
		if err := s.openTarget(target, dir, ""); err != nil {
			s.api.Log.Warn("what VoxPilot was started with cannot be opened", "err", err)
			if !isLink(target) {
				s.desktop.ShowError(err)
			}
		}
	}()
}

// sendQuick sends what `voxpilot quick "text"` has, as the quick prompt does: into
// a new chat in the folder that was used last.
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

// folderOf is the folder that a request of the command line is about: the one that
// it names, or the other one where it names none.
func folderOf(r instance.Request, other string) string {
	switch {
	case r.Folder == "":
		return other
	case strings.HasPrefix(r.Folder, "~"):
		return r.Folder
	}
	return realpath.Join(r.Dir, r.Folder)
}
