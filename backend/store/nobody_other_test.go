//go:build !unix

package store_test

import "os/exec"

func runAsNobody(c *exec.Cmd) *exec.Cmd { return c }
