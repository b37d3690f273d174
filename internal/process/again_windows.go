package process

import (
	"os"
	"os/exec"
)

// Again is a command that runs this program a second time.
func Again(args ...string) (*exec.Cmd, error) {
	me, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.Command(me, args...), nil //nolint:noctx // it ends with its input
}
