// Package rescue recovers the conversation of a Copilot CLI session that the CLI can't load: from the session's
// damaged files or, if they don't have all of it, from the transcript in the database. The damaged session never
// changes.
package rescue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/store"
)

// Config holds the dependencies of a Rescuer.
type Config struct {
	Store *store.Store
	// Mark records that no chat uses a session yet. If the app is killed before Keep or Remove is called, the next start
	// removes the session. home is the CLI's home directory that has the session.
	Mark   func(home, id string) error
	Keep   func(id string)
	Remove func(home, id string)
}

// Rescuer recovers sessions. It is safe for concurrent use.
type Rescuer struct{ cfg Config }

// New returns a Rescuer.
func New(cfg Config) *Rescuer { return &Rescuer{cfg} }

// Ways returns the ways to recover the session in row, the best one first (agent.Config.Rescues).
func (r *Rescuer) Ways(l agent.Launch, row backend.Session) []agent.Rescue {
	home := sessionfiles.HomeOf(row)
	way := func(banner backend.BannerKind, copy func(context.Context) (string, backend.Message, error)) agent.Rescue {
		return agent.Rescue{Banner: banner, Copy: copy, Keep: r.cfg.Keep, Discard: func(id string) { r.cfg.Remove(home, id) }}
	}
	return []agent.Rescue{
		way(backend.BannerSessionRepaired, func(ctx context.Context) (string, backend.Message, error) { return r.repair(ctx, home, row) }),
		way(backend.BannerSessionRebuilt, func(ctx context.Context) (string, backend.Message, error) { return r.rebuild(ctx, l, home, row) }),
	}
}

// errLacks means that a repaired session lacks a part of the conversation.
var errLacks = errors.New("the repaired session lacks a part of the conversation")

// repair makes a repaired copy of the session. It fails with errLacks if the copy doesn't have the whole conversation.
func (r *Rescuer) repair(ctx context.Context, home string, row backend.Session) (id string, note backend.Message, err error) {
	want, err := r.expected(ctx, row)
	if err != nil {
		return "", note, err
	}
	id = sessionfiles.NewID()
	if err := r.cfg.Mark(home, id); err != nil {
		return "", note, err
	}
	defer func() {
		if err != nil {
			r.cfg.Remove(home, id)
		}
	}()
	dropped, err := sessionfiles.Repair(home, row.ACPID, id, row.Cwd, func(e sessionfiles.Event) error {
		want.see(e)
		return ctx.Err()
	})
	if err != nil {
		return "", note, err
	}
	if !want.seen() {
		return "", note, fmt.Errorf("%w: %d prompts and %d tool results", errLacks, len(want.prompts), len(want.calls))
	}
	if dropped == 1 {
		return id, backend.Say("1 damaged entry was left out. It isn't part of the conversation."), nil
	}
	if dropped > 1 {
		return id, backend.Say("%d damaged entries were left out. They aren't part of the conversation.", dropped), nil
	}
	return id, note, nil
}

// conversation lists the parts of a conversation that haven't been found in the log of its session yet.
type conversation struct {
	prompts []string        // messages of the user, oldest first and without whitespace
	calls   map[string]bool // IDs of the tool calls that have a result
}

// maxPrompt is the number of bytes by which a prompt is recognized.
const maxPrompt = 8 << 10

// expected returns what a complete log of the session contains.
func (r *Rescuer) expected(ctx context.Context, row backend.Session) (*conversation, error) {
	want := &conversation{calls: map[string]bool{}}
	err := r.each(ctx, row, row.CreatedAt, func(s step) error {
		if s.turn.State != backend.TurnDone {
			return nil // the prompt or a result may not have reached the log
		}
		switch {
		case s.isPrompt:
			text, err := s.text()
			if text = withoutSpace(text); err != nil || text == "" || strings.HasPrefix(text, "/") {
				return err // the log doesn't have slash commands
			}
			want.prompts = append(want.prompts, text)
		case s.item.Tool != nil && (s.item.Tool.Status == backend.ToolCompleted || s.item.Tool.Status == backend.ToolFailed):
			want.calls[s.item.Tool.CallID] = true
		}
		return nil
	})
	return want, err
}

// see notes that a log has the event.
func (c *conversation) see(e sessionfiles.Event) {
	switch data := gjson.ParseBytes(e.Data); {
	case e.Type == sessionfiles.EventUser && e.Agent == "" && len(c.prompts) > 0:
		if strings.Contains(withoutSpace(data.Get("content").String()), c.prompts[0]) {
			c.prompts = c.prompts[1:]
		}
	case e.Type == sessionfiles.EventToolComplete:
		delete(c.calls, data.Get("toolCallId").String())
	}
}

// seen reports whether the log had everything.
func (c *conversation) seen() bool { return len(c.prompts) == 0 && len(c.calls) == 0 }

// withoutSpace returns the beginning of text without whitespace and invalid characters, because agents may change these.
func withoutSpace(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return text[:min(len(text), maxPrompt)]
}

// rebuild creates a session from the transcript.
func (r *Rescuer) rebuild(ctx context.Context, l agent.Launch, home string, row backend.Session) (string, backend.Message, error) {
	i := sessionfiles.Importer{
		Program: l.Path, Env: l.Env, Home: home,
		Mark:   func(id string) error { return r.cfg.Mark(home, id) },
		Unmark: func(id string) { r.cfg.Remove(home, id) },
	}
	var wrote, skipped int
	id, err := i.Import(ctx, func(t *sessionfiles.Transcript) (err error) {
		wrote, skipped, err = r.write(ctx, row, t)
		return err
	})
	return id, noteOf(wrote, skipped), err
}

// noteOf returns the note about a session that was rebuilt with a number of messages of the user. skipped is the number
// of earlier ones that were left out.
func noteOf(wrote, skipped int) backend.Message {
	switch {
	case skipped > 0:
		return backend.Say("The new session has the last %d messages from this chat, with their answers. Earlier ones don't fit into the model's context.", wrote)
	case wrote == 1:
		return backend.Say("The new session has 1 message from this chat, with its answer.")
	}
	return backend.Say("The new session has %d messages from this chat, with their answers.", wrote)
}

// errNothing means that the transcript has no message for the session.
var errNothing = errors.New("the transcript has no message")

// leftOut precedes the first message of a conversation whose beginning is left out.
const leftOut = "[VoxPilot left out %d earlier messages of the user, with their answers, because they don't fit into the context. Message %d follows.]\n\n"

// write writes the session's conversation from the transcript. It returns the number of the user's messages that it
// wrote, and the number of earlier ones that it skipped because they don't fit into the model's context.
func (r *Rescuer) write(ctx context.Context, row backend.Session, t *sessionfiles.Transcript) (wrote, skipped int, err error) {
	each := func(do func(step) error) error { return r.each(ctx, row, 0, do) }
	p, err := r.plan(each, row)
	if err != nil {
		return 0, 0, err
	}
	err = t.Begin(sessionfiles.Head{Name: row.Title, Folder: row.Cwd, CreatedAt: timeOf(row.CreatedAt)})
	if err != nil {
		return 0, 0, err
	}
	err = each(func(s step) error {
		at, left := timeOf(s.item.CreatedAt), ""
		switch {
		case s.isPrompt && skipped < p.skip:
			skipped++
		case s.isPrompt:
			if wrote == 0 && skipped > 0 {
				left = fmt.Sprintf(leftOut, skipped, skipped+1)
			}
			wrote++
			return s.writePrompt(t, left)
		case wrote == 0: // the answer to a message that is left out
		case s.item.Kind == backend.ItemMessage && !s.item.HasError:
			text, err := s.text()
			if err == nil && text != "" {
				err = t.Answer(at, text)
			}
			return err
		case s.item.Block != nil:
			b := s.item.Block
			return t.Tool(at, "copilot_agent", map[string]any{"session_name": b.SessionName, "prompt": b.Prompt}, b.Error == nil, cmp.Or(b.Summary, b.StopReason, "No result."))
		case s.item.Tool != nil:
			return s.writeTool(t, p.limit)
		}
		return nil
	})
	if err == nil && wrote == 0 {
		err = errNothing
	}
	return wrote, skipped, err
}

func timeOf(m backend.Millis) time.Time { return time.UnixMilli(int64(m)) }
