//go:build !linux || !(dev || production)

package webview

// Revive does nothing: no process is known to have died.
func Revive() {}

// Hold does nothing: what the page's silence tells has to do.
func Hold(func() (again bool)) {}
