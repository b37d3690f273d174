package snapshot

import (
	"errors"
	"os"
	"time"
)

// SetExchange sets how Apply exchanges two files: atomically if supported is true, or else in three steps, as on
// Windows and exFAT. In the second case, Apply pauses after the steps, so that it is more likely to be interrupted
// between two of them.
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
