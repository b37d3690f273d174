// Package webview provides the code shared by the windows of the app and of the quick
// prompt: forwarding Wails' log, and watching the page's web process. The latter is done only on Linux,
// where the package also keeps the page from navigating away.
package webview

import (
	"log/slog"
	"os"
	"strings"
)

// Log forwards Wails' log to a slog.Logger.
type Log struct{ *slog.Logger }

// Print logs at the debug level, like all messages from Wails below the warning level.
func (l Log) Print(m string) { l.Logger.Debug("wails: " + m) }

// Trace logs at the debug level.
func (l Log) Trace(m string) { l.Logger.Debug("wails: " + m) }

// Debug logs at the debug level.
func (l Log) Debug(m string) { l.Logger.Debug("wails: " + m) }

// Info logs at the debug level.
func (l Log) Info(m string) { l.Logger.Debug("wails: " + m) }

// Warning logs a warning.
func (l Log) Warning(m string) { l.Warn("wails: " + m) }

func (l Log) Error(m string) {
	if strings.HasSuffix(m, "runtime:ready") { // logged at every load of the page, and harmless
		l.Logger.Debug("wails: " + m)
		return
	}
	l.Logger.Error("wails: " + m)
}

// Fatal logs an error and exits.
func (l Log) Fatal(m string) {
	l.Logger.Error("wails: " + m)
	os.Exit(1)
}
