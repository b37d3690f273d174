//go:build !linux || !(dev || production)

package webview

// ReloadPage does nothing: crashes of the web process aren't reported here.
func ReloadPage() {}

// OnPageDied does nothing: the missing heartbeats of the page must suffice.
func OnPageDied(func() (again bool)) {}
