//go:build !(darwin && cgo && (desktop || dev))

package desktop

// retitleMenu does nothing where there is no menu bar.
func retitleMenu(_, _ []string) {}
