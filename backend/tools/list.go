package tools

import (
	"context"
	"io/fs"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

const listSchema = `{
  "type": "object",
  "properties": {
    "path": {"type": "string", "description": "The folder to list, from the chat's folder on or absolute. Default: the chat's folder."}
  },
  "additionalProperties": false
}`

// mostEntries are shown of one folder.
const mostEntries = 500

type listArgs struct {
	Path string `json:"path"`
}

func (b *Box) listDirectory(_ context.Context, c call) (Result, error) {
	var args listArgs
	if err := decode(c.Arguments, &args); err != nil {
		return Result{}, err
	}
	place, err := c.locate(args.Path)
	if err != nil {
		return Result{Path: place.Path}, err
	}
	res := Result{Path: place.Path}
	entries, more, err := place.Entries(mostEntries)
	if err != nil {
		return res, err
	}
	var dirs, files strings.Builder
	for _, e := range entries {
		switch {
		case e.IsDir():
			dirs.WriteString(e.Name() + "/\n")
		case e.Type()&fs.ModeSymlink != 0:
			files.WriteString(e.Name() + " (link)\n")
		case !e.Type().IsRegular():
			files.WriteString(e.Name() + " (no file)\n")
		default:
			files.WriteString(e.Name())
			if info, err := e.Info(); err == nil {
				files.WriteString(" (" + backend.Count(int(info.Size()), "1 byte", "%d bytes").String() + ")")
			}
			files.WriteString("\n")
		}
	}
	res.Fact = backend.Count(len(entries), "1 entry", "%d entries")
	res.Text = lines(dirs.String(), files.String())
	switch {
	case more:
		res.Fact = backend.Say("more than %s", res.Fact)
		res.Text = lines(res.Text, "[The folder has more entries than these. glob finds files by name.]")
	case len(entries) == 0:
		res.Text = "[The folder is empty.]"
	}
	return res, nil
}
