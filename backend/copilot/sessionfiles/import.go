package sessionfiles

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/internal/process"
)

// ErrNotImported means that the CLI can't import a conversation, or rejected this one.
var ErrNotImported = errors.New("the Copilot CLI didn't import the conversation")

// Importer lets the Copilot CLI import conversations as new sessions.
type Importer struct {
	Program string   // path of the CLI
	Env     []string // environment of the CLI
	Home    string   // the CLI's home directory, in which the sessions are created; "" for the default one
	// Mark is called with the ID of each session before it is created, so that the session can be removed if the app
	// is killed. Unmark is called with each marked ID for which there is no session at the end.
	Mark   func(id string) error
	Unmark func(id string)
}

// Import creates a session from the conversation that write writes, and returns its ID. If Import returns an error, there is no new session. The error is ErrNotImported, the error of write, Mark or the
// file system, or ctx's error.
//
// The CLI imports the session into a separate home directory, from which Import then moves it to Home. An import that
// is killed therefore leaves no session behind.
func (i Importer) Import(ctx context.Context, write func(*Transcript) error) (id string, err error) {
	state := filepath.Join(HomeDir(i.Home), "session-state")
	if err := os.MkdirAll(state, 0o700); err != nil {
		return "", err
	}
	tempID := NewID()
	if err := i.Mark(tempID); err != nil {
		return "", err
	}
	defer i.Unmark(tempID)
	temp := filepath.Join(state, copyTemp+tempID)
	if err := os.Mkdir(temp, 0o700); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if err := writeTranscript(temp, write); err != nil {
		return "", err
	}
	id, err = i.run(ctx, temp)
	if err != nil {
		return "", err
	}
	if err := i.Mark(id); err != nil {
		return "", err
	}
	if err := os.Rename(filepath.Join(temp, "session-state", id), filepath.Join(state, id)); err != nil {
		i.Unmark(id)
		return "", err
	}
	return id, nil
}

// transcriptFile is the name of the file that the CLI imports.
const transcriptFile = "conversation.jsonl"

// run lets the CLI import the transcript in the folder temp, with temp as its home directory.
func (i Importer) run(ctx context.Context, temp string) (id string, err error) {
	args := []string{"sessions", "import", filepath.Join(temp, transcriptFile), "--output", "json"}
	env := slices.DeleteFunc(process.Scrub(i.Env), func(kv string) bool {
		key, _, _ := strings.Cut(kv, "=")
		return process.SameVar(key, "COPILOT_HOME")
	})
	var out bytes.Buffer
	failed := process.RunIn(ctx, append(env, "COPILOT_HOME="+temp), &out, i.Program, args...)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	answer := gjson.ParseBytes(out.Bytes())
	if id = answer.Get("sessionId").String(); failed == nil && answer.Get("ok").Bool() && sessionID.MatchString(id) {
		return id, nil
	}
	reason := answer.Get("message").String()
	if d := answer.Get("diagnostics.0"); d.Exists() {
		reason += fmt.Sprintf(" Line %d: %s", d.Get("line").Int(), d.Get("message").String())
	}
	return "", errors.Join(fmt.Errorf("%w: %s", ErrNotImported, reason), failed)
}
