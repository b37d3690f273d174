import { describe, expect, onTestFinished, test } from "vitest";
import { Follow, isInside, isUpKey, watchInputs } from "./follow";

/** atEnd returns a list that follows its end at 1000. */
function atEnd() {
  const follow = new Follow(true);
  follow.put(1000);
  follow.painted(1000);
  return follow;
}

describe("a list that follows its end", () => {
  test.each([1, 10, 30, 100])("lets go at a movement up by %i px", (px) => {
    const follow = atEnd();
    expect(follow.moved({ top: 1000 - px, most: 1000 })).toBe(-px);
    expect(follow.follows).toBe(false);
  });

  test("keeps to it where the content shrank", () => {
    const follow = atEnd();
    expect(follow.moved({ top: 700, most: 700 })).toBe(0);
    expect(follow.follows).toBe(true);
  });

  test("lets go of content that shrank less than the user moved", () => {
    const follow = atEnd();
    follow.moved({ top: 690, most: 720 });
    expect(follow.follows).toBe(false);
  });

  test("takes no notice of rounding, but of small steps that add up", () => {
    const follow = atEnd();
    expect(follow.moved({ top: 999.4, most: 1000 })).toBe(0);
    expect(follow.follows).toBe(true);
    expect(follow.moved({ top: 998.8, most: 1000 })).toBeCloseTo(-1.2);
    expect(follow.follows).toBe(false);
  });

  test("keeps to it where the list scrolls itself", () => {
    const follow = atEnd();
    follow.put(400);
    expect(follow.moved({ top: 400, most: 1000 })).toBe(0);
    expect(follow.follows).toBe(true);
  });

  test("lets go at the input, before anything moves", () => {
    const follow = atEnd();
    follow.up();
    expect(follow.follows).toBe(false);
  });
});

describe("a list that was let go of", () => {
  test("follows again at a movement down that reaches the end", () => {
    const follow = atEnd();
    follow.moved({ top: 900, most: 1000 });
    follow.moved({ top: 997, most: 1000 });
    expect(follow.follows).toBe(false);
    follow.moved({ top: 1000, most: 1000 });
    expect(follow.follows).toBe(true);
  });

  test("follows again at the end of the frame on screen, whatever came since", () => {
    const follow = atEnd();
    follow.moved({ top: 900, most: 1000 });
    follow.moved({ top: 1000, most: 1400 });
    expect(follow.follows).toBe(true);
  });

  test("does not follow because content comes or goes", () => {
    const follow = atEnd();
    follow.moved({ top: 960, most: 1000 });
    follow.painted(1300);
    follow.moved({ top: 960, most: 1300 });
    follow.moved({ top: 950, most: 950 });
    expect(follow.follows).toBe(false);
  });

  test("does not take a late scroll of its own for the user's", () => {
    const follow = atEnd();
    follow.up();
    follow.moved({ top: 970, most: 1000 });
    follow.moved({ top: 1000, most: 1000 });
    expect(follow.follows).toBe(false);
    follow.free();
    follow.moved({ top: 990, most: 1000 });
    follow.moved({ top: 1000, most: 1000 });
    expect(follow.follows).toBe(true);
  });
});

describe("a list whose scrollbar is held", () => {
  const held = () => {
    const follow = atEnd();
    follow.grab();
    return follow;
  };

  test("stays where the thumb is, whatever is written", () => {
    const follow = held();
    expect(follow.follows).toBe(false);
    follow.painted(1300);
    follow.moved({ top: 1000, most: 1300 });
    expect(follow.follows).toBe(false);
  });

  test("follows again when released without a movement", () => {
    const follow = held();
    follow.painted(1300);
    follow.release();
    expect(follow.follows).toBe(true);
  });

  test("has let go of the end after a drag up", () => {
    const follow = held();
    follow.moved({ top: 960, most: 1300 });
    follow.release();
    expect(follow.follows).toBe(false);
  });

  test("follows after a drag down to the end, but not before the release", () => {
    const follow = held();
    follow.moved({ top: 600, most: 1000 });
    follow.moved({ top: 1000, most: 1000 });
    expect(follow.follows).toBe(false);
    follow.painted(1300);
    follow.moved({ top: 1010, most: 1300 });
    follow.release();
    expect(follow.follows).toBe(true);
  });

  test("follows nothing after a drag down that ends before the end", () => {
    const follow = held();
    follow.moved({ top: 600, most: 1000 });
    follow.moved({ top: 900, most: 1000 });
    follow.release();
    expect(follow.follows).toBe(false);
  });

  test("follows its end as before once it is released", () => {
    const follow = held();
    follow.moved({ top: 600, most: 1000 });
    follow.release();
    follow.moved({ top: 1000, most: 1000 });
    expect(follow.follows).toBe(true);
  });
});

describe("the inputs of a scroller", () => {
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

  test("tell of a press on the scrollbar and of its release anywhere, once", () => {
    const { told, scroller, point } = watched();
    point("pointerdown", scroller, 395);
    document.body.dispatchEvent(new FocusEvent("blur"));
    expect(told).toEqual(["grab"]);
    point("pointerup", document.body, 500);
    point("pointerup", document.body, 500);
    expect(told).toEqual(["grab", "release"]);
  });

  test("tell of a release that the engine kept to itself", () => {
    const { told, scroller, point } = watched();
    point("pointerdown", scroller, 395);
    point("pointermove", document.body, 500, 0);
    expect(told).toEqual(["grab", "release"]);
  });

  test("take no press beside the scrollbar for a drag", () => {
    const { told, scroller, point } = watched();
    point("pointerdown", scroller, 380);
    point("pointerdown", scroller.firstElementChild as Element, 395);
    point("pointerup", document.body, 380);
    expect(told).toEqual(["free", "free"]);
  });
});

test("Keys that scroll up are told from those that do not", () => {
  const key = (name: string, more = {}) => isUpKey(new KeyboardEvent("keydown", { key: name, ...more }));
  for (const name of ["ArrowUp", "PageUp", "Home"]) expect(key(name)).toBe(true);
  expect(key(" ", { shiftKey: true })).toBe(true);
  for (const name of [" ", "ArrowDown", "PageDown", "End", "a"]) expect(key(name)).toBe(false);
  expect(key("ArrowUp", { altKey: true })).toBe(false);
  expect(key("Home", { ctrlKey: true })).toBe(true);
});

test("A box that scrolls within the list is told from one that shows all it has", () => {
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
