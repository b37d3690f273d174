package sandbox

import (
	"context"
	"errors"

	"github.com/voxpilot/voxpilot/backend"
)

// Sandbox does nothing, because there is no sandbox on this system.
type Sandbox struct{}

// New returns a Sandbox that can't run commands.
func New(Config) (*Sandbox, error) { return &Sandbox{}, nil }

// Close does nothing.
func (*Sandbox) Close() {}

// Discard does nothing.
func (*Sandbox) Discard(string) {}

// Command always returns an error.
func (*Sandbox) Command(context.Context, Policy, string, func()) (Run, error) {
	return Run{}, errors.ErrUnsupported
}

// Agent always returns an error.
func (*Sandbox) Agent(context.Context, AgentPolicy, string, []string, func()) (*Agent, error) {
	return nil, errors.ErrUnsupported
}

// Check returns a status that marks the sandbox as unavailable on this system.
func (*Sandbox) Check(context.Context) backend.SandboxStatus {
	return backend.SandboxStatus{State: backend.SandboxUnavailable, Hidden: DefaultHidden, Problem: backend.Say("VoxPilot has no sandbox for Windows.")}
}
