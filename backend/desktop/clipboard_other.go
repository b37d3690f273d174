//go:build !linux || !(dev || production)

package desktop

import (
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// copiedFiles is nothing: the page is handed all that is pasted.
func copiedFiles(time.Duration) (paths []string, image []byte, err error) { return nil, nil, nil }

// copyImage leaves it to the page, which may write images elsewhere.
func copyImage([]byte) error {
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't copy the image. Save it instead.")}
}
