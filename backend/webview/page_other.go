//go:build !linux || !(dev || production)

package webview

// ReloadPage does nothing: no process is known to have died.
func ReloadPage() {}

// OnPageDied does nothing: what the page's silence tells has to do.
func OnPageDied(func() (again bool)) {}
