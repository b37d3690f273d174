package undo

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// BeforeTool records files before a tool call of a chat's agent. It records the files that an edit names, even if Git
// ignores them, the texts of the edit (Edit), and commands that start in the background. If the call may change
// something and recording is quick enough (Config.ToolCosts), it also records the whole folder.
func (m *Manager) BeforeTool(ctx context.Context, chatID string, call guard.Call) {
	kind := call.Kind()
	if call.Event != guard.ToolCall || call.IsInternal() ||
		kind == backend.ToolRead || kind == backend.ToolSearch || kind == backend.ToolFetch {
		return
	}
	if kind == backend.ToolEdit {
		m.Keep(chatID, editedPaths(call.Args)...)
	}
	m.noteAsync(chatID, call)
	m.mu.Lock()
	slow := m.isSlow(chatID)
	var roots []*Recording
	for _, r := range m.running {
		if r.chatID == chatID && r.root {
			roots = append(roots, r)
		}
	}
	m.mu.Unlock()
	if len(roots) == 0 {
		m.beforeUnprompted(ctx, chatID, slow)
		return
	}
	if kind == backend.ToolEdit {
		m.noteEdit(roots, call.Args)
	}
	var id snapshot.ID
	if !slow {
		r := roots[0]
		select {
		case <-r.ready:
		case <-ctx.Done():
			return
		}
		if r.store == nil {
			return
		}
		began := time.Now()
		s, err := r.watch.snapshot(ctx, r.store)
		if err != nil {
			m.cfg.Log.Warn("couldn't record a folder before a tool call", "chat", chatID, "err", err)
			return
		}
		id = s.ID
		m.addCost(chatID, r.folder, time.Since(began))
	}
	for _, r := range roots {
		r.mu.Lock()
		if r.row.State == backend.UndoRecording && (slow && !r.row.EdgesOnly || !slow && r.row.During != string(id)) {
			if slow {
				r.row.EdgesOnly = true
			} else {
				r.row.During = string(id)
			}
			r.publish()
		}
		r.mu.Unlock()
	}
}

// recorded returns the chat's running turn, once its folder has been recorded, or nil if no turn is running or the turn
// can't be undone.
func (m *Manager) recorded(chatID string) *Recording {
	m.mu.Lock()
	var r *Recording
	for _, o := range m.running {
		if o.chatID == chatID && o.root {
			r = o
		}
	}
	m.mu.Unlock()
	if r == nil {
		return nil
	}
	<-r.ready
	if r.store == nil {
		return nil
	}
	return r
}

// storeFor returns the store and the folder of the chat's running turn, or of the chat if no turn is running and its
// agent reports its tool calls. The store is nil if the files can't be recorded.
func (m *Manager) storeFor(chatID string) (st *snapshot.Store, folder string) {
	if r := m.recorded(chatID); r != nil {
		return r.store, r.folder
	}
	m.mu.Lock()
	isRunning := m.isRunning(chatID)
	m.mu.Unlock()
	chat, err := m.cfg.Chat(chatID)
	if err != nil || isRunning || !m.reports(chat) {
		return nil, ""
	}
	if st, err = m.stores.Open(chat.ID, chat.Folder); err != nil {
		return nil, ""
	}
	return st, chat.Folder
}

// Keep records the files that a tool of a chat's agent is about to edit, even if Git ignores them.
func (m *Manager) Keep(chatID string, paths ...string) {
	if len(paths) == 0 {
		return
	}
	st, folder := m.storeFor(chatID)
	if st == nil {
		return
	}
	if err := st.Keep(localPaths(folder, paths...)...); err != nil {
		m.cfg.Log.Warn("couldn't record a file before an edit", "chat", chatID, "err", err)
	}
}

// patchHeads lists the prefixes that precede the names of files in a patch.
var patchHeads = []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "}

// editedPaths returns the paths in the arguments of a tool that edits files. The paths may be relative to the chat's
// folder.
func editedPaths(args []byte) (paths []string) {
	v := gjson.ParseBytes(args)
	if path := v.Get("path"); path.Type == gjson.String {
		paths = append(paths, path.Str)
	}
	patch := v.Str
	for _, name := range []string{"input", "patch"} {
		patch += "\n" + v.Get(name).String()
	}
	for line := range strings.Lines(patch) {
		for _, head := range patchHeads {
			if path, is := strings.CutPrefix(strings.TrimSpace(line), head); is {
				paths = append(paths, filepath.FromSlash(path))
			}
		}
	}
	return paths
}
