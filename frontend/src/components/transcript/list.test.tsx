import { render } from "@solidjs/testing-library";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ListControl, ScrollState } from "./list";
import { VirtualList } from "./VirtualList";

const keys = Array.from({ length: 30 }, (_, n) => `row${n}`);
/** Approximate height of each row. */
const high = 2000;

/** Height of the list's viewport. */
const view = 800;

// jsdom has no layout, so nothing scrolls.
beforeEach(() => {
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(keys.length * high);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(view);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** open shows a list of tall rows and returns the keys of all rows that were ever rendered, even briefly. */
function open(place?: ScrollState, ends = true): string[] {
  const drawn: string[] = [];
  let control: ListControl | undefined;
  render(() => (
    <VirtualList
      keys={keys}
      bounds=""
      label="Rows"
      estimate={() => high}
      scrollState={place}
      ends={ends}
      onNearTop={() => {}}
      onNearEnd={() => {}}
      onRows={() => {}}
      control={(given) => {
        control = given;
      }}
    >
      {(key) => {
        drawn.push(key);
        return <p>{key}</p>;
      }}
    </VirtualList>
  ));
  expect(control).toBeDefined();
  return drawn;
}

test("a list opened at its end renders no distant rows", () => {
  expect(open()).toEqual(["row29"]);
});

test("a list opened at its last position renders no distant rows", () => {
  const drawn = open({ follows: false, anchor: { key: "row15", offset: 40 } });
  expect(drawn).toContain("row15");
  expect(drawn).not.toContain("row0");
  expect(drawn.length).toBeLessThanOrEqual(3);
});

test("a list without its end loaded starts at its first row", () => {
  const drawn = open(undefined, false);
  expect(drawn).toContain("row0");
  expect(drawn).not.toContain("row29");
});
