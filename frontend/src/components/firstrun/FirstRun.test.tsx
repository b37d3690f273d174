import { screen as page, render, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import type { Chat, Provider } from "../../state/words";
import { go, screen } from "../shell/screen";
import { aChat, cliFound, folders, know, learn, standIn, standInForBrowser } from "../ui/testing";
import { FirstRun } from "./FirstRun";

const made = aChat("made").chat as Chat;

beforeEach(() => {
  standInForBrowser();
  folders({ "/home/anna/code/orbit-api": { branch: "main" } });
  go({ name: "new" });
});

describe("the first run", () => {
  test("leads from the sign-in to a folder and starts a chat there", async () => {
    const user = userEvent.setup();
    const app = standIn({ CreateChat: () => Promise.resolve(made) });
    know(cliFound);
    render(() => <FirstRun />);
    expect(page.getByRole("button", { name: "Start" })).toBeDisabled();
    await user.click(page.getByRole("button", { name: "Copy command" }));
    expect(app.of("Copy")).toEqual([["copilot login"]]);
    await user.click(page.getByRole("button", { name: "I am signed in" }));
    await user.type(page.getByLabelText("Folder"), "/home/anna/code/orbit-api{Enter}");
    await page.findByText("Git, branch main");
    await user.click(page.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(app.of("SaveSettings")).toHaveLength(1));
    expect(app.of("CreateChat")).toEqual([["/home/anna/code/orbit-api", "copilot"]]);
    expect(app.of("SaveSettings")[0]?.[0]).toMatchObject({ setupDone: true });
    expect(screen()).toEqual({ name: "chat", id: "made" });
  });

  test("practice needs neither a sign-in nor a folder", async () => {
    const user = userEvent.setup();
    const app = standIn({ StartPractice: () => Promise.resolve(made) });
    know(cliFound);
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "Try it without an account" }));
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("SaveSettings")[0]?.[0]).toMatchObject({ setupDone: true });
  });

  test("a folder that does not exist cannot be started in", async () => {
    const user = userEvent.setup();
    standIn();
    know(cliFound);
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "I am signed in" }));
    await user.type(page.getByLabelText("Folder"), "/nowhere{Enter}");
    await page.findByText("This folder does not exist.");
    expect(page.getByRole("button", { name: "Start" })).toBeDisabled();
  });

  test("a missing CLI says where it was looked for and goes on once it is found", async () => {
    const user = userEvent.setup();
    const app = standIn();
    know({ cli: { state: "missing", min: "1.0.78", searched: ["PATH", "/home/anna/.npm/bin"] } });
    render(() => <FirstRun />);
    expect(page.getByRole("heading", { name: "Copilot CLI was not found" })).toBeVisible();
    expect(page.getByRole("list", { name: "VoxPilot looked here:" })).toHaveTextContent("~/.npm/bin");
    expect(page.getByRole("button", { name: "Try it without an account" })).toBeDisabled();
    await user.click(page.getByRole("button", { name: "Check again" }));
    expect(app.of("CheckCLI")).toHaveLength(1);
    learn(cliFound);
    expect(page.getByRole("heading", { name: "Copilot CLI found" })).toBeVisible();
    expect(page.getByRole("button", { name: "I am signed in" })).toBeVisible();
  });

  test("an own model is saved with its key and answers the first chat", async () => {
    const user = userEvent.setup();
    const saved: Provider = { id: "p1", name: "m", baseUrl: "http://x/v1", model: "m", createdAt: 1 };
    const app = standIn({
      SaveProvider: (provider) => {
        learn({ provider: { ...provider, id: "p1" } });
        return Promise.resolve(saved);
      },
      CreateChat: () => Promise.resolve(made),
    });
    know(cliFound);
    render(() => <FirstRun />);
    await user.click(page.getByRole("button", { name: "Use your own model" }));
    await user.click(page.getByRole("button", { name: "Use this model" }));
    expect(page.getByRole("alert")).toHaveTextContent("Type the server's address");
    await user.type(page.getByLabelText("Server address"), "http://x/v1");
    await user.type(page.getByLabelText("Model"), "m");
    await user.type(page.getByLabelText("API key"), "secret");
    await user.click(page.getByRole("button", { name: "Use this model" }));
    await user.type(await page.findByLabelText("Folder"), "/home/anna/code/orbit-api{Enter}");
    await page.findByText("Git, branch main");
    await user.click(page.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(app.of("CreateChat")).toEqual([["/home/anna/code/orbit-api", "p1"]]));
    expect(app.of("SaveProvider")).toEqual([
      [expect.objectContaining({ id: "", baseUrl: "http://x/v1", model: "m", name: "m" }), "secret"],
    ]);
    expect(app.of("CheckProvider")).toEqual([["p1"]]);
  });
});
