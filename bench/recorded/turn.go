package recorded

import (
	"errors"
	"slices"
)

// Turn holds a turn's times in milliseconds, one per command. The turn is repeated: in some repetitions, the times are
// those of recording the files, and in the others, those of git status.
type Turn struct{ record, status times }

// times holds the times of each command, one per repetition.
type times [][]float64

// Reset forgets all times and sets the number of commands.
func (t *Turn) Reset(commands int) { *t = Turn{make(times, commands), make(times, commands)} }

// Record adds the times of the turn's recordings, one per command, and returns their average.
func (t *Turn) Record(took []float64) (float64, error) { return t.record.add(took) }

// Status adds the times of git status, one per command, and returns their average.
func (t *Turn) Status(took []float64) (float64, error) { return t.status.add(took) }

func (t times) add(took []float64) (average float64, err error) {
	if len(took) != len(t) {
		return 0, errors.New("the number of commands differs")
	}
	for n, one := range took {
		t[n] = append(t[n], one)
		average += one / float64(len(took))
	}
	return average, nil
}

// Slowest finds the command with the largest ratio between the median time of its recordings and the median time of
// git status. It returns these two times.
func (t *Turn) Slowest() (record, status float64) {
	for n := range t.record {
		if r, s := middle(t.record[n]), middle(t.status[n]); status == 0 || r/s > record/status {
			record, status = r, s
		}
	}
	return record, status
}

// middle returns the median of an odd number of values.
func middle(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
