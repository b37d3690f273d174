package tools

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

const externalSchema = `{
  "type": "object",
  "properties": {
    "path": {"type": "string", "description": "The file: an absolute path, or one that begins with ~/."},
    "line": {"type": "integer", "minimum": 1, "description": "The first line to read, counted from 1. Default 1."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 5000, "description": "How many lines to read. Default 1000."}
  },
  "required": ["path"],
  "additionalProperties": false
}`

// The ids of the options that the user has.
const (
	optionAllow  = "allow"
	optionReject = "reject"
)

// readExternal reads a file outside of the folder, after that was allowed. What
// is in the folder needs no permission.
func (b *Box) readExternal(ctx context.Context, c call) (Result, error) {
	var args readArgs
	if err := decode(c.Arguments, &args); err != nil {
		return Result{}, err
	}
	if err := args.check(); err != nil {
		return Result{}, err
	}
	path := args.Path
	if len(path) > 1 && path[0] == '~' && os.IsPathSeparator(path[1]) {
		if home, err := os.UserHomeDir(); err == nil {
			path = realpath.Join(home, path[2:])
		}
	}
	if !filepath.IsAbs(path) {
		return Result{}, wrong("The argument \"path\" must be absolute or begin with ~/. read_file reads files of the chat's folder.")
	}
	place, err := workspace.Locate(c.folder, path)
	if err != nil {
		return Result{Path: place.Path}, err
	}
	if !place.Inside {
		if err := b.ask(ctx, c, place); err != nil {
			return Result{Path: place.Path}, err
		}
	}
	return read(ctx, place, args)
}

// ask has the user decide about a read, unless a rule does.
func (b *Box) ask(ctx context.Context, c call, place workspace.Place) error {
	raw, err := json.Marshal(map[string]any{"tool": c.Name, "arguments": c.Arguments})
	if err != nil {
		return err
	}
	p, ok := b.cfg.Ask(ctx, backend.Permission{
		ID: backend.NewID(), ChatID: c.ChatID, TurnID: c.TurnID, Session: backend.SessionMain, Folder: c.folder,
		State: backend.PermissionOpen, Title: "Read " + place.Path, Kind: backend.ToolRead, Path: place.Path, Outside: true,
		Options: []backend.Option{
			{ID: optionAllow, Kind: backend.OptionAllowOnce, Name: "Allow once"},
			{ID: optionReject, Kind: backend.OptionRejectOnce, Name: "Reject"},
		},
		CreatedAt: backend.Now(), Raw: raw,
	})
	switch {
	case !ok:
		return wrong("It was stopped before anyone allowed it: Read %s.", place.Path)
	case p.OptionID != optionAllow:
		return wrong("The user did not allow it: Read %s. Do not ask for this file again unless the user tells you to.", place.Path)
	}
	return nil
}
