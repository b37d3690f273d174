//go:build unix && !linux

package terminal

import "syscall"

func dieWithParent(*syscall.SysProcAttr) {}

func (*tree) lockThread() (unlock func()) { return func() {} }
