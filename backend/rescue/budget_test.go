package rescue

import "testing"

// TestFit checks which part of a conversation is rebuilt if its size is limited.
func TestFit(t *testing.T) {
	turn := func(text int, results ...int) measure { return measure{text, results} }
	big := resultLimits[0]
	for name, c := range map[string]struct {
		all      []measure
		maxBytes int
		want     plan
	}{
		"empty":                  {nil, 100, plan{0, big}},
		"fits":                   {[]measure{turn(50), turn(50)}, 100, plan{0, big}},
		"shorter results":        {[]measure{turn(50, big, big), turn(50, 100)}, 40_000, plan{0, 16 << 10}},
		"shortest results":       {[]measure{turn(50, big, big), turn(50, 100)}, 1000, plan{0, 256}},
		"the beginning left out": {[]measure{turn(50), turn(60), turn(40)}, 100, plan{1, 256}},
		"only the last one":      {[]measure{turn(50), turn(60), turn(40)}, 99, plan{2, 256}},
		"the last one too large": {[]measure{turn(50), turn(60)}, 10, plan{1, 256}},
		"one too large":          {[]measure{turn(60)}, 10, plan{0, 256}},
	} {
		if got := fit(c.all, c.maxBytes); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}
