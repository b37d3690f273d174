//go:build !linux

package inside

// RunIfRequested does nothing: there is no such process on this system.
func RunIfRequested() {}
