// Package webview provides what the windows of the app and of the quick prompt share:
// forwarding Wails' log, and watching the page's web process.
package webview

import (
	"log/slog"
	"os"
	"strings"
)

// Log forwards Wails' log to a slog.Logger.
type Log struct{ *slog.Logger }

func (l Log) Print(m string) { l.Logger.Debug("wails: " + m) }

func (l Log) Trace(m string) { l.Logger.Debug("wails: " + m) }

func (l Log) Debug(m string) { l.Logger.Debug("wails: " + m) }

func (l Log) Info(m string) { l.Logger.Debug("wails: " + m) }

func (l Log) Warning(m string) { l.Warn("wails: " + m) }

func (l Log) Error(m string) {
	if strings.HasSuffix(m, "runtime:ready") { // logged at every load of the page, and harmless
		l.Logger.Debug("wails: " + m)
		return
	}
	l.Logger.Error("wails: " + m)
}

func (l Log) Fatal(m string) {
	l.Logger.Error("wails: " + m)
	os.Exit(1)
}
