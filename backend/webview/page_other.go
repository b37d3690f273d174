//go:build !linux || !(dev || production)

package webview

// ReloadPage does nothing: crashes of the web process aren't reported on this platform.
func ReloadPage() {}

// OnPageDied does nothing: on this platform, crashes are detected only by missing
// heartbeats from the page.
func OnPageDied(func() (again bool)) {}
