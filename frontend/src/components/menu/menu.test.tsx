import { fireEvent, screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { composer } from "../../state/composer";
import { go } from "../../state/screen";
import { sink } from "../../state/store";
import { chatEvent, resetState, stubApp, stubBrowser } from "../../testing";
import { Markdown } from "../transcript/Prose";
import { ContextMenus } from "./ContextMenus";
import { quoted } from "./clipboard";

class Transfer {
  #text = "";
  setData(_: string, text: string) {
    this.#text = text;
  }
  getData() {
    return this.#text;
  }
}

beforeEach(() => {
  stubBrowser();
  vi.stubGlobal("DataTransfer", Transfer);
  resetState(chatEvent("c"));
  sink.open(
    "c",
    [
      { item: { id: "m", chatId: "c", session: "main", pos: 1, kind: "message", createdAt: 1 } },
      { text: { itemId: "m", chatId: "c", offset: 0, text: "Use `a`.\n", size: 9 } },
    ],
    0,
    [],
  );
  go({ name: "chat", id: "c" });
});

const labels = () => page.getAllByRole("menuitem").map((each) => each.textContent);

describe("the context menu", () => {
  test("of a message copies its Markdown, of code the code, of a link its address", async () => {
    const user = userEvent.setup();
    const { of } = stubApp();
    render(() => (
      <>
        <ContextMenus />
        <div role="log">
          <article data-item="m">
            <Markdown text={"See [docs](https://example.com/a).\n\n```\nmake all\n```\n"} />
          </article>
        </div>
      </>
    ));
    fireEvent.contextMenu(page.getByRole("link", { name: "docs" }));
    expect(labels()).toEqual(["Open link…", "Copy link", "Copy as Markdown", "Quote in message"]);
    await user.click(page.getByRole("menuitem", { name: "Copy link" }));
    await expect.poll(() => of("Copy")).toEqual([["https://example.com/a"]]);

    fireEvent.contextMenu(page.getByText("make all"));
    await user.click(page.getByRole("menuitem", { name: "Copy code" }));
    await expect.poll(() => of("Copy")[1]?.[0]).toContain("make all");

    fireEvent.contextMenu(page.getByText("make all"));
    await user.click(page.getByRole("menuitem", { name: "Copy as Markdown" }));
    await expect.poll(() => of("Copy")[2]).toEqual(["Use `a`.\n"]);
  });

  test("of a message quotes it after the typed text", async () => {
    const user = userEvent.setup();
    stubApp();
    composer.write("c", "About this:");
    render(() => (
      <>
        <ContextMenus />
        <article data-item="m">words</article>
      </>
    ));
    fireEvent.contextMenu(page.getByText("words"));
    await user.click(page.getByRole("menuitem", { name: "Quote in message" }));
    await expect.poll(() => composer.draft("c").text).toBe("About this:\n\n> Use `a`.\n\n");
    expect(quoted("a\n\nb")).toBe("> a\n>\n> b\n\n");
  });

  test("of a field cuts, pastes and selects, and returns the focus", async () => {
    const user = userEvent.setup();
    const { of } = stubApp({ ClipboardText: () => Promise.resolve("new") });
    render(() => (
      <>
        <ContextMenus />
        <textarea aria-label="field">one two</textarea>
      </>
    ));
    const field = page.getByRole<HTMLTextAreaElement>("textbox", { name: "field" });
    field.focus();
    field.setSelectionRange(4, 7);
    fireEvent.contextMenu(field);
    expect(page.getByRole("menu", { name: "Text field" })).toBeVisible();
    await user.click(page.getByRole("menuitem", { name: /Cut/ }));
    await expect.poll(() => field.value).toBe("one ");
    expect(of("Copy")).toEqual([["two"]]);
    await expect.poll(() => document.activeElement).toBe(field);

    fireEvent.contextMenu(field);
    expect(page.getByRole("menuitem", { name: /Cut/ })).toHaveAttribute("aria-disabled", "true");
    await user.click(page.getByRole("menuitem", { name: /Paste/ }));
    await expect.poll(() => field.value).toBe("one new");

    fireEvent.contextMenu(field);
    await user.click(page.getByRole("menuitem", { name: /Select all/ }));
    await expect.poll(() => [field.selectionStart, field.selectionEnd]).toEqual([0, 7]);
  });

  test("leaves the focus in a field that is clicked", async () => {
    const user = userEvent.setup();
    stubApp();
    render(() => (
      <>
        <ContextMenus />
        <textarea aria-label="field">one two</textarea>
        <input aria-label="other" />
      </>
    ));
    const field = page.getByRole<HTMLTextAreaElement>("textbox", { name: "field" });
    field.focus();
    fireEvent.contextMenu(field);
    await expect.poll(() => page.getByRole("menu").contains(document.activeElement)).toBe(true);
    const other = page.getByRole("textbox", { name: "other", hidden: true });
    const back = vi.spyOn(field, "focus");
    await user.click(other);
    await expect.poll(() => page.queryByRole("menu")).toBeNull();
    // The focus would return in a separate task.
    await new Promise((done) => setTimeout(done));
    expect(back).not.toHaveBeenCalled();
    expect(other).toHaveFocus();
  });

  test("passes a paste to the field's own handler first", async () => {
    const user = userEvent.setup();
    stubApp({ ClipboardText: () => Promise.resolve("") });
    const heard = vi.fn();
    render(() => (
      <>
        <ContextMenus />
        <textarea aria-label="field" onPaste={(event) => heard(event.clipboardData)} />
      </>
    ));
    fireEvent.contextMenu(page.getByRole("textbox"));
    await user.click(page.getByRole("menuitem", { name: /Paste/ }));
    await expect.poll(() => heard.mock.calls.length).toBe(1);
  });

  test("of an image copies and saves it", async () => {
    const user = userEvent.setup();
    const { of } = stubApp();
    render(() => (
      <>
        <ContextMenus />
        <img alt="shot.png" data-content="k" />
      </>
    ));
    fireEvent.contextMenu(page.getByRole("img"));
    await user.click(page.getByRole("menuitem", { name: "Copy image" }));
    await expect.poll(() => of("CopyImage")).toEqual([["k"]]);
    fireEvent.contextMenu(page.getByRole("img"));
    await user.click(page.getByRole("menuitem", { name: "Save image…" }));
    await expect.poll(() => of("SaveImage")).toEqual([["k", "shot.png"]]);
  });

  test("opens by keyboard at the focused element", async () => {
    stubApp();
    render(() => (
      <>
        <ContextMenus />
        <article data-item="m" tabindex="-1">
          words
        </article>
        <p>elsewhere</p>
      </>
    ));
    page.getByText("words").focus();
    fireEvent.keyDown(document.activeElement as Element, { key: "F10", shiftKey: true });
    fireEvent.contextMenu(page.getByText("elsewhere"));
    expect(page.getByRole("menu", { name: "Message" })).toBeVisible();
  });

  test("doesn't open if it would be empty", () => {
    stubApp();
    render(() => (
      <>
        <ContextMenus />
        <p>elsewhere</p>
      </>
    ));
    expect(fireEvent.contextMenu(page.getByText("elsewhere"))).toBe(true);
    expect(page.queryByRole("menu")).toBeNull();
  });
});
