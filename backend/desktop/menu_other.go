//go:build !(darwin && cgo && (desktop || dev))

package desktop

// retitleMenu does nothing: only macOS has a menu bar.
func retitleMenu(_, _ []string) {}
