package engine

import "github.com/voxpilot/voxpilot/backend"

// These methods of the API sign custom agents in and out. They return before that has ended; AgentSignIn events report
// the progress.

func (a *API) CheckAgentSignIn(string) error                       { return nil }
func (a *API) SignInAgent(string, string, map[string]string) error { return nil }
func (a *API) CancelAgentSignIn(string) error                      { return nil }
func (a *API) SignOutAgent(string) error                           { return nil }
func (a *API) WriteAgentTerminal(string, string) error             { return nil }
func (a *API) ResizeAgentTerminal(string, int, int) error          { return nil }
func (a *API) AgentTerminalOutput(string) (backend.AgentTerminal, error) {
	return backend.AgentTerminal{}, nil
}
