package repository

import (
	"context"
	"errors"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// TestGitError_KeepsCancellation checks that a job that is canceled while it reads the repository ends as canceled.
func TestGitError_KeepsCancellation(t *testing.T) {
	failed := &readError{errors.New("signal: killed"), ""}
	if err := gitError(errors.Join(context.Canceled, failed)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := gitError(failed); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a failure of git has the code %v", backend.CodeOf(err))
	}
}
