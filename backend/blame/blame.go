// Package blame finds the turn that wrote each line of a file. It goes through the versions of the file that were
// recorded before and after turns (backend/undo) in all chats whose folders contain the file.
//
// Changes between the versions before and after a turn are attributed to the turn, even those that the user made
// meanwhile. Changes between turns were made outside VoxPilot. Lines that were restored by a full or partial undo, by
// going back or by bringing files back have the writers that they had before. If several turns may have written a line,
// all of them are its writers. The texts that edit tools replaced help to tell equal lines apart.
package blame

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// maxFile is the maximum size of a file in bytes.
const maxFile = 5 << 20

// Config holds the dependencies of the function File.
type Config struct {
	Store *store.Store
	Undo  *undo.Manager
	Chats []backend.Chat // all chats
}

// Blame is a file with the writers of its lines.
//
//tsgen:name Blame
type Blame struct {
	Path string `json:"path"` // absolute, without links
	Text string `json:"text"`
	// Recorded is true if a version of the file was recorded.
	Recorded bool     `json:"recorded"`
	Spans    []Span   `json:"spans"`
	Writers  []Writer `json:"writers"`
}

// Span is a range of lines with the same possible writers.
//
//tsgen:name BlameSpan
type Span struct {
	Lines int `json:"lines"`
	// By lists the possible writers as indexes into Blame.Writers, the most likely one first.
	By []int `json:"by"`
}

// Kind is the kind of a writer.
//
//tsgen:name LineWriterKind
type Kind string

// The kinds of writers.
const (
	Turn    Kind = "turn"
	Outside Kind = "outside" // the user or another program
	Earlier Kind = "earlier" // the lines are older than the first recorded version
	Another Kind = "another" // another task that was running at the same time as a turn
	PutBack Kind = "putBack" // the user restored the lines from a version that wasn't recorded
)

// Writer is a possible writer of lines.
//
//tsgen:name LineWriter
type Writer struct {
	Kind Kind `json:"kind"`
	// The remaining fields are set only for the kind Turn.
	TurnID string         `json:"turnId,omitempty"`
	ChatID string         `json:"chatId,omitempty"`
	Chat   string         `json:"chat,omitempty"` // title of the chat
	At     backend.Millis `json:"at,omitempty"`
	Prompt string         `json:"prompt,omitempty"` // first line of the message, possibly shortened
	ItemID string         `json:"itemId,omitempty"` // ID of the message's item, which is at Pos in the transcript; "" if unknown
	Pos    int64          `json:"pos,omitempty"`
}

// File returns the writers of the lines in the file with the given path, which must be absolute. It reads recorded
// versions one at a time. Its errors are for the user: CodeNotFound if the file doesn't exist or isn't in a chat's
// folder, CodeTooLarge if it is larger than maxFile, CodeInvalid for a file that isn't text, and CodeUnavailable if the
// file or its recorded versions can't be read.
func File(ctx context.Context, cfg Config, path string) (Blame, error) {
	t := &timeline{turns: map[string]backend.Turn{}, recordings: map[string]*recording{}}
	var file workspace.ResolvedPath
	folders := map[string]string{} // by Chat.Folder: its path without links, or "" if the file isn't in it
	for _, chat := range cfg.Chats {
		folder, ok := folders[chat.Folder]
		if !ok {
			at, err := workspace.Locate(chat.Folder, path)
			if err == nil && at.Inside {
				folder, _ = filepath.EvalSymlinks(chat.Folder) // "" on an error
				file = at
			}
			folders[chat.Folder] = folder
		}
		if folder != "" {
			t.recordings[chat.ID] = &recording{chat: chat, folder: folder}
		}
	}
	if len(t.recordings) == 0 {
		return Blame{}, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("%s isn't in any chat's folder.", path)}
	}
	text, err := read(file)
	if err != nil {
		return Blame{}, err
	}
	err = t.read(ctx, cfg)
	if err != nil {
		return Blame{}, err
	}
	r := newReplay(t, cfg.Undo.Snapshots(), file.Path)
	lines, writers, err := r.run(ctx, text)
	if err != nil {
		return Blame{}, failed(ctx, err)
	}
	b := Blame{Path: file.Path, Text: strings.ToValidUTF8(string(text), "\uFFFD"), Recorded: r.recorded, Spans: []Span{}, Writers: []Writer{}}
	err = b.fill(ctx, cfg.Store, r, writers[:len(lines)])
	return b, err
}

// read returns the text of the file.
func read(file workspace.ResolvedPath) ([]byte, error) {
	f, info, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if !info.Mode().IsRegular() {
		return nil, backend.Invalid("%s isn't a file.", file.Path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read %s.", file.Path), Detail: err.Error()}
	case len(text) > maxFile:
		return nil, &backend.Error{Code: backend.CodeTooLarge, Message: backend.Say("The file is larger than 5 MB, so blame isn't available.")}
	case bytes.IndexByte(text, 0) >= 0:
		return nil, backend.Invalid("This isn't a text file, so blame isn't available.")
	}
	return text, nil
}

func failed(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Reading the saved versions of this file took too long.")}
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read the saved versions of this file."), Detail: err.Error()}
}

// fill sets the spans and the writers that they refer to.
func (b *Blame) fill(ctx context.Context, st *store.Store, r *replay, lines []set) error {
	index := map[writer]int{}
	turns := map[string][]string{} // by chat
	var last set = -1
	for _, s := range lines {
		if s == last {
			b.Spans[len(b.Spans)-1].Lines++
			continue
		}
		last = s
		span := Span{Lines: 1}
		for _, w := range r.sets.list[s] {
			at, ok := index[w]
			if !ok {
				at = len(b.Writers)
				index[w] = at
				b.Writers = append(b.Writers, r.timeline.describe(w))
				if own := b.Writers[at]; own.Kind == Turn {
					turns[own.ChatID] = append(turns[own.ChatID], own.TurnID)
				}
			}
			span.By = append(span.By, at)
		}
		b.Spans = append(b.Spans, span)
	}
	for chatID, ids := range turns {
		prompts, err := st.Prompts(ctx, chatID, ids, maxPrompt)
		if err != nil {
			return err
		}
		for _, p := range prompts {
			for i, w := range b.Writers {
				if w.TurnID == p.TurnID && w.ItemID == "" {
					b.Writers[i].ItemID, b.Writers[i].Pos, b.Writers[i].Prompt = p.ItemID, p.Pos, firstLine(p.Text)
				}
			}
		}
	}
	for i, w := range b.Writers { // a message to another session is in that session's block
		block := r.timeline.turns[w.TurnID].BlockID
		if w.Kind != Turn || w.ItemID != "" || block == "" {
			continue
		}
		if item, err := st.Item(ctx, block); err == nil && item.Block != nil {
			b.Writers[i].ItemID, b.Writers[i].Pos, b.Writers[i].Prompt = item.ID, item.Pos, firstLine(item.Block.Prompt)
		}
	}
	return nil
}

// describe returns the Writer for w, without the fields that fill adds: ItemID, Pos and Prompt.
func (t *timeline) describe(w writer) Writer {
	if w < firstTurn {
		return Writer{Kind: []Kind{earlier: Earlier, outside: Outside, restored: Outside, another: Another, returned: PutBack}[w]}
	}
	id := t.ids[w-firstTurn]
	turn := t.turns[id]
	res := Writer{Kind: Turn, TurnID: id, ChatID: turn.ChatID, At: turn.StartedAt}
	if p := t.recordings[turn.ChatID]; p != nil {
		res.Chat = p.chat.Title
	}
	return res
}

// maxPrompt is the maximum size in bytes of Writer.Prompt.
const maxPrompt = 400

// firstLine returns the first nonblank line of text, truncated to maxPrompt bytes.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line = strings.TrimSpace(line); len(line) > maxPrompt {
		line = line[:maxPrompt]
		for !utf8.ValidString(line) {
			line = line[:len(line)-1]
		}
	}
	return line
}
