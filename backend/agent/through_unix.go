//go:build unix

package agent

// through is what commands are started through, as the agent itself is: see
// ExecIfAsked.
func through() []string {
	me, err := self()
	if err != nil {
		return nil
	}
	return []string{me, execArg}
}
