package main

import (
	"log/slog"
	"os"
	"strings"
)

// wailsLog takes Wails' own log into ours.
type wailsLog struct{ *slog.Logger }

func (l wailsLog) Print(m string) { l.Logger.Debug("wails: " + m) }

func (l wailsLog) Trace(m string) { l.Logger.Debug("wails: " + m) }

func (l wailsLog) Debug(m string) { l.Logger.Debug("wails: " + m) }

func (l wailsLog) Info(m string) { l.Logger.Debug("wails: " + m) }

func (l wailsLog) Warning(m string) { l.Logger.Warn("wails: " + m) }

func (l wailsLog) Error(m string) {
	if strings.HasSuffix(m, "runtime:ready") { // said at every load of the page, and harmless
		l.Logger.Debug("wails: " + m)
		return
	}
	l.Logger.Error("wails: " + m)
}

func (l wailsLog) Fatal(m string) {
	l.Logger.Error("wails: " + m)
	os.Exit(1)
}
