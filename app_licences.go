package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"

	"github.com/voxpilot/voxpilot/backend"
)

// made has the licences of what is shipped, where the program was built by make
// build, and nothing otherwise.
//
//go:embed all:build/licences/made
var made embed.FS

// licences is as it was made.
func (a *App) licences(context.Context, *http.Request) (backend.Licences, error) {
	answer := backend.Licences{Components: []backend.Component{}}
	packed, err := made.ReadFile("build/licences/made/licences.json.gz")
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
