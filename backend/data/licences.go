package data

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"

	"github.com/voxpilot/voxpilot/backend"
)

// licences is as it was made.
func (h *handler) licences(context.Context, *http.Request) (backend.Licences, error) {
	answer := backend.Licences{Components: []backend.Component{}}
	packed, err := fs.ReadFile(h.licensed, "licences.json.gz")
	if errors.Is(err, fs.ErrNotExist) {
		return answer, nil
	}
	if err != nil {
		return answer, err
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return answer, err
	}
	return answer, json.NewDecoder(zip).Decode(&answer)
}
