package environment

import (
	"context"
	"time"
)

// AskLoginShell asks nobody: a program on Windows has the user's environment
// however it was started.
func AskLoginShell(context.Context, time.Duration) LoginShell { return LoginShell{} }

// PrintIfRequested does nothing on Windows, where no shell is asked.
func PrintIfRequested() {}
