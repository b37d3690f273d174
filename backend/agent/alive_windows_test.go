package agent_test

import "golang.org/x/sys/windows"

func alive(pid int) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(h) }()
	s, _ := windows.WaitForSingleObject(h, 0)
	return s == uint32(windows.WAIT_TIMEOUT)
}

// runParentIfRequested does nothing on Windows. The tests that use it cover systems on which an agent can outlive the
// app. On Windows, a job object ends the agent together with the app.
func runParentIfRequested() {}
