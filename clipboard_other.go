//go:build !linux || !(dev || production)

package main

import "time"

// copied is nothing: the page is handed all that is pasted.
func copied(time.Duration) (paths []string, image []byte, err error) { return nil, nil, nil }
