package notify

import (
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// quiet says whether a moment, in the user's time, is in the quiet hours, which
// may go over midnight. It goes by what a clock on the wall says, on the days on
// which clocks are changed too.
func quiet(at time.Time, from, to string) bool {
	begin, err := minuteOf(from)
	if err != nil {
		return false
	}
	end, err := minuteOf(to)
	if err != nil {
		return false
	}
	now := at.Hour()*60 + at.Minute()
	if begin <= end {
		return begin <= now && now < end
	}
	return now >= begin || now < end
}

func minuteOf(clock string) (int, error) {
	t, err := time.Parse("15:04", clock)
	return t.Hour()*60 + t.Minute(), err
}

// Check refuses quiet hours that nobody could have meant.
func Check(n backend.Notify) error {
	if n.QuietFrom == "" && n.QuietTo == "" {
		return nil
	}
	for _, clock := range []string{n.QuietFrom, n.QuietTo} {
		if _, err := minuteOf(clock); err != nil || len(clock) != len("22:00") {
			return backend.Invalid("Quiet hours go from one time of the day to another, such as 22:00 to 07:00.")
		}
	}
	if n.QuietFrom == n.QuietTo {
		return backend.Invalid("Quiet hours that end when they begin are none. Choose another time, or mute notifications.")
	}
	return nil
}
