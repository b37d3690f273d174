import { screen as page, waitFor, within } from "@solidjs/testing-library";
import { beforeEach, describe, expect, test } from "vitest";
import { menuAt } from "../menu/entries";
import { FakeReview, fakeFile, openScreen } from "./testing";

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

/** A file in which line 2 was replaced; lines 1 and 4 are blank. */
function readme() {
  const file = fakeFile("README.md", [], {}, 5);
  file.old = ["", "Listens on port 8080.", "Second paragraph.", "", "The end."];
  file.new = ["", "Listens on port 9590.", "Second paragraph.", "", "The end."];
  file.diff = { blocks: [[1, 1, 1, 1]] };
  return file;
}

async function open(layout = "unified") {
  localStorage.setItem("voxpilot.review-layout", layout);
  const review = new FakeReview(readme());
  const shown = openScreen();
  const section = await page.findByRole("region", { name: "Diff of README.md" });
  await waitFor(() => {
    for (const line of ["Listens on port 8080.", "Listens on port 9590.", "The end."])
      expect(cell(line)).toBeTruthy();
  });
  return { ...shown, review, section };
}

/** Returns the code cell with the given text, or the first one if there are several. */
const cell = (text: string, at = 0) =>
  [...document.querySelectorAll<HTMLElement>(".rv-rows .c")].filter((each) => each.textContent === text)[
    at
  ] as HTMLElement;

/** Presses the pointer in a cell, and selects from the start of that cell to the end of another one. */
function select(from: HTMLElement, to: HTMLElement): void {
  from.dispatchEvent(new MouseEvent("pointerdown", { bubbles: true, button: 0 }));
  getSelection()?.setBaseAndExtent(from, 0, to, to.childNodes.length);
  document.dispatchEvent(new Event("selectionchange"));
}

/** Copies the selection and returns the copied text, or undefined if copying is left to the browser. */
function copy(): string | undefined {
  let text: string | undefined;
  const event = new Event("copy", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "clipboardData", {
    value: { setData: (_type: string, value: string) => (text = value) },
  });
  document.body.dispatchEvent(event);
  return event.defaultPrevented ? (text ?? "") : undefined;
}

describe("a selection in a diff", () => {
  test("is copied with its blank lines", async () => {
    await open();
    select(cell(""), cell("The end."));
    expect(copy()).toBe("\nListens on port 8080.\nListens on port 9590.\nSecond paragraph.\n\nThe end.");
    getSelection()?.setBaseAndExtent(cell("The end."), 0, cell(""), 0);
    expect(copy()).toBe("\nListens on port 8080.\nListens on port 9590.\nSecond paragraph.\n\n");
  });

  test("is copied from and to the middle of a line", async () => {
    await open();
    const [from, to] = [cell("Second paragraph."), cell("The end.")].map((each) => {
      const text = document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode();
      return text as Text;
    }) as [Text, Text];
    getSelection()?.setBaseAndExtent(from, 7, to, 3);
    expect(copy()).toBe("paragraph.\n\nThe");
    getSelection()?.setBaseAndExtent(from, 7, from, 10);
    expect(copy()).toBe("par");
  });

  test("is copied from the column in which it starts", async () => {
    await open("split");
    const [old, now] = [cell("Listens on port 8080."), cell("Listens on port 9590.")];
    select(now, cell("The end.", 1));
    expect(document.querySelector(".rv-area")).toHaveAttribute("data-column", "new");
    expect(copy()).toBe("Listens on port 9590.\nSecond paragraph.\n\nThe end.");
    select(old, cell("Second paragraph.", 1)); // the pointer ends in the other column
    expect(document.querySelector(".rv-area")).toHaveAttribute("data-column", "old");
    expect(copy()).toBe("Listens on port 8080.\nSecond paragraph.");
  });

  test("keeps its start after the row was scrolled out of view", async () => {
    const file = fakeFile("long.txt", [], { added: 2000, removed: 0 }, 0);
    file.new = Array.from({ length: 2000 }, (_, at) => (at % 3 === 0 ? "" : `row ${at}`));
    file.diff = { blocks: [[0, 0, 0, 2000]] };
    new FakeReview(file);
    const { app } = openScreen();
    const section = await page.findByRole("region", { name: "Diff of long.txt" });
    const first = await within(section).findByText("row 1");
    select(first, await within(section).findByText("row 2"));
    const scroller = document.querySelector(".rv-scroll") as HTMLElement;
    scroller.scrollTop = 18 * 1900;
    scroller.dispatchEvent(new Event("scroll"));
    const last = await within(section).findByText("row 1901");
    expect(first.isConnected).toBe(false);
    const group = last.closest(".rv-group") as HTMLElement;
    getSelection()?.setBaseAndExtent(group, 0, last, 1);
    // The lines in between were never in view, so they are loaded first.
    expect(copy()).toBe("");
    await waitFor(() => expect(app.of("Copy")).toHaveLength(1));
    expect(app.of("Copy")[0]).toEqual([file.new.slice(1, 1902).join("\n")]);
  });

  test("is copied by the context menu in the same way", async () => {
    const { app } = await open();
    select(cell(""), cell("Second paragraph."));
    const entries = menuAt(cell("Second paragraph."))?.groups.flatMap((group) => group.entries) ?? [];
    entries.find(({ label }) => label === "Copy")?.onSelect();
    await waitFor(() => expect(app.of("Copy")).toHaveLength(1));
    expect(app.of("Copy")[0]).toEqual(["\nListens on port 8080.\nListens on port 9590.\nSecond paragraph."]);
  });

  test("outside of the code is copied by the browser", async () => {
    const { section } = await open();
    const title = within(section).getByRole("heading", { name: "README.md" });
    getSelection()?.selectAllChildren(title);
    expect(copy()).toBeUndefined();
  });
});
