package main

import (
	"context"

	"github.com/voxpilot/voxpilot/bench/imported"
)

// importMemory returns the largest increase of this process's memory during an import, in MB.
var importMemory func() float64

// importRead returns the time in milliseconds for reading the log without storing its rows.
var importRead func() float64

// beginImport measures the import of a log of 200 MB, compared with a loop that decodes each line once.
func beginImport(_ context.Context, after *ends) (ours, bare side, err error) {
	dir, err := after.folder()
	if err != nil {
		return nil, nil, err
	}
	i, err := imported.Begin(dir)
	if err != nil {
		return nil, nil, err
	}
	importMemory, importRead = func() float64 { return i.More }, func() float64 { return i.Reading }
	return i.Ours, i.Bare, nil
}

// moreMemory returns the results of importMemory and importRead as related measurements.
func moreMemory(context.Context) (map[string]float64, error) {
	return map[string]float64{"MB of memory more": importMemory(), "ms without the database": importRead()}, nil
}
