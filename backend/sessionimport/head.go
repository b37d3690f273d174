package sessionimport

import (
	"bufio"
	"errors"
	"io"
	"path/filepath"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// maxHead is the size in bytes of the start of a log in which headOf looks for a description of the session.
const maxHead = 4 << 20

// head describes a session before its log is read.
type head struct {
	folder    string // absolute; "" if unknown
	title     string // start of the user's first message
	startedAt backend.Millis
}

// headOf reads the start of a log up to the first message of the user.
func headOf(log Log) (h head) {
	in := bufio.NewReaderSize(io.NewSectionReader(log, 0, maxHead), 1<<16)
	var line []byte
	for h.title == "" {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		_, _ = sessionfiles.EachEvent(line, func(e sessionfiles.Event) error {
			h.take(e, e.JSON())
			return nil
		})
		if line = line[:0]; err != nil {
			return h
		}
	}
	return h
}

func (h *head) take(e sessionfiles.Event, data gjson.Result) {
	if at := millis(e.At); h.startedAt == 0 || at < h.startedAt {
		h.startedAt = at
	}
	if folder := str(data.Get("context.cwd")); h.folder == "" && filepath.IsAbs(folder) {
		h.folder = filepath.Clean(folder)
	}
	if e.Type == sessionfiles.EventUser && e.Agent == "" && h.title == "" {
		if from := data.Get("source").Str; from == "" || from == "user" {
			h.title, _ = withoutLinks(str(data.Get("content")), "")
		}
	}
}
