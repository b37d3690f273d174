package sessionfiles

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/internal/process"
)

// ErrNotImported means that the CLI can't import a conversation, or rejected this one.
var ErrNotImported = errors.New("the Copilot CLI didn't import the conversation")

// Importer creates sessions from conversations, with the command `copilot sessions import`.
type Importer struct {
	Program string   // path of the CLI
	Env     []string // environment of the CLI, which needs no credentials
	Temp    string   // folder for temporary files, to which agents can't write; created if necessary
	Home    string   // the CLI's home directory, in which the sessions are created; "" for the default one
	// Mark is called with the ID of each session before it is created, so that the session can be removed if the app
	// is killed. If Import then fails, it calls Unmark with that ID, which must remove the session.
	Mark   func(id string) error
	Unmark func(id string)
}

// Import creates a session from the conversation that write writes, and returns its ID. If Import returns an error, there
// is no new session. The error is ErrNotImported, the error of write, Mark or the file system, or ctx's error.
//
// The CLI imports the session into a temporary home directory, from which Import copies it to Home. No agent can change
// the conversation meanwhile, and if the app is killed during an import, no session is left behind.
func (i Importer) Import(ctx context.Context, write func(*Transcript) error) (id string, err error) {
	if err := os.MkdirAll(i.Temp, 0o700); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(i.Temp, "import-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temp) }() // the next start of the app tries again
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
	if err := i.move(filepath.Join(temp, "session-state", id), id); err != nil {
		i.Unmark(id)
		return "", err
	}
	return id, nil
}

// move copies the imported session in the folder from to Home, and syncs it to disk.
func (i Importer) move(from, id string) error {
	state := filepath.Join(HomeDir(i.Home), "session-state")
	if err := os.MkdirAll(state, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(state)
	if err != nil {
		return err
	}
	defer root.Close()
	err = filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		to := path.Join(copyTemp+id, filepath.ToSlash(rel))
		switch {
		case d.IsDir():
			return root.Mkdir(to, 0o700)
		case !d.Type().IsRegular() || rel == d.Name() && isClaim(d.Name()):
			return nil
		}
		return copyInto(root, to, name)
	})
	if err != nil {
		return err
	}
	if err := root.Rename(copyTemp+id, id); err != nil {
		return err
	}
	return syncFolder(root)
}

// copyInto copies the file named from to a new file in root, and syncs it to disk.
func copyInto(root *os.Root, to, from string) error {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Sync(), w.Close())
}

// TranscriptFile is the name of the file that the CLI imports.
const TranscriptFile = "conversation.jsonl"

// run runs the command that imports the transcript in the folder temp, with temp as the CLI's home directory, and
// returns the ID of the new session.
func (i Importer) run(ctx context.Context, temp string) (id string, err error) {
	env := slices.DeleteFunc(process.Scrub(i.Env), func(kv string) bool {
		key, _, _ := strings.Cut(kv, "=")
		return process.SameVar(key, "COPILOT_HOME")
	})
	var out bytes.Buffer
	failed := process.RunIn(ctx, append(env, "COPILOT_HOME="+temp), &out, i.Program,
		"--no-auto-update", "sessions", "import", filepath.Join(temp, TranscriptFile), "--output", "json")
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
