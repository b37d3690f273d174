// Package rescue recovers the conversation of a Copilot CLI session that the CLI can't load: from the session's damaged
// files or, if these don't contain the whole conversation, from the transcript in the database. The damaged session
// never changes.
package rescue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/store"
)

// Config holds the dependencies of a Rescuer.
type Config struct {
	Store *store.Store
	Temp  string // folder for temporary files; New empties it
	// Mark records that no chat uses a session yet. If the app is killed before Keep or Remove is called, the next
	// start removes the session. home is the CLI's home directory that contains the session.
	Mark   func(home, id string) error
	Keep   func(id string)
	Remove func(home, id string)
}

// Rescuer recovers sessions. It is safe for concurrent use.
type Rescuer struct {
	cfg   Config
	slots chan struct{} // one for each copy in progress, because copies need much memory
}

// maxCopies is the maximum number of sessions that are copied at the same time.
const maxCopies = 2

// New returns a Rescuer.
func New(cfg Config) *Rescuer {
	_ = os.RemoveAll(cfg.Temp) // Import creates it, and reports problems with it
	return &Rescuer{cfg, make(chan struct{}, maxCopies)}
}

// Ways returns the ways to recover the session in row, the best one first (agent.Config.Rescues). If the session hasn't
// received a prompt, the only way creates a session from the transcript, including the answers of orchestrators and
// other agents.
func (r *Rescuer) Ways(l agent.Launch, row backend.Session) (ways []agent.Rescue) {
	if !row.HadPrompt {
		return []agent.Rescue{r.handOver(l, row)}
	}
	add := func(banner backend.BannerKind, copy copyFunc) {
		ways = append(ways, agent.Rescue{
			Banner: banner, Copy: r.inSlot(copy), Keep: r.cfg.Keep, Discard: func(id string) { r.cfg.Remove(l.Home, id) },
		})
	}
	if sessionfiles.HomeDir(sessionfiles.HomeOf(row)) == sessionfiles.HomeDir(l.Home) { // the agent looks for the copy there
		add(backend.BannerSessionRepaired, func(ctx context.Context) (string, backend.Message, error) { return r.repair(ctx, l, row) })
	}
	add(backend.BannerSessionRebuilt, func(ctx context.Context) (string, backend.Message, error) { return r.rebuild(ctx, l, row) })
	return ways
}

// copyFunc is the type of agent.Rescue.Copy.
type copyFunc = func(context.Context) (id string, note backend.Message, err error)

// inSlot returns a function that calls copy when one of the slots is free, and classifies its error.
func (r *Rescuer) inSlot(copy copyFunc) copyFunc {
	return func(ctx context.Context) (id string, note backend.Message, err error) {
		select {
		case r.slots <- struct{}{}:
			defer func() { <-r.slots }()
		case <-ctx.Done():
			return "", note, ctx.Err()
		}
		id, note, err = copy(ctx)
		return id, note, classified(err)
	}
}

// handOver returns a way that creates a session for row from the transcript. Its banner replaces the banner that
// announced a session with a recap.
func (r *Rescuer) handOver(l agent.Launch, row backend.Session) agent.Rescue {
	return agent.Rescue{
		Banner: backend.BannerHandedOver, BannerID: func(ctx context.Context) string { return r.announcement(ctx, row) }, Keep: r.cfg.Keep, Discard: func(id string) { r.cfg.Remove(l.Home, id) },
		Copy: r.inSlot(func(ctx context.Context) (string, backend.Message, error) {
			id, note, err := r.rebuild(ctx, l, row)
			if err != nil && ctx.Err() == nil { // the session gets a recap instead
				err = errors.Join(agent.ErrNotRescued, err)
			}
			return id, note, err
		}),
	}
}

// announcement returns the ID of the item with the banner that announced a recap for the session in row, or "".
func (r *Rescuer) announcement(ctx context.Context, row backend.Session) (id string) {
	_ = r.cfg.Store.Read(ctx, func(tx *store.ReadTx) error { // if this fails, the chat shows both banners
		return tx.EachItem(ctx, row.ChatID, "", func(item backend.Item) error {
			if b := item.Banner; b != nil && b.Kind == backend.BannerSessionLost && b.Session == row.Name {
				id = item.ID
			}
			return nil
		})
	})
	return id
}

// classified wraps err in agent.ErrNotRescued if another attempt can't succeed. Otherwise it returns a user-facing
// error, or err itself if it is a context error.
func classified(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	for _, final := range []error{agent.ErrNotRescued, errLacks, errNothing, sessionfiles.ErrNoSession, sessionfiles.ErrUnreadable, sessionfiles.ErrNotImported} {
		if errors.Is(err, final) {
			return errors.Join(agent.ErrNotRescued, err)
		}
	}
	return &backend.Error{
		Code:    backend.CodeStorage,
		Message: backend.Say("Copilot can't open its session, and VoxPilot couldn't copy the conversation to a new one. Check for free disk space, then send your message again."),
		Detail:  err.Error(),
	}
}

// errLacks means that a repaired session lacks a part of the conversation that the transcript contains.
var errLacks = errors.New("the repaired session lacks a part of the conversation")

// repair makes a repaired copy of the session. It fails with errLacks if the copy lacks a part of the conversation, unless
// the session also has messages that aren't in the transcript: the copy is then the only way to keep those.
func (r *Rescuer) repair(ctx context.Context, l agent.Launch, row backend.Session) (id string, note backend.Message, err error) {
	want, err := r.expected(ctx, row)
	if err != nil {
		return "", note, err
	}
	id = sessionfiles.NewID()
	if err := r.cfg.Mark(l.Home, id); err != nil {
		return "", note, err
	}
	defer func() {
		if err != nil {
			r.cfg.Remove(l.Home, id)
		}
	}()
	dropped, err := sessionfiles.Repair(ctx, l.Home, row.ACPID, id, row.Cwd, want.observe)
	if err != nil {
		return "", note, err
	}
	switch missing := want.missing(); {
	case missing != "" && want.others == 0:
		return "", note, fmt.Errorf("%w: %s", errLacks, missing)
	case missing != "":
		return id, backend.Say("A damaged part of the conversation was left out."), nil
	case dropped == 1:
		return id, backend.Say("1 damaged entry was left out. It isn't part of the conversation."), nil
	case dropped > 1:
		return id, backend.Say("%d damaged entries were left out. They aren't part of the conversation.", dropped), nil
	}
	return id, note, nil
}

// IsCutOff reports whether the last line of the session's log was cut off and the session lacks the end of the
// conversation in the transcript. It returns false if the session also has messages that aren't in the transcript, if
// the agent uses another home than the session, or if the session or the transcript can't be read.
func (r *Rescuer) IsCutOff(ctx context.Context, l agent.Launch, row backend.Session) bool {
	home := sessionfiles.HomeOf(row)
	if is, err := sessionfiles.IsCutOff(home, row.ACPID); err != nil || !is || sessionfiles.HomeDir(home) != sessionfiles.HomeDir(l.Home) {
		return false
	}
	want, err := r.expected(ctx, row)
	if err == nil {
		err = sessionfiles.EachLogged(ctx, home, row.ACPID, want.observe)
	}
	return err == nil && want.others == 0 && want.lacksEnd()
}

// rebuild creates a session from the transcript.
func (r *Rescuer) rebuild(ctx context.Context, l agent.Launch, row backend.Session) (string, backend.Message, error) {
	i := sessionfiles.Importer{
		Program: l.Path, Env: withoutSecrets(l), Temp: r.cfg.Temp, Home: l.Home,
		Mark:   func(id string) error { return r.cfg.Mark(l.Home, id) },
		Unmark: func(id string) { r.cfg.Remove(l.Home, id) },
	}
	var wrote, skipped int
	id, err := i.Import(ctx, func(t *sessionfiles.Transcript) (err error) {
		wrote, skipped, err = r.write(ctx, row, t)
		return err
	})
	if err != nil && l.Redact != nil {
		err = redacted{err, l.Redact(err.Error())}
	}
	return id, noteOf(wrote, skipped), err
}

// withoutSecrets returns the environment of the CLI without its secrets, because an import needs no sign-in.
func withoutSecrets(l agent.Launch) []string {
	return slices.DeleteFunc(slices.Clone(l.Env), func(kv string) bool {
		_, value, _ := strings.Cut(kv, "=")
		return slices.ContainsFunc(l.Secrets, func(secret string) bool { return secret != "" && strings.Contains(value, secret) })
	})
}

// redacted is an error whose text contains no secrets.
type redacted struct {
	error
	text string
}

func (r redacted) Error() string { return r.text }
func (r redacted) Unwrap() error { return r.error }

// noteOf returns the note about a rebuilt session. wrote is the number of the user's messages in the session, and
// skipped the number of earlier messages that were left out.
func noteOf(wrote, skipped int) backend.Message {
	switch {
	case skipped > 0:
		return backend.Say("The new session has the last %d messages from this chat, with their answers. Earlier messages don't fit in the model's context.", wrote)
	case wrote == 1:
		return backend.Say("The new session has 1 message from this chat, with its answer.")
	}
	return backend.Say("The new session has %d messages from this chat, with their answers.", wrote)
}

// errNothing means that the transcript contains no message for the session.
var errNothing = errors.New("the transcript has no message")

// leftOut is the text before the first message of a conversation whose beginning is left out.
const leftOut = "[VoxPilot left out %d earlier messages of the user, with their answers, because they don't fit into the context. Message %d follows.]\n\n"

// write writes the session's conversation from the transcript. It returns the number of the user's messages that it
// wrote, and the number of earlier ones that it skipped because they don't fit into the model's context.
func (r *Rescuer) write(ctx context.Context, row backend.Session, t *sessionfiles.Transcript) (wrote, skipped int, err error) {
	each := func(do func(step) error) error { return r.each(ctx, row, true, do) }
	p, err := r.plan(each, row)
	if err != nil {
		return 0, 0, err
	}
	return writePlanned(each, row, p, t)
}

// writePlanned writes the part of the conversation that p describes, like write.
func writePlanned(each func(func(step) error) error, row backend.Session, p plan, t *sessionfiles.Transcript) (wrote, skipped int, err error) {
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
