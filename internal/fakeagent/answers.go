package fakeagent

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// record appends a request to the file of calls.
func (a *agent) record(m message) {
	if a.script.Calls == "" {
		return
	}
	line, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	f, err := os.OpenFile(a.script.Calls, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
		_ = f.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
	}
}

// scripted answers a request as the script says. An answer that has a
// $NEW in it makes a session of that id.
func (a *agent) scripted(m message, p params) bool {
	text, ok := a.script.Answer[m.Method]
	fill := strings.NewReplacer("$SESSION", p.SessionID, "$CWD", p.Cwd)
	for _, u := range a.script.Before[m.Method] {
		// Half a character stays as it is written.
		a.send(object{"method": "session/update", "params": object{"sessionId": p.SessionID, "update": json.RawMessage(fill.Replace(u))}})
	}
	if !ok {
		return false
	}
	if strings.Contains(text, "$NEW") {
		s := &session{ID: rand.Text(), Cwd: p.Cwd}
		a.mu.Lock()
		if from := a.loaded[p.SessionID]; from != nil {
			s.Log = append(s.Log, from.Log...)
		}
		a.loaded[s.ID] = s
		a.save(s)
		a.mu.Unlock()
		text = strings.ReplaceAll(text, "$NEW", s.ID)
	}
	if m.Method == "session/resume" {
		a.mu.Lock()
		a.loaded[p.SessionID] = &session{ID: p.SessionID, Cwd: p.Cwd}
		a.mu.Unlock()
	}
	a.answer(m.ID, decode(fill.Replace(text)))
	return true
}
