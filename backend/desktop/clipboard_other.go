//go:build !linux || !(dev || production)

package desktop

import (
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// copiedFiles returns nothing: on macOS and Windows, the page receives all pasted content.
func copiedFiles(time.Duration) (paths []string, image []byte, err error) { return nil, nil, nil }

// copyImage returns an error: on macOS and Windows, the page copies images itself.
func copyImage([]byte) error {
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't copy the image. Save it instead.")}
}
