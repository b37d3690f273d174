package fakeagent

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

// session is the content of a session file in COPILOT_HOME.
type session struct {
	ID      string
	Cwd     string
	Updated time.Time
	Log     []object // updates to replay when the session is loaded

	cancel context.CancelFunc
}

func (a *agent) newSession(id json.RawMessage, cwd string) {
	s := &session{ID: rand.Text(), Cwd: cwd}
	a.mu.Lock()
	a.loaded[s.ID] = s
	a.mu.Unlock()
	// The Copilot CLI sends this before its response, when the client doesn't know the id yet.
	a.update(s.ID, object{"sessionUpdate": "available_commands_update", "availableCommands": []object{{"name": "compact", "description": "Summarize"}}})
	res := a.declares()
	res["sessionId"] = s.ID
	a.answer(id, res)
}

func (a *agent) file(id string) string {
	return filepath.Join(a.home, "session-state", filepath.Base(id)+".json")
}

func (a *agent) save(s *session) {
	s.Updated = time.Now()
	b, err := json.Marshal(s)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(a.file(s.ID)), 0o700)
	}
	if err == nil {
		err = writeWhole(a.file(s.ID), b)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
	}
}

// writeWhole writes a file atomically: if the process is killed while writing, the file keeps its old content.
func writeWhole(file string, b []byte) error {
	if err := os.WriteFile(file+".new", b, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

func (a *agent) load(id json.RawMessage, sid string) {
	a.mu.Lock()
	there := a.loaded[sid] != nil
	a.mu.Unlock()
	if there {
		a.fail(id, -32602, "Session "+sid+" is already loaded")
		return
	}
	b, err := os.ReadFile(a.file(sid))
	if err != nil {
		a.fail(id, -32002, "Resource not found: Session "+sid+" not found")
		return
	}
	s := &session{}
	if json.Unmarshal(b, s) != nil {
		a.fail(id, -32603, "Internal error: the session cannot be read")
		return
	}
	a.mu.Lock()
	a.loaded[sid] = s
	a.mu.Unlock()
	a.flood(sid, "agent_message_chunk", "some words of an answer ", a.script.Replay)
	for _, u := range s.Log {
		a.update(sid, u)
	}
	a.answer(id, a.declares())
}

func (a *agent) list(id json.RawMessage, cwd, cursor string) {
	files, _ := filepath.Glob(filepath.Join(a.home, "session-state", "*.json"))
	var all []session
	for _, f := range files {
		s := session{ID: strings.TrimSuffix(filepath.Base(f), ".json"), Cwd: cwd}
		if b, err := os.ReadFile(f); err == nil {
			_ = json.Unmarshal(b, &s) // an unreadable one is listed all the same
		}
		if cwd == "" || s.Cwd == cwd {
			all = append(all, s)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Updated.After(all[j].Updated) })
	page := a.script.PageSize
	if page == 0 {
		page = 50
	}
	from, _ := strconv.Atoi(cursor)
	to := min(from+page, len(all))
	res := object{}
	out := []object{}
	for _, s := range all[min(from, to):to] {
		out = append(out, object{"sessionId": s.ID, "cwd": s.Cwd})
	}
	res["sessions"] = out
	if to < len(all) {
		res["nextCursor"] = strconv.Itoa(to)
	}
	a.answer(id, res)
}
