import { createEvent, fireEvent } from "@solidjs/testing-library";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { carriesFiles, preventPageDrops } from "./dragAndDrop";

/** dragged returns a drag's data as a page sees it before the drop: only the types. */
const dragged = (...types: string[]) => ({ types, dropEffect: "copy" }) as unknown as DataTransfer;

test.each([
  [["Files"], true],
  [["text/uri-list", "text/html"], true], // WebKitGTK hides the rest
  [["text/plain", "text/html", "text/uri-list"], false], // a web address
  [["text/plain"], false],
  [[], false],
])("a drag of %j carries files: %s", (types, files) => {
  expect(carriesFiles(dragged(...types))).toBe(files);
});

describe("a page that stays loaded", () => {
  let letGo = () => {};
  beforeEach(() => {
    letGo = preventPageDrops();
    document.body.innerHTML = "<p></p><textarea></textarea>";
  });
  afterEach(() => letGo());

  const drop = (on: string, ...types: string[]) => {
    const target = document.querySelector(on) ?? document.body;
    const dataTransfer = dragged(...types);
    const heard = vi.fn();
    window.addEventListener("drop", heard);
    fireEvent(target, createEvent.dragOver(target, { dataTransfer }));
    const taken = !fireEvent(target, createEvent.drop(target, { dataTransfer }));
    window.removeEventListener("drop", heard);
    return { taken, told: heard.mock.calls.length === 1, effect: dataTransfer.dropEffect };
  };

  test("ignores drops and reports dropped files", () => {
    expect(drop("p", "Files")).toEqual({ taken: true, told: true, effect: "none" });
    expect(drop("textarea", "text/uri-list")).toEqual({ taken: true, told: true, effect: "none" });
    expect(drop("p", "text/plain", "text/uri-list")).toEqual({ taken: true, told: false, effect: "none" });
  });

  test("leaves dropped text to its field", () => {
    expect(drop("textarea", "text/plain")).toEqual({ taken: false, told: false, effect: "copy" });
  });
});
