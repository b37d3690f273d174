package engine

import (
	"context"
	"errors"
	"time"
)

// saveTime is the time limit for saving before the computer sleeps or the user logs out. Operating systems give
// programs at least two seconds.
const saveTime = 1500 * time.Millisecond

// Save writes all data to disk if the database is open. It gives up after saveTime.
func (a *API) Save() {
	if e, _ := a.Current(); e != nil {
		e.save()
	}
}

// save writes all published events to disk, including those that the window hasn't received yet. It gives up after
// e.saveTime.
func (e *Engine) save() {
	ctx, cancel := context.WithTimeout(context.Background(), e.saveTime)
	defer cancel()
	began := time.Now()
	if err := errors.Join(e.Bus.Flush(ctx), e.Store.Sync(ctx)); err != nil {
		e.Log.Warn("couldn't save everything in time", "took", time.Since(began), "err", err)
		return
	}
	e.Log.Info("everything is saved", "took", time.Since(began))
}
