package snapshot

import (
	"errors"
	"os"
	"time"
)

// SetExchange makes Apply exchange files atomically or, if that isn't supported, as on Windows and exFAT, in three
// steps. To be interrupted more often between these, Apply then pauses after each.
func SetExchange(supported bool) {
	exchangeNames, moveInSwap = exchange, moveNew
	if supported {
		return
	}
	exchangeNames = func(*os.Root, string, *os.Root, string) error { return errors.ErrUnsupported }
	moveInSwap = func(a *os.Root, from string, b *os.Root, to string) error {
		err := moveNew(a, from, b, to)
		time.Sleep(300 * time.Microsecond)
		return err
	}
}
