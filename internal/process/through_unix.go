//go:build unix

package process

// Through is what commands are started through, as the agent itself is: see
// ExecIfAsked.
func Through() []string {
	me, err := self()
	if err != nil {
		return nil
	}
	return []string{me, execArg}
}
