package session

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/args"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// readTextFile handles fs/read_text_file. Files in the session's folder are read without asking the user, because
// agents can read them directly. Other files require permission.
func (s *Session) readTextFile(ctx context.Context, params gjson.Result) (any, *sdk.RequestError) {
	path, rerr := args.Text(params, "path")
	if rerr != nil {
		return nil, rerr
	}
	line, rerr := args.Count(params, "line")
	if rerr != nil {
		return nil, rerr
	}
	limit, rerr := args.Count(params, "limit")
	if rerr != nil {
		return nil, rerr
	}
	place, err := workspace.Locate(s.Folder, path)
	if err != nil {
		return nil, args.Failure(err, path)
	}
	var t *toolItem
	if !place.Inside && !s.granted(func(g grant) bool { return !g.write && g.path == place.Path }) {
		t = s.readCall(path, place)
		if rerr := s.askUser(ctx, params, t, backend.Permission{
			Title: "Read " + place.Path, Kind: backend.ToolRead, Path: place.Path, Outside: true,
		}); rerr != nil {
			s.endOwn(t, rerr)
			return nil, rerr
		}
	}
	text, err := place.Read(line, limit)
	if err != nil {
		rerr = args.Failure(err, path)
	}
	if t != nil {
		s.endOwn(t, rerr)
	}
	if rerr != nil {
		return nil, rerr
	}
	return map[string]any{"content": text}, nil
}

// writeTextFile handles fs/write_text_file. The write is shown and requires permission, like any edit.
func (s *Session) writeTextFile(ctx context.Context, params gjson.Result) (any, *sdk.RequestError) {
	path, rerr := args.Text(params, "path")
	if rerr != nil {
		return nil, rerr
	}
	text, rerr := args.Text(params, "content")
	if rerr != nil {
		return nil, rerr
	}
	place, err := workspace.Locate(s.Folder, path)
	if err != nil {
		return nil, args.Failure(err, path)
	}
	// Take the turn before checking the files, so that a stop during the check isn't
	// attributed to the next turn.
	turn := s.currentTurn()
	if rerr := s.lateWrite(path, place); rerr != nil {
		return nil, rerr
	}
	text = asInFile(place, text)
	t := s.editCall(path, place)
	creates := !place.Exists()
	if !s.granted(covers(place, text)) {
		p := backend.Permission{
			Title: "Edit " + place.Path, Kind: backend.ToolEdit, Path: place.Path, Outside: !place.Inside,
			ContentID: s.showChange(t, place.Path, changeOf(place, text)), Creates: creates,
			Names: []string{filepath.Clean(path), place.Path},
		}
		if place.Inside && !place.IsFolder() {
			p.Scope = &backend.Scope{Kind: backend.RuleEdits, Folder: s.Folder}
		}
		if rerr := s.askUser(ctx, params, t, p); rerr != nil {
			s.endOwn(t, rerr)
			return nil, rerr
		}
	}
	change := changeOf(place, text) // relative to the current file
	done, ok := s.writing(turn)
	if !ok {
		rerr := errStopped("Nothing was written")
		s.endOwn(t, rerr)
		return nil, rerr
	}
	defer done()
	if err := place.Write(text); err != nil {
		rerr = args.Failure(err, path)
		s.endOwn(t, rerr)
		return nil, rerr
	}
	s.markWritten(t)
	s.showChange(t, place.Path, change)
	s.endOwn(t, nil)
	return map[string]any{}, nil
}

// markWritten records that VoxPilot has written a file for the call. If the call was already closed as canceled,
// because its turn was stopped, it becomes completed.
func (s *Session) markWritten(t *toolItem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.hasWritten = true
	if !t.item.Open && t.item.Tool.Status == backend.ToolCancelled {
		s.setStatus(t, backend.ToolCompleted)
		s.emitTool(t)
	}
}

// asInFile returns the new text of a file with the byte order mark that the file has. If all the file's lines end with
// CRLF and the text contains no CR, its lines end with CRLF too. Agents expect the client to be an editor that manages
// line endings, and some add a byte order mark to text that already has one.
func asInFile(place workspace.ResolvedPath, text string) string {
	before, err := place.Read(0, 0)
	if err != nil {
		return text
	}
	if strings.HasPrefix(before, diff.ByteOrderMark) {
		text = diff.ByteOrderMark + strings.TrimLeft(text, diff.ByteOrderMark)
	}
	if n := strings.Count(before, "\r\n"); n > 0 && n == strings.Count(before, "\n") && !strings.Contains(text, "\r") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// changeOf returns the diff from the file's current content to the given text.
func changeOf(place workspace.ResolvedPath, text string) diff.Diff {
	before, err := place.Read(0, 0)
	if err != nil && backend.CodeOf(err) != backend.CodeNotFound {
		// The file exists but can't be compared as text.
		return diff.Replaced(place.Path, place.Path, place.Path, "", text)
	}
	return diff.Of(place.Path, before, text)
}

// readCall returns the agent's open tool call to which a read belongs. If there is none, it adds one with ownCall.
func (s *Session) readCall(path string, place workspace.ResolvedPath) *toolItem {
	s.mu.Lock()
	defer s.mu.Unlock()
	kinds := []backend.ToolKind{backend.ToolRead, backend.ToolSearch, backend.ToolEdit}
	if t := s.callFor(kinds, isAt(path, place), hasNoTarget); t != nil {
		return t
	}
	return s.ownCall(backend.Tool{Title: "Read " + place.Path, Kind: backend.ToolRead, Path: place.Path})
}

// kindsOfWrites are the kinds of tool calls that may write files.
var kindsOfWrites = []backend.ToolKind{backend.ToolEdit, backend.ToolDelete, backend.ToolMove, backend.ToolOther}

// editCall returns the agent's open tool call to which a write belongs. If there is none, it adds one with ownCall.
func (s *Session) editCall(path string, place workspace.ResolvedPath) *toolItem {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.callFor(kindsOfWrites, isAt(path, place), hasNoTarget); t != nil {
		return t
	}
	return s.ownCall(backend.Tool{Title: "Edit " + place.Path, Kind: backend.ToolEdit, Path: place.Path})
}

// isAt returns a function that reports whether a tool call names the file as its path or destination. path is the file
// as named in the request, and place is its resolved path.
func isAt(path string, place workspace.ResolvedPath) func(*toolItem) bool {
	return func(t *toolItem) bool {
		tool := t.item.Tool
		return tool.Path == path || tool.Path == place.Path || tool.To == path || tool.To == place.Path
	}
}

func hasNoTarget(t *toolItem) bool { return t.item.Tool.Path == "" && t.item.Tool.Command == "" }

// showChange shows a write's change in the tool call t, where it replaces any other diff of the same file. It returns
// the ID of the diff's content, or "" if the change is empty.
func (s *Session) showChange(t *toolItem, path string, d diff.Diff) (contentID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.item.Tool.Kind == backend.ToolEdit && !t.diskChecked {
		t.item.Tool.Creates, t.diskChecked = bytes.HasPrefix(d.Body, []byte("--- "+diff.Nowhere)), true
	}
	if t.item.Tool.Path == "" {
		t.item.Tool.Path = path
	}
	s.emitTool(t)
	key := t.diffSlot(path, slotChange+path)
	s.cfg.Publish(s.put(nil, t, key, d.Content(), d.Body)...)
	if sl := t.slots[key]; sl != nil {
		if contentID = sl.content.ID; t.item.Open {
			sl.steps = d.Replacements
		}
	}
	return contentID
}

// changeSlot returns the key of the diff that VoxPilot added for path, or "" if there is none.
func (t *toolItem) changeSlot(path string) string {
	for _, key := range []string{slotChange, slotChange + path} {
		if sl := t.slots[key]; sl != nil && sl.content.Path == path {
			return key
		}
	}
	return ""
}

// diffSlot returns the key of the slot in which to show a diff of path. This is the slot with the key in fallback if
// the call has one, or else a slot with a diff of path. If there is neither, diffSlot returns fallback.
func (t *toolItem) diffSlot(path, fallback string) string {
	if t.slots[fallback] != nil {
		return fallback
	}
	for key, sl := range t.slots {
		if sl.content.Type == backend.ContentDiff && sl.content.Path == path {
			return key
		}
	}
	return fallback
}

// covers returns a function that reports whether a grant allows replacing the file's current content with text. The
// grant must be for writing the file. If the user was shown a change, the replacement must be that change. covers reads
// the file itself; the returned function doesn't access the disk.
func covers(place workspace.ResolvedPath, text string) func(grant) bool {
	was, err := place.Read(0, 0)
	readable := err == nil || backend.CodeOf(err) == backend.CodeNotFound
	return func(g grant) bool {
		return g.write && g.path == place.Path && (g.proposed == nil || readable && diff.Applied(was, text, g.proposed))
	}
}
