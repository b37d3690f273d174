package changes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Evaluate evaluates a JavaScript expression in the page. The expression's value must be a string of JSON, which is
// decoded into *value.
type Evaluate func(ctx context.Context, expression string, value any) error

// until evaluates an expression repeatedly until its value is a positive number, and returns that number.
func (e Evaluate) until(ctx context.Context, expression string) (n float64, err error) {
	for n == 0 {
		if err := e(ctx, "JSON.stringify("+expression+" ?? 0)", &n); err != nil {
			return 0, err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return 0, fmt.Errorf("waiting for %s: %w", expression, ctx.Err())
		}
	}
	return n, nil
}

// Open opens a chat and then, with the keyboard shortcut, its review. It returns the milliseconds from the key press
// until an element of the review is painted. The parameter first is the element's selector: FirstLine or FirstHead.
func (e Evaluate) Open(ctx context.Context, chat, first string) (float64, error) {
	_, err := e.until(ctx, fmt.Sprintf(`((() => {
		if (document.querySelector('[role="log"]')) return 1;
		document.querySelector('.chat[data-id="%s"]')?.click();
		return 0;
	})())`, chat))
	if err != nil {
		return 0, err
	}
	var begun bool
	err = e(ctx, fmt.Sprintf(`JSON.stringify((() => {
		const started = performance.now();
		const look = () => {
			if (!document.querySelector(".rv-sec %s")) return requestAnimationFrame(look);
			requestAnimationFrame(() => setTimeout(() => { window.benchOpened = performance.now() - started; }));
		};
		document.body.dispatchEvent(new KeyboardEvent("keydown", {
			key: "R", code: "KeyR", ctrlKey: true, shiftKey: true, bubbles: true, cancelable: true,
		}));
		look();
		return true;
	})())`, first), &begun)
	if err != nil {
		return 0, err
	}
	return e.until(ctx, "window.benchOpened")
}

// Sources of changes in the review's menu, by the start of their key.
const (
	Turn        = "is-turn"
	Uncommitted = "is-working"
	Branch      = "is-base"
	Commit      = "is-commit"
)

// Choose chooses another source in the menu of the open review. It returns the milliseconds from the choice until the
// first line of its changes is painted. The parameter source is the start of the source's key. If several sources have
// it, Choose takes the first one.
func (e Evaluate) Choose(ctx context.Context, source string) (float64, error) {
	_, err := e.until(ctx, fmt.Sprintf(`((() => {
		const press = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true }));
		const list = document.querySelector('[role="listbox"]');
		if (!list) {
			const menu = document.querySelector('.rv .bar button[aria-haspopup="listbox"]');
			menu?.focus();
			if (menu) press(menu, "ArrowDown");
			return 0;
		}
		if (!list.querySelector('[role="option"][data-key^="%[1]s"]')) return 0;
		const option = document.activeElement?.closest('[role="option"]');
		if (option?.dataset.key.startsWith("%[1]s")) return 1;
		press(document.activeElement ?? list, "ArrowDown");
		return 0;
	})())`, source))
	if err != nil {
		return 0, fmt.Errorf("choosing %s: %w", source, err)
	}
	var begun bool
	err = e(ctx, fmt.Sprintf(`JSON.stringify((() => {
		window.benchOpened = undefined;
		document.querySelector(".rv").dataset.bench = "before";
		const started = performance.now();
		const look = () => {
			if (!document.querySelector(".rv:not([data-bench]) .rv-sec %s")) return requestAnimationFrame(look);
			requestAnimationFrame(() => setTimeout(() => { window.benchOpened = performance.now() - started; }));
		};
		document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true, cancelable: true }));
		look();
		return true;
	})())`, FirstLine), &begun)
	if err != nil {
		return 0, err
	}
	return e.until(ctx, "window.benchOpened")
}

// CSS selectors of the first element that the review shows for a file: a line or, if the file is too large to be shown
// at once, a button.
const (
	FirstLine = "[data-row] .c"
	FirstHead = "[data-insert] button"
)

// Steps of scrolling through the file. Each frame of the first half scrolls by slowPixels, so that the lines are
// highlighted, and each frame of the second half by fastPixels. Every jumpEvery-th frame jumps to another part of the
// file instead.
const (
	scrollFrames = 600
	slowPixels   = 100
	fastPixels   = 240
	jumpEvery    = 60
)

// Frames returns the times between frames in milliseconds. If scroll is set, it scrolls through the open file during
// the measurement; otherwise, the page is idle.
func (e Evaluate) Frames(ctx context.Context, scroll bool) (times []float64, err error) {
	var begun bool
	err = e(ctx, fmt.Sprintf(`JSON.stringify((() => {
		window.benchFrames = undefined;
		const area = document.querySelector(".rv-scroll");
		const times = [];
		let last = performance.now();
		const frame = () => {
			const now = performance.now();
			times.push(now - last);
			last = now;
			if (times.length > %d) { window.benchFrames = times.slice(1); return; }
			if (%v) area.scrollTop = times.length %% %d === 0
				? (area.scrollTop + area.scrollHeight * 0.37) %% (area.scrollHeight - area.clientHeight)
				: area.scrollTop + (times.length < %d ? %d : %d);
			requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
		return area !== null;
	})())`, scrollFrames, scroll, jumpEvery, scrollFrames/2, slowPixels, fastPixels), &begun)
	if err == nil && !begun {
		err = errors.New("the review isn't open")
	}
	if err != nil {
		return nil, err
	}
	if _, err := e.until(ctx, "window.benchFrames?.length"); err != nil {
		return nil, err
	}
	return times, e(ctx, "JSON.stringify(window.benchFrames)", &times)
}

// ShowDiff shows the diff of the only file, which is too large to be shown at once.
func (e Evaluate) ShowDiff(ctx context.Context) error {
	_, err := e.until(ctx, fmt.Sprintf(`((() => {
		if (document.querySelector(".rv-sec %s")) return 1;
		document.querySelector(".rv-sec %s")?.click();
		return 0;
	})())`, FirstLine, FirstHead))
	return err
}

// Slowest returns the 99th percentile of times.
func Slowest(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)*99/100]
}

// Mean returns the mean of times.
func Mean(times []float64) (mean float64) {
	for _, each := range times {
		mean += each / float64(len(times))
	}
	return mean
}
