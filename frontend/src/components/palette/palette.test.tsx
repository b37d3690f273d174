import { screen as page, render, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { commands } from "../../state/commands";
import { go, screen } from "../shell/screen";
import { aChat, know, learn, standIn, standInForBrowser } from "../ui/testing";
import { Palette } from "./Palette";

beforeEach(() => {
  standInForBrowser();
  localStorage.clear();
});

async function show() {
  render(() => <Palette />);
  commands.find((command) => command.id === "palette")?.run?.();
  return within(await page.findByRole("dialog", { name: "Command palette" }));
}

describe("the palette while it is open", () => {
  test("follows what comes meanwhile: chats, and what can be done now", async () => {
    standIn();
    know();
    go({ name: "chat", id: "c" });
    const palette = await show();
    expect(palette.queryByRole("option", { name: /Rename/ })).toBeNull();
    learn(aChat("c", { title: "On screen" }), aChat("d", { title: "Another one" }));
    expect(palette.getByRole("option", { name: /Another one/ })).toBeVisible();
    expect(palette.getByRole("option", { name: /Archive chat/ })).toBeVisible();
    expect(palette.queryByRole("option", { name: /New chat with summary/ })).toBeNull();
    learn(aChat("c", { title: "On screen", turnState: "done" }));
    expect(palette.getByRole("option", { name: /New chat with summary/ })).toBeVisible();
  });

  test("keeps what is selected where rows come before it", async () => {
    const user = userEvent.setup();
    standIn();
    know(aChat("b", { title: "Bees", updatedAt: 2 }), aChat("a", { title: "Ants", updatedAt: 1 }));
    go({ name: "new" });
    const palette = await show();
    await user.keyboard("{ArrowDown}");
    expect(palette.getByRole("option", { selected: true })).toHaveTextContent("Ants");
    learn(aChat("z", { title: "Zebras", updatedAt: 9 }));
    expect(palette.getByRole("option", { selected: true })).toHaveTextContent("Ants");
    await user.keyboard("{Enter}");
    await expect.poll(screen).toMatchObject({ name: "chat", id: "a" });
  });
});
