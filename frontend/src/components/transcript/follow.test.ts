import { describe, expect, onTestFinished, test } from "vitest";
import { Follow, isInside, isUpKey, watchInputs } from "./follow";

/** atEnd returns a Follow for a list that follows its end, with its scroll position at 1000. */
function atEnd() {
  const follow = new Follow(true);
  follow.put(1000);
  follow.painted(1000);
  return follow;
}

describe("a list following its end", () => {
  test.each([1, 10, 30, 100])("stops after an upward scroll of %i px", (px) => {
    const follow = atEnd();
    expect(follow.moved({ top: 1000 - px, max: 1000 })).toBe(-px);
    expect(follow.follows).toBe(false);
  });

  test("keeps following if the content shrinks", () => {
    const follow = atEnd();
    expect(follow.moved({ top: 700, max: 700 })).toBe(0);
    expect(follow.follows).toBe(true);
  });

  test("stops if content shrank less than the user scrolled", () => {
    const follow = atEnd();
    follow.moved({ top: 690, max: 720 });
    expect(follow.follows).toBe(false);
  });

  test("ignores rounding but not small steps that add up", () => {
    const follow = atEnd();
    expect(follow.moved({ top: 999.4, max: 1000 })).toBe(0);
    expect(follow.follows).toBe(true);
    expect(follow.moved({ top: 998.8, max: 1000 })).toBeCloseTo(-1.2);
    expect(follow.follows).toBe(false);
  });

  test("keeps following its own scrolling", () => {
    const follow = atEnd();
    follow.put(400);
    expect(follow.moved({ top: 400, max: 1000 })).toBe(0);
    expect(follow.follows).toBe(true);
  });

  test("stops on input, before any movement", () => {
    const follow = atEnd();
    follow.up();
    expect(follow.follows).toBe(false);
  });
});

describe("a list that stopped following", () => {
  test("resumes after scrolling down to the end", () => {
    const follow = atEnd();
    follow.moved({ top: 900, max: 1000 });
    follow.moved({ top: 997, max: 1000 });
    expect(follow.follows).toBe(false);
    follow.moved({ top: 1000, max: 1000 });
    expect(follow.follows).toBe(true);
  });

  test("resumes at the end of the displayed frame, despite newer content", () => {
    const follow = atEnd();
    follow.moved({ top: 900, max: 1000 });
    follow.moved({ top: 1000, max: 1400 });
    expect(follow.follows).toBe(true);
  });

  test("doesn't resume because content is added or removed", () => {
    const follow = atEnd();
    follow.moved({ top: 960, max: 1000 });
    follow.painted(1300);
    follow.moved({ top: 960, max: 1300 });
    follow.moved({ top: 950, max: 950 });
    expect(follow.follows).toBe(false);
  });

  test("doesn't mistake its own late scroll for the user's", () => {
    const follow = atEnd();
    follow.up();
    follow.moved({ top: 970, max: 1000 });
    follow.moved({ top: 1000, max: 1000 });
    expect(follow.follows).toBe(false);
    follow.free();
    follow.moved({ top: 990, max: 1000 });
    follow.moved({ top: 1000, max: 1000 });
    expect(follow.follows).toBe(true);
  });
});

describe("a list with its scrollbar held", () => {
  const held = () => {
    const follow = atEnd();
    follow.grab();
    return follow;
  };

  test("stays at the thumb despite new content", () => {
    const follow = held();
    expect(follow.follows).toBe(false);
    follow.painted(1300);
    follow.moved({ top: 1000, max: 1300 });
    expect(follow.follows).toBe(false);
  });

  test("resumes when released without movement", () => {
    const follow = held();
    follow.painted(1300);
    follow.release();
    expect(follow.follows).toBe(true);
  });

  test("has stopped following after a drag up", () => {
    const follow = held();
    follow.moved({ top: 960, max: 1300 });
    follow.release();
    expect(follow.follows).toBe(false);
  });

  test("resumes after a drag to the end, but only on release", () => {
    const follow = held();
    follow.moved({ top: 600, max: 1000 });
    follow.moved({ top: 1000, max: 1000 });
    expect(follow.follows).toBe(false);
    follow.painted(1300);
    follow.moved({ top: 1010, max: 1300 });
    follow.release();
    expect(follow.follows).toBe(true);
  });

  test("doesn't resume after a drag down that stops before the end", () => {
    const follow = held();
    follow.moved({ top: 600, max: 1000 });
    follow.moved({ top: 900, max: 1000 });
    follow.release();
    expect(follow.follows).toBe(false);
  });

  test("follows its end as before once released", () => {
    const follow = held();
    follow.moved({ top: 600, max: 1000 });
    follow.release();
    follow.moved({ top: 1000, max: 1000 });
    expect(follow.follows).toBe(true);
  });
});

describe("a scroller's inputs", () => {
  /**
   * watched returns a scroller with a 10 px scrollbar at its right edge (x = 400), and the reported
   * inputs.
   */
  function watched() {
    const told: string[] = [];
    const scroller = document.createElement("div");
    scroller.innerHTML = "<p>text</p>";
    document.body.append(scroller);
    onTestFinished(() => scroller.remove());
    Object.defineProperty(scroller, "offsetWidth", { value: 400 });
    Object.defineProperty(scroller, "clientWidth", { value: 390 });
    scroller.getBoundingClientRect = () => new DOMRect(0, 0, 400, 300);
    watchInputs(scroller, {
      up: () => told.push("up"),
      grab: () => told.push("grab"),
      release: () => told.push("release"),
      free: () => told.push("free"),
    });
    const point = (name: string, at: EventTarget, clientX: number, buttons = 1) =>
      at.dispatchEvent(new PointerEvent(name, { bubbles: true, clientX, buttons }));
    return { told, scroller, point };
  }

  test("report a press on the scrollbar and its release anywhere, once", () => {
    const { told, scroller, point } = watched();
    point("pointerdown", scroller, 395);
    document.body.dispatchEvent(new FocusEvent("blur"));
    expect(told).toEqual(["grab"]);
    point("pointerup", document.body, 500);
    point("pointerup", document.body, 500);
    expect(told).toEqual(["grab", "release"]);
  });

  test("report a release that the engine didn't deliver", () => {
    const { told, scroller, point } = watched();
    point("pointerdown", scroller, 395);
    point("pointermove", document.body, 500, 0);
    expect(told).toEqual(["grab", "release"]);
  });

  test("don't mistake a press beside the scrollbar for a drag", () => {
    const { told, scroller, point } = watched();
    point("pointerdown", scroller, 380);
    point("pointerdown", scroller.firstElementChild as Element, 395);
    point("pointerup", document.body, 380);
    expect(told).toEqual(["free", "free"]);
  });
});

test("Keys that scroll up are distinguished from those that don't", () => {
  const key = (name: string, more = {}) => isUpKey(new KeyboardEvent("keydown", { key: name, ...more }));
  for (const name of ["ArrowUp", "PageUp", "Home"]) expect(key(name)).toBe(true);
  expect(key(" ", { shiftKey: true })).toBe(true);
  for (const name of [" ", "ArrowDown", "PageDown", "End", "a"]) expect(key(name)).toBe(false);
  expect(key("ArrowUp", { altKey: true })).toBe(false);
  expect(key("Home", { ctrlKey: true })).toBe(true);
});

test("A nested scrolling box is distinguished from one without overflow", () => {
  const scroller = document.createElement("div");
  scroller.innerHTML = `<div style="overflow-y: auto"><p>text</p></div>`;
  document.body.append(scroller);
  const [box, text] = [scroller.firstElementChild as Element, scroller.querySelector("p")];
  expect(isInside(text, scroller)).toBe(false);
  Object.defineProperty(box, "scrollHeight", { value: 10 });
  expect(isInside(text, scroller)).toBe(true);
  expect(isInside(document.body, scroller)).toBe(true);
  scroller.remove();
});
