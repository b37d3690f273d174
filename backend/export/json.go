package export

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"

	"github.com/voxpilot/voxpilot/backend"
)

// jsonVersion is the version of the format that writeJSON writes:
//
//	{"voxpilot": 1, "chat": backend.Chat, "items": [item…]}
//
// An item is a backend.Item with the additional fields "text", which may be empty, and "contents". A block also
// has the field "items". Each element of "contents" is a backend.Content with the additional field "body" or, for
// an image, "base64".
const jsonVersion = 1

type jsonFile struct {
	*bufio.Writer
	s Source
}

func writeJSON(w *bufio.Writer, s Source) error {
	j := &jsonFile{w, s}
	chat := s.Chat
	chat.Draft, chat.DraftAttachments, chat.Detail = "", nil, backend.Message{} // UI state, not part of the transcript
	j.WriteString(`{"voxpilot":` + itoa(jsonVersion) + `,"chat":`)
	if err := j.value(chat, false); err != nil {
		return err
	}
	j.WriteString(`,"items":`)
	if err := j.items(""); err != nil {
		return err
	}
	_, err := j.WriteString("}\n")
	return err
}

func (j *jsonFile) items(parentID string) error {
	separator := "[\n"
	err := j.s.Items(parentID, func(i backend.Item) error {
		j.WriteString(separator)
		separator = ",\n"
		return j.item(i)
	})
	if err != nil {
		return err
	}
	if separator == "[\n" {
		j.WriteByte('[')
	}
	return j.WriteByte(']')
}

func (j *jsonFile) item(i backend.Item) error {
	if err := j.value(i, true); err != nil {
		return err
	}
	j.WriteString(`,"text":"`)
	if err := j.string(func(to io.Writer) error { return j.s.Text(to, i.ID) }); err != nil {
		return err
	}
	j.WriteString(`","contents":[`)
	contents, err := j.s.results(i.ID)
	if err != nil {
		return err
	}
	for n, c := range contents {
		if n > 0 {
			j.WriteByte(',')
		}
		if err := j.content(c); err != nil {
			return err
		}
	}
	j.WriteByte(']')
	if i.Kind == backend.ItemBlock {
		j.WriteString(`,"items":`)
		if err := j.items(i.ID); err != nil {
			return err
		}
	}
	return j.WriteByte('}')
}

func (j *jsonFile) content(c backend.Content) error {
	if err := j.value(c, true); err != nil {
		return err
	}
	if c.Type == backend.ContentImage {
		j.WriteString(`,"base64":"`)
		if err := base64Of(j, func(to io.Writer) error { return j.s.Body(to, c.ID) }); err != nil {
			return err
		}
	} else {
		j.WriteString(`,"body":"`)
		if err := j.string(func(to io.Writer) error { return j.s.Body(to, c.ID) }); err != nil {
			return err
		}
	}
	_, err := j.WriteString(`"}`)
	return err
}

// value writes v as JSON. If open is true, v must be an object, and its closing brace is left out so that
// more fields can follow.
func (j *jsonFile) value(v any, open bool) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if open {
		text = bytes.TrimSuffix(text, []byte("}"))
	}
	_, err = j.Write(text)
	return err
}

// string writes the output of the function read, escaped as in a JSON string but without the quotes around it.
func (j *jsonFile) string(read func(io.Writer) error) error {
	return copyText(read, &textWriter{exact: true, take: func(text []byte) error {
		quoted, err := json.Marshal(string(text))
		if err != nil {
			return err
		}
		_, err = j.Write(quoted[1 : len(quoted)-1])
		return err
	}})
}

// base64Of writes the output of the function read, encoded as Base64.
func base64Of(to io.Writer, read func(io.Writer) error) error {
	w := base64.NewEncoder(base64.StdEncoding, to)
	if err := read(w); err != nil {
		return err
	}
	return w.Close()
}
