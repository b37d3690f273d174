package engine

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/export"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// CancelExport cancels the export of a chat and leaves no partial file behind.
func (a *API) CancelExport(chatID string) error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.exports.Cancel(chatID)
		return nil
	})
}

// formatCopilot is the format that "copilot sessions import" reads. The other formats are in export.Formats.
const formatCopilot = "copilot"

// exportInterval is the time between two progress events of an export.
const exportInterval = 300 * time.Millisecond

// export opens a save dialog in the background and writes the chat to the chosen file.
// It does nothing if the chat is already being exported.
func (e *Engine) export(chatID, format string) error {
	as, known := export.Formats[format]
	if !known && format != formatCopilot {
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("A chat can be exported as Markdown, HTML or JSON."), Detail: format}
	}
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(e.ctx)
	if !e.exports.Begin(chatID, end) {
		end()
		return nil
	}
	go func() {
		defer end()
		answer := backend.DialogResult{Request: "export " + chatID}
		ending, write := as.Ending, func(w io.Writer) error { return e.writeChat(ctx, w, as, chatID) }
		var err error
		if format == formatCopilot {
			ending, err = e.rescuer.Ending(ctx, chat)
			write = func(w io.Writer) error { return e.rescuer.Export(ctx, chat, ending, w) }
		}
		var path string
		if err == nil {
			path, err = e.Config.SaveFile(workspace.FileName("", chat.Title) + ending)
		}
		if err == nil && path != "" && ctx.Err() == nil {
			answer.Path = path
			err = e.exportTo(chatID, path, write)
		}
		switch {
		case ctx.Err() != nil: // canceled by the user
			answer.Path = ""
		case err != nil:
			answer.Message = backend.Say("Couldn't export the chat: %s", err)
		}
		e.exports.End(chatID, func() { e.Bus.Publish(backend.Event{DialogResult: &answer}) })
	}()
	return nil
}

// exportTo creates the file at path, calls write to fill it, and publishes the progress until write returns.
func (e *Engine) exportTo(chatID, path string, write func(io.Writer) error) error {
	return e.exports.Write(func() error {
		return atomicfile.Write(path, func(to io.Writer) error {
			counted := &countedWriter{to: to}
			defer e.publishExport(backend.DialogResult{Request: "export " + chatID, Path: path}, counted)()
			return write(counted)
		})
	})
}

// countedWriter counts the bytes written to it.
type countedWriter struct {
	to io.Writer
	n  atomic.Int64
}

func (w *countedWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	w.n.Add(int64(n))
	return n, err
}

// publishExport publishes the progress of an export periodically until stop is called.
func (e *Engine) publishExport(answer backend.DialogResult, counted *countedWriter) (stop func()) {
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(exportInterval)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				now := answer
				now.Writing, now.Written = true, counted.n.Load()
				e.Bus.Publish(backend.Event{DialogResult: &now})
			}
		}
	}()
	return func() {
		close(ended)
		<-stopped
	}
}

// writeChat writes the current state of a chat to w, in the window's language.
func (e *Engine) writeChat(ctx context.Context, w io.Writer, as export.Format, chatID string) error {
	return e.Store.Read(ctx, func(v *store.ReadTx) error {
		chat, err := v.Chat(ctx, chatID)
		if err != nil {
			return err
		}
		return as.Write(w, export.Source{
			Chat: chat, Language: e.Config.Language(), Zone: time.Local,
			Items: func(parentID string, do func(backend.Item) error) error {
				return v.EachItem(ctx, chatID, parentID, do)
			},
			Contents: func(itemID string) ([]backend.Content, error) { return v.ContentsOf(ctx, itemID) },
			Text:     func(to io.Writer, itemID string) error { return v.WriteText(ctx, to, itemID) },
			Body:     func(to io.Writer, contentID string) error { return v.WriteBody(ctx, to, contentID) },
		})
	})
}
