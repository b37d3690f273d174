// Package webview is what the windows of the app and of the quick prompt have in
// common: Wails' log, and the watch over the process that draws the page.
package webview

import (
	"log/slog"
	"os"
	"strings"
)

// Log takes Wails' own log into ours.
type Log struct{ *slog.Logger }

func (l Log) Print(m string) { l.Logger.Debug("wails: " + m) }

func (l Log) Trace(m string) { l.Logger.Debug("wails: " + m) }

func (l Log) Debug(m string) { l.Logger.Debug("wails: " + m) }

func (l Log) Info(m string) { l.Logger.Debug("wails: " + m) }

func (l Log) Warning(m string) { l.Warn("wails: " + m) }

func (l Log) Error(m string) {
	if strings.HasSuffix(m, "runtime:ready") { // said at every load of the page, and harmless
		l.Logger.Debug("wails: " + m)
		return
	}
	l.Logger.Error("wails: " + m)
}

func (l Log) Fatal(m string) {
	l.Logger.Error("wails: " + m)
	os.Exit(1)
}
