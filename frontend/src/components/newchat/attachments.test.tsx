import { fireEvent, screen as page, render, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { failureOf } from "../../state/actions";
import { draftAttachments } from "../../state/draftAttachments";
import { go, screen } from "../../state/screen";
import type { Attachment } from "../../state/types";
import { chatEvent, cliFound, resetState, stubApp, stubBrowser, stubFolders } from "../../testing";
import { imageNamed } from "../composer/testing";
import { NewChat } from "./NewChat";
import { createdChat, folder } from "./testing";

const png = (name: string) => new File([new Uint8Array(4)], name, { type: "image/png" });
const paste = (field: HTMLElement, files: File[]) =>
  fireEvent.paste(field, { clipboardData: { files, types: ["Files"], getData: () => "" } });

beforeEach(() => {
  stubBrowser();
  localStorage.clear();
  stubFolders({ [folder]: { branch: "main", changed: 3 }, "/srv/other": {} });
  go({ name: "new" });
});

describe("the new chat screen", () => {
  test("reports a refused message in its chat, with its attachments", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      AttachImage: (_, name) => Promise.resolve(imageNamed(name)),
      Send: () => Promise.reject({ code: "unavailable", message: "Not now." }),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    const field = page.getByRole("textbox", { name: "Message" });
    paste(field, [png("shot.png")]);
    await page.findByRole("button", { name: "Remove shot.png" });
    await user.type(field, "See this{Enter}");
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("SaveDraft")).toEqual([["made", "See this", [imageNamed("shot.png")]]]);
    expect(failureOf("made")?.message).toBe("Not now.");
    expect(page.queryByRole("list", { name: "Attachments" })).toBeNull();
  });

  test("keeps the text and attachments if the chat can't save them either", async () => {
    const user = userEvent.setup();
    stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      AttachImage: (_, name) => Promise.resolve(imageNamed(name)),
      Send: () => Promise.reject({ code: "storage", message: "The disk is full." }),
      SaveDraft: () => Promise.reject({ code: "storage", message: "The disk is full." }),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    const field = page.getByRole("textbox", { name: "Message" });
    paste(field, [png("shot.png")]);
    const remove = await page.findByRole("button", { name: "Remove shot.png" });
    await user.type(field, "See this{Enter}");
    expect(await page.findByRole("alert")).toHaveTextContent("The disk is full.");
    expect(field).toHaveValue("See this");
    expect(screen()).toEqual({ name: "new" });
    await user.click(remove);
    expect(page.queryByRole("list", { name: "Attachments" })).toBeNull();
  });

  test("frees a removed image, but not a waiting or sent one", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      AttachImage: (_, name) => Promise.resolve(imageNamed(name)),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    const first = render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    paste(page.getByRole("textbox", { name: "Message" }), [png("out.png"), png("shot.png")]);
    await page.findByRole("button", { name: "Remove shot.png" });
    await user.click(await page.findByRole("button", { name: "Remove out.png" }));
    expect(app.of("ForgetImage")).toEqual([["content of out.png"]]);
    first.unmount();

    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    page.getByRole("button", { name: "Remove shot.png" });
    await user.type(page.getByRole("textbox", { name: "Message" }), "See this{Enter}");
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "See this", [imageNamed("shot.png")]]]));
    await waitFor(() => expect(page.queryByRole("list", { name: "Attachments" })).toBeNull());
    expect(app.of("ForgetImage")).toHaveLength(1);
  });

  test("sends an image removed during sending, and frees it if sending fails", async () => {
    const user = userEvent.setup();
    let answer = (_: "sent" | "refused") => {};
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      AttachImage: (_, name) => Promise.resolve(imageNamed(name)),
      Send: () =>
        new Promise((sent, refused) => {
          answer = (how) =>
            how === "sent" ? sent("id") : refused({ code: "unavailable", message: "Not now." });
        }),
      SaveDraft: () => Promise.reject({ code: "storage", message: "The disk is full." }),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    const field = page.getByRole("textbox", { name: "Message" });
    for (const how of ["refused", "sent"] as const) {
      paste(field, [png(`${how}.png`)]);
      await page.findByRole("button", { name: `Remove ${how}.png` });
      await user.clear(field);
      await user.type(field, "See this{Enter}");
      await waitFor(() => expect(app.of("Send").at(-1)?.[2]).toEqual([imageNamed(`${how}.png`)]));
      await user.click(page.getByRole("button", { name: `Remove ${how}.png` }));
      expect(app.of("ForgetImage")).toHaveLength(how === "sent" ? 1 : 0);
      answer(how);
      if (how === "refused") {
        await waitFor(() => expect(app.of("ForgetImage")).toEqual([["content of refused.png"]]));
      }
    }
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
    expect(app.of("ForgetImage")).toHaveLength(1);
  });

  test("doesn't send automatically while the user types during an image load", async () => {
    const user = userEvent.setup();
    let read = (_: Attachment) => {};
    const app = stubApp({
      AttachImage: () =>
        new Promise((resolve) => {
          read = resolve;
        }),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    const field = page.getByRole("textbox", { name: "Message" });
    paste(field, [png("shot.png")]);
    await waitFor(() => expect(app.of("AttachImage")).toHaveLength(1));
    await user.type(field, "See{Enter} this");
    read(imageNamed("shot.png"));
    await user.click(await page.findByRole("button", { name: "Remove shot.png" }));
    expect(app.of("CreateChat")).toEqual([]);
    expect(field).toHaveValue("See this");
  });

  test("removes only the mentions that were sent", () => {
    const mention = (name: string): Attachment => ({ kind: "mention", name, path: `/f/${name}` });
    const [a, b] = [mention("a.go"), mention("b.go")];
    draftAttachments.add(a);
    draftAttachments.add(b);
    draftAttachments.removeSent(draftAttachments.forText("@a.go", "/f"));
    expect(draftAttachments.forText("@a.go @b.go", "/f")).toEqual([b]);
    draftAttachments.removeSent([b]);
  });

  test("keeps pasted images and dropped files for the chat, even on another screen", async () => {
    const user = userEvent.setup();
    let dropped = (_x: number, _y: number, _paths: string[]) => {};
    window.runtime = {
      EventsOn: () => () => {},
      OnFileDrop: (callback) => {
        dropped = callback;
      },
      OnFileDropOff: () => {},
    };
    onTestFinished(() => {
      window.runtime = undefined;
    });
    let read = (_: Attachment) => {};
    const notes: Attachment = { kind: "file", name: "notes.txt", path: "/tmp/notes.txt" };
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      AttachImage: () =>
        new Promise((resolve) => {
          read = resolve;
        }),
      AttachFile: (_, path) =>
        path === "/tmp/gone"
          ? Promise.reject({ code: "not_found", message: "It is gone." })
          : Promise.resolve(notes),
      Send: () => Promise.resolve("id"),
    });
    resetState(cliFound, chatEvent("a", { folder }));
    const first = render(() => <NewChat />);
    dropped(0, 0, ["/tmp/gone", "/tmp/notes.txt"]);
    expect(await page.findByRole("alert")).toHaveTextContent("It is gone.");
    await within(page.getByRole("list", { name: "Attachments" })).findByText("notes.txt");
    first.unmount();

    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    within(page.getByRole("list", { name: "Attachments" })).getByText("notes.txt");
    const field = page.getByRole("textbox", { name: "Message" });
    paste(field, [png("shot.png")]);
    await waitFor(() => expect(app.of("AttachImage")).toEqual([["", "shot.png", "AAAAAA=="]]));
    // The message waits until the attachment is read.
    await user.type(field, "{Enter}");
    expect(app.of("CreateChat")).toEqual([]);
    read(imageNamed("shot.png"));
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "", [notes, imageNamed("shot.png")]]]));
    await waitFor(() => expect(screen()).toEqual({ name: "chat", id: "made" }));
  });

  test("mentions files of the folder and sends them while mentioned", async () => {
    const user = userEvent.setup();
    const app = stubApp({
      CreateChat: () => Promise.resolve(createdChat),
      Send: () => Promise.resolve("id"),
    });
    const asked: string[] = [];
    const known = window.fetch;
    vi.stubGlobal("fetch", (input: string) => {
      if (!input.startsWith("/data/files")) return known(input);
      asked.push(new URL(input, "http://x").searchParams.get("folder") ?? "");
      return Promise.resolve(new Response(JSON.stringify({ files: [{ path: "cmd/main.go" }], total: 1 })));
    });
    onTestFinished(() => {
      vi.stubGlobal("fetch", known);
    });
    resetState(cliFound, chatEvent("a", { folder }));
    render(() => <NewChat />);
    await page.findByText("main, 3 uncommitted files");
    const field = page.getByRole("textbox", { name: "Message" });
    await user.type(field, "Fix ");
    await user.click(page.getByRole("button", { name: "Mention file" }));
    await page.findByRole("option", { name: "cmd/main.go" });
    await user.keyboard("{Enter}");
    expect(field).toHaveValue("Fix @cmd/main.go ");
    expect(asked).toEqual([folder]);
    await user.type(field, "now{Enter}");
    const mention = { kind: "mention", name: "cmd/main.go", path: `${folder}/cmd/main.go` };
    await waitFor(() => expect(app.of("Send")).toEqual([["made", "Fix @cmd/main.go now", [mention]]]));
  });
});
