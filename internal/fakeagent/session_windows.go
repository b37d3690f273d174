package fakeagent

import "os/exec"

// ownSession does nothing: Windows has no sessions in the Unix sense.
func ownSession(*exec.Cmd) {}
