package environment

import (
	"context"
	"time"
)

// AskLoginShell returns an empty LoginShell: on Windows, programs always have the
// user's environment.
func AskLoginShell(context.Context, time.Duration) LoginShell { return LoginShell{} }

// PrintIfRequested does nothing: Windows has no login shell to query.
func PrintIfRequested() {}
