package otherprograms

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// Kinds of lines in a .jsonl file of VS Code. The first line contains the whole state, and each further line changes
// it.
const (
	logInitial = 0
	logSet     = 1 // sets the value at a path
	logPush    = 2 // truncates an array to a length, if one is given, and appends values
	logDelete  = 3
)

// maxKeys is the maximum number of keys that are read from the path in a line.
const maxKeys = 5

// overhead is the memory in bytes that a request or a value needs in addition to its text.
const overhead = 200

// vscodeState is the state of a conversation.
type vscodeState struct {
	requests []*vscodeRequest
	size     int // bytes of all values
}

// vscodeRequest is a message of the user with its response.
type vscodeRequest struct {
	fields   map[string]json.RawMessage
	response []json.RawMessage
}

// vscodeFields holds the fields of a request that are stored. Others can be very large.
var vscodeFields = map[string]bool{
	"requestId": true, "timestamp": true, "message": true, "variableData": true, "isCanceled": true, "modelState": true, "result": true,
}

var errStateTooLarge = &backend.Error{Code: backend.CodeTooLarge, Message: backend.Say("This conversation is too large to open.")}

// readState reads the state from a file. Records of an unknown kind, and changes to values that don't exist, are
// skipped.
func readState(ctx context.Context, c Conversation, to Sink) (*vscodeState, error) {
	s := &vscodeState{}
	if path.Ext(c.file) == ".json" {
		return s, s.readDocument(ctx, c, to)
	}
	err := eachRecord(ctx, c, to, func(r gjson.Result) error {
		if !s.apply(r) {
			to.Skip(false)
		}
		if s.size > maxState {
			return errStateTooLarge
		}
		return nil
	})
	return s, err
}

// readDocument reads a file that is one JSON object, one request at a time.
func (s *vscodeState) readDocument(ctx context.Context, c Conversation, to Sink) error {
	root, err := os.OpenRoot(c.root)
	if err != nil {
		return err
	}
	defer root.Close()
	file, _, err := openFile(root, c.file)
	if err != nil {
		return err
	}
	defer file.Close()
	part := &limitedReader{from: io.LimitReader(file, 2*maxState)}
	d := json.NewDecoder(part)
	part.budget = maxRecord
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		to.Skip(true)
		return nil
	}
	for d.More() {
		part.budget = maxRecord
		key, err := d.Token()
		if err != nil {
			to.Skip(true)
			return nil
		}
		var other json.RawMessage
		if key != "requests" {
			if d.Decode(&other) != nil {
				return part.orSkip(to)
			}
			continue
		}
		if t, err := d.Token(); err != nil || t != json.Delim('[') {
			to.Skip(true)
			return nil
		}
		for d.More() {
			var request json.RawMessage
			part.budget = maxRecord
			if err := d.Decode(&request); err != nil {
				return part.orSkip(to)
			}
			to.Progress(d.InputOffset())
			s.push(gjson.ParseBytes(request))
			if err := ctx.Err(); err != nil {
				return err
			}
			if s.size > maxState {
				return errStateTooLarge
			}
		}
		if _, err := d.Token(); err != nil {
			to.Skip(true)
			return nil
		}
	}
	return nil
}

// limitedReader reads from another reader. It returns errStateTooLarge once it has used up its budget of bytes.
type limitedReader struct {
	from   io.Reader
	budget int
}

func (r *limitedReader) Read(p []byte) (int, error) {
	if r.budget <= 0 {
		return 0, errStateTooLarge
	}
	n, err := r.from.Read(p[:min(len(p), r.budget)])
	r.budget -= n
	return n, err
}

// orSkip returns an error if the limit was reached. Otherwise, the rest of the file counts as one damaged record.
func (r *limitedReader) orSkip(to Sink) error {
	if r.budget <= 0 {
		return errStateTooLarge
	}
	to.Skip(true)
	return nil
}

// push appends a request.
func (s *vscodeState) push(r gjson.Result) { s.requests = append(s.requests, s.requestOf(r)) }

func (s *vscodeState) requestOf(r gjson.Result) *vscodeRequest {
	q := &vscodeRequest{fields: map[string]json.RawMessage{}}
	s.size += overhead
	r.ForEach(func(key, value gjson.Result) bool {
		s.set(q, key.String(), value)
		return true
	})
	return q
}

// set sets a field of a request.
func (s *vscodeState) set(q *vscodeRequest, key string, value gjson.Result) {
	switch {
	case key == "response":
		q.response = nil
		s.pushParts(q, value)
	case key == "result": // its metadata repeats the whole conversation
		q.fields[key] = s.keep(value.Get("errorDetails"))
	case vscodeFields[key]:
		q.fields[key] = s.keep(value)
	}
}

func (s *vscodeState) pushParts(q *vscodeRequest, parts gjson.Result) {
	if !parts.IsArray() {
		return
	}
	for part := range each(parts) {
		q.response = append(q.response, s.keep(part))
	}
}

// keep returns a copy of a value, so that the rest of its record doesn't stay in memory.
func (s *vscodeState) keep(r gjson.Result) json.RawMessage {
	s.size += len(r.Raw) + overhead
	return json.RawMessage(strings.Clone(r.Raw))
}

// apply applies a line of the log. It returns false if the line isn't of a known kind, or doesn't fit the state.
func (s *vscodeState) apply(r gjson.Result) bool {
	at, value := firstOf(r.Get("k"), maxKeys), r.Get("v")
	switch kind := r.Get("kind"); {
	case kind.Type != gjson.Number:
		return false
	case kind.Int() == logInitial:
		s.requests, s.size = nil, 0
		for request := range each(value.Get("requests")) {
			s.push(request)
		}
		return true
	case len(at) == 0 || kind.Int() > logDelete:
		return false
	case at[0].String() != "requests":
		return true
	case kind.Int() == logPush:
		return s.applyPush(at, value, r.Get("i"))
	case kind.Int() == logDelete:
		value = gjson.Result{}
	}
	return s.applySet(at, value)
}

func (s *vscodeState) applyPush(at []gjson.Result, values, from gjson.Result) bool {
	if len(at) == 1 {
		if from.Exists() {
			n := int(from.Int())
			if n < 0 || n > len(s.requests) {
				return false
			}
			s.requests = s.requests[:n]
		}
		for request := range each(values) {
			s.push(request)
		}
		return true
	}
	q := s.at(at[1])
	if q == nil || len(at) != 3 || at[2].String() != "response" {
		return q != nil
	}
	if from.Exists() {
		n := int(from.Int())
		if n < 0 || n > len(q.response) {
			return false
		}
		q.response = slices.Clip(q.response[:n])
	}
	s.pushParts(q, values)
	return true
}

func (s *vscodeState) applySet(at []gjson.Result, value gjson.Result) bool {
	if len(at) == 1 {
		s.requests = nil
		for request := range each(value) {
			s.push(request)
		}
		return true
	}
	q := s.at(at[1])
	switch {
	case q == nil:
		return false
	case len(at) == 2:
		*q = *s.requestOf(value)
	case len(at) == 3:
		s.set(q, at[2].String(), value)
	case at[2].String() == "response" && len(at) == 4:
		i := int(at[3].Int())
		if i < 0 || i >= len(q.response) {
			return false
		}
		q.response[i] = s.keep(value)
	case at[2].String() == "message" && at[3].String() == "text" && len(at) == 4:
		q.fields["message"] = s.keep(value)
	}
	return true
}

// at returns the request at an index, or nil if there is none.
func (s *vscodeState) at(index gjson.Result) *vscodeRequest {
	i := int(index.Int())
	if index.Type != gjson.Number || i < 0 || i >= len(s.requests) {
		return nil
	}
	return s.requests[i]
}
