import { screen as page, render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { Show } from "solid-js";
import { describe, expect, test } from "vitest";
import { createTyping } from "./typing";

/** show renders a message field and other focusable elements. */
function show(more: { question?: boolean } = {}) {
  function Page() {
    let field!: HTMLTextAreaElement;
    createTyping(() => field);
    return (
      <>
        <textarea aria-label="Message" ref={field} />
        <input aria-label="Find" />
        <button type="button">Ran ls</button>
        <Show when={more.question}>
          <div role="alertdialog">
            <button type="button">Cancel</button>
          </div>
        </Show>
      </>
    );
  }
  render(() => <Page />);
  return { user: userEvent.setup(), message: page.getByRole("textbox", { name: "Message" }) };
}

describe("typing", () => {
  test("goes to the message from a focused line and from the page", async () => {
    const { user, message } = show();
    page.getByRole("button", { name: "Ran ls" }).focus();
    await user.keyboard("Fix it");
    expect(message).toHaveValue("Fix it");
    message.blur();
    await user.keyboard("!");
    expect(message).toHaveValue("Fix it!");
  });

  test("stays in other fields, and keys that type nothing are ignored", async () => {
    const { user, message } = show();
    await user.type(page.getByRole("textbox", { name: "Find" }), "word");
    expect(page.getByRole("textbox", { name: "Find" })).toHaveValue("word");
    page.getByRole("button", { name: "Ran ls" }).focus();
    await user.keyboard("{ArrowDown}{Control>}c{/Control} ");
    expect(page.getByRole("button", { name: "Ran ls" })).toHaveFocus();
    expect(message).toHaveValue("");
  });

  test("waits for a question to be answered", async () => {
    const { user, message } = show({ question: true });
    page.getByRole("button", { name: "Cancel" }).focus();
    await user.keyboard("y");
    expect(page.getByRole("button", { name: "Cancel" })).toHaveFocus();
    (document.activeElement as HTMLElement).blur();
    await user.keyboard("y");
    expect(message).toHaveValue("");
  });
});
