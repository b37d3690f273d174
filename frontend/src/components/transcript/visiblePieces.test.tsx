import { render } from "@solidjs/testing-library";
import { createSignal } from "solid-js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Piece } from "../../lib/paragraphs";
import { Drawings, DrawingsContext } from "./drawing";
import { Sequence } from "./Sequence";
import { createVisiblePieces } from "./visiblePieces";

/** Height of a paragraph in these tests, and the gap below it. */
const [high, gap] = [100, 12];

/** Scroll offset of the text. */
let scrolled = 0;
let texts = 0;

const pieces = (count: number): Piece[] =>
  Array.from({ length: count }, (_, n) => ({ kind: "markdown", text: `Paragraph ${n}.\n` }));

/** layOut positions the parts of a text from top to bottom, like a browser. */
function layOut(box: HTMLElement): void {
  const heightOf = (part: Element) =>
    part.matches(".space") ? Number.parseFloat((part as HTMLElement).style.height) : high;
  const rect = (top: number, height: number) =>
    ({ top, height, bottom: top + height, width: 500 }) as DOMRect;
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    const all = [...box.children];
    const above = (count: number) =>
      all.slice(0, count).reduce((sum, part) => sum + heightOf(part) + gap, -scrolled);
    if (this === box) return rect(-scrolled, above(all.length) + scrolled - gap);
    return rect(above(all.indexOf(this)), heightOf(this));
  });
}

function show(count: number) {
  const all = pieces(count);
  const [end, setEnd] = createSignal(count);
  const drawings = new Drawings(() => {});
  const Text = () => {
    let box!: HTMLDivElement;
    const drawn = createVisiblePieces({
      id: `text${texts++}`,
      box: () => box,
      pieces: all,
      range: () => [0, end()],
    });
    return (
      <div class="box" ref={box}>
        <Sequence each={drawn.cells()}>
          {(cell) =>
            typeof cell === "number" ? (
              <p>{all[cell]?.text}</p>
            ) : (
              <div class="space" style={{ height: `${drawn.space(cell)}px` }} />
            )
          }
        </Sequence>
      </div>
    );
  };
  const { container } = render(() => (
    <DrawingsContext.Provider value={drawings}>
      <Text />
    </DrawingsContext.Provider>
  ));
  const box = container.querySelector(".box") as HTMLElement;
  layOut(box);
  return {
    box,
    /** settle renders until nothing changes, as the transcript list does. */
    settle: () => {
      for (let round = 0; round < 12 && drawings.draw(-150, 950); round++);
    },
    /**
     * rest renders one slice after another, as the list does between frames, until all paragraphs around
     * the view are rendered. It returns the number of rendered paragraphs after each slice.
     */
    rest: () => {
      const counts: number[] = [];
      while (drawings.drawSlice(-1000, 1800)) counts.push(box.querySelectorAll("p").length);
      return counts;
    },
    shown: () =>
      [...box.querySelectorAll("p")].map((part) => Number(/\d+/.exec(part.textContent ?? "")?.[0])),
    height: () => box.getBoundingClientRect().height,
    grow: (by: number) => {
      all.push(...pieces(count + by).slice(count));
      setEnd(count + by);
    },
  };
}

describe("long text in a list", () => {
  beforeEach(() => {
    scrolled = 0;
  });
  afterEach(() => {
    vi.restoreAllMocks();
    getSelection()?.removeAllRanges();
  });

  test("renders only what is in view at first", () => {
    const { settle, shown } = show(400);
    expect(shown()).toEqual([]);
    settle();
    expect(shown()).toContain(8);
    expect(shown().length).toBeLessThan(30);
    scrolled = 6000;
    settle();
    const [first, last] = [shown()[0] as number, shown().at(-1) as number];
    expect(first).toBeGreaterThan(0);
    expect(last - first).toBeLessThan(50);
  });

  test("renders around the view slice by slice, and drops distant parts", () => {
    const { settle, rest, shown } = show(400);
    settle();
    const first = shown().length;
    const counts = [first, ...rest()];
    expect(counts.length).toBeGreaterThan(1);
    for (const [n, count] of counts.slice(1).entries())
      expect(count - (counts[n] as number)).toBeLessThanOrEqual(8);
    scrolled = 500;
    settle();
    rest();
    expect(shown()[0]).toBe(0);
    scrolled = 3000;
    settle();
    rest();
    expect(shown()).not.toContain(0);
    expect(shown().length).toBeLessThan(50);
  });

  test("keeps the height of unrendered parts", () => {
    const { settle, rest, shown, height } = show(60);
    for (scrolled = 0; scrolled < 60 * (high + gap); scrolled += 500) {
      settle();
      rest();
    }
    expect(shown()).not.toContain(0);
    expect(height()).toBe(60 * (high + gap) - gap);
  });

  test("renders appended text at once while its end is visible", () => {
    const { settle, shown, grow } = show(8);
    settle();
    expect(shown()).toHaveLength(8);
    grow(10);
    expect(shown()).toHaveLength(18);
  });

  test("keeps the paragraphs with the ends of the selection rendered", () => {
    const { box, settle, rest, shown, height } = show(400);
    settle();
    const first = box.querySelector("p") as Element;
    getSelection()?.setBaseAndExtent(first.firstChild as Node, 3, box.querySelectorAll("p")[2] as Element, 0);
    for (scrolled of [0, 3000, 6000]) {
      settle();
      rest();
    }
    expect(getSelection()?.anchorNode).toBe(first.firstChild);
    expect(shown()).toContain(55);
    expect(shown().filter((n) => n < 40)).toEqual([0, 2]);
    const before = height();
    getSelection()?.removeAllRanges();
    settle();
    expect(shown()).not.toContain(0);
    expect(height()).toBe(before);
  });

  test("keeps the selection while the text above it is rendered again", () => {
    const { box, settle, rest } = show(400);
    scrolled = 12_000;
    settle();
    const last = [...box.querySelectorAll("p")].at(-1) as Element;
    getSelection()?.setBaseAndExtent(last.firstChild as Node, 1, last.firstChild as Node, 4);
    scrolled = 0;
    settle();
    rest();
    expect(getSelection()?.toString()).toBe("ara");
    expect(last.isConnected).toBe(true);
  });

  test("renders everything without layout", () => {
    const { settle, shown } = show(40);
    vi.restoreAllMocks();
    settle();
    expect(shown()).toHaveLength(40);
  });
});
