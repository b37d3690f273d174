//go:build !unix

package store_test

import "os/exec"

func asNobody(c *exec.Cmd) *exec.Cmd { return c }
