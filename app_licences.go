package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
)

// made has the licences of what is shipped, where the program was built by make
// build, and nothing otherwise.
//
//go:embed all:build/licences/made
var made embed.FS

// licences is as it was made: {"components": […]}.
func (a *App) licences(context.Context, *http.Request) (any, error) {
	packed, err := made.ReadFile("build/licences/made/licences.json.gz")
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]any{"components": []any{}}, nil
	}
	if err != nil {
		return nil, err
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(zip)
	return json.RawMessage(text), err
}
