import { fireEvent, screen, waitFor, within } from "@solidjs/testing-library";
import { describe, expect, test, vi } from "vitest";
import type { Attachment } from "../../state/types";
import { pathsIn } from "./attach";
import { imageNamed, open } from "./testing";

const png = (name = "image.png", size = 4) => new File([new Uint8Array(size)], name, { type: "image/png" });

/** clipboard returns the data transfer object of a paste or drop event. */
const clipboard = (files: File[], texts: Record<string, string> = {}) => ({
  files,
  types: files.length > 0 ? ["Files"] : Object.keys(texts),
  getData: (type: string) => texts[type] ?? "",
});
const paste = (field: HTMLElement, files: File[], texts: Record<string, string> = {}) =>
  fireEvent.paste(field, { clipboardData: clipboard(files, texts) });

/** attachingApp holds the methods of an app that accepts images and files. */
const attachingApp = {
  AttachImage: (_: string, name: string) => Promise.resolve(imageNamed(name)),
  AttachFile: (_: string, path: string): Promise<Attachment> =>
    Promise.resolve({ kind: "file", name: path.split("/").at(-1) ?? "", path, size: 5 }),
};
const list = () => screen.findByRole("list", { name: "Attachments" });

describe("a pasted image", () => {
  test("is attached, displayed and sent with the message, which needs no text", async () => {
    const { user, field, app, id } = open({ app: attachingApp });
    expect(paste(field, [png()])).toBe(false);
    await within(await list()).findByText("pasted-1.png");
    expect(await list()).toHaveTextContent("84 KB");
    expect(app.of("AttachImage")).toEqual([[id, "pasted-1.png", "AAAAAA=="]]);
    await user.type(field, "{Enter}");
    expect(app.of("Send")).toEqual([[id, "", [imageNamed("pasted-1.png")]]]);
    await waitFor(() => expect(screen.queryByRole("list", { name: "Attachments" })).toBeNull());
  });

  test("can be removed again", async () => {
    const { user, field, app, id } = open({ app: attachingApp });
    paste(field, [png("shot.png")]);
    await user.click(await screen.findByRole("button", { name: "Remove shot.png" }));
    expect(screen.queryByRole("list", { name: "Attachments" })).toBeNull();
    expect(field).toHaveFocus();
    await waitFor(() => expect(app.of("SaveDraft").every(([, , all]) => Array.isArray(all))).toBe(true));
    expect(app.of("Send")).toEqual([]);
    expect(id).not.toBe("");
  });

  test("is sent with a message sent while it loads", async () => {
    let taken = (_: Attachment) => {};
    const { user, field, app, id } = open({
      app: {
        AttachImage: () =>
          new Promise((resolve) => {
            taken = resolve;
          }),
      },
    });
    paste(field, [png("shot.png")]);
    expect(await screen.findByText("Reading shot.png…")).toBeVisible();
    await waitFor(() => expect(app.of("AttachImage")).toHaveLength(1));
    await user.type(field, "See this{Enter}");
    expect(app.of("Send")).toEqual([]);
    taken(imageNamed("shot.png"));
    await waitFor(() => expect(app.of("Send")).toEqual([[id, "See this", [imageNamed("shot.png")]]]));
  });

  test("is dropped in favor of accompanying text, which is pasted", () => {
    const { field, app } = open({ app: attachingApp });
    expect(paste(field, [png()], { "text/plain": "a\tb" })).toBe(true);
    expect(app.of("AttachImage")).toEqual([]);
  });

  test("is refused with a reason if unsupported, too large or not an image", async () => {
    const { field, app } = open({
      app: attachingApp,
      events: (chatId) => [{ connection: { chatId, state: "ready", since: 1, can: { image: false } } }],
    });
    expect(screen.queryByRole("button", { name: "Attach image" })).toBeNull();
    paste(field, [png("a.png")]);
    expect(screen.getByRole("alert")).toHaveTextContent("GitHub Copilot doesn't accept images in this chat.");
    paste(field, [new File(["x"], "a.txt", { type: "text/plain" })]);
    expect(screen.getByRole("alert")).toHaveTextContent(
      "Couldn't attach a.txt: only images can be added this way.",
    );
    expect(app.of("AttachImage")).toEqual([]);
  });

  test("is refused with a reason if too large, one too many or refused by the app", async () => {
    const { field, app } = open({
      app: { AttachImage: () => Promise.reject({ code: "invalid", message: "This isn't an image." }) },
      chat: { draftWith: Array.from({ length: 19 }, (_, at) => imageNamed(`${at}.png`)) },
    });
    const large = png("large.png");
    Object.defineProperty(large, "size", { value: 11 * 1024 * 1024 });
    paste(field, [large]);
    expect(screen.getByRole("alert")).toHaveTextContent(
      "Couldn't attach large.png: it's 12 MB, and the limit for an image is 10 MB.",
    );
    paste(field, [png("a.png"), png("b.png")]);
    expect(screen.getByRole("alert")).toHaveTextContent("You can add up to 20 attachments to a message.");
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("This isn't an image."));
    expect(app.of("AttachImage")).toHaveLength(1);
  });
});

describe("files", () => {
  test("are attached with the system's dialog", async () => {
    const { user, app, id } = open({ app: attachingApp });
    await user.click(screen.getByRole("button", { name: "Attach image" }));
    const { sink } = await import("../../state/store");
    sink.apply([{ picked: { request: String(app.of("PickFile")[0]?.[0]), path: "/tmp/notes.txt" } }]);
    await within(await list()).findByText("notes.txt");
    expect(app.of("AttachFile")).toEqual([[id, "/tmp/notes.txt"]]);
  });

  test("pasted with an address are attached by path", async () => {
    const { field, app, id } = open({ app: attachingApp });
    paste(field, [], { "text/uri-list": "# copied\r\nfile:///tmp/a%20b.txt\r\nhttps://example.org/\r\n" });
    await within(await list()).findByText("a b.txt");
    expect(app.of("AttachFile")).toEqual([[id, "/tmp/a b.txt"]]);
    expect(
      pathsIn("# two\r\nfile:///C:/code/a.txt\nfile://server/share/a.txt\nfile://%\nsmb://nas/a.txt\n"),
    ).toEqual(["C:/code/a.txt", "//server/share/a.txt", "", ""]);
    paste(field, [], {
      "text/uri-list": "file:///tmp/c.txt\nmtp://phone/d.txt",
      "text/plain": "c.txt d.txt",
    });
    await within(await list()).findByText("c.txt");
    expect(app.of("AttachFile").slice(1)).toEqual([[id, "/tmp/c.txt"]]);
    expect(screen.getByRole("alert")).toHaveTextContent("Some items weren't attached");
  });

  test("dropped in the window are attached by path, and as images in a browser", async () => {
    let dropped = (_x: number, _y: number, _paths: string[]) => {};
    window.runtime = {
      EventsOn: () => () => {},
      OnFileDrop: (callback) => {
        dropped = callback;
      },
      OnFileDropOff: vi.fn(),
    };
    const { app, id, unmount } = open({ app: attachingApp });
    const data = { dataTransfer: clipboard([png("shot.png")]) };
    fireEvent.dragOver(window, data);
    expect(screen.getByRole("form", { name: "Composer" })).toHaveClass("is-drop");
    // WebKit takes the focus from the field during a drag.
    const field = screen.getByRole("textbox", { name: "Message" });
    field.blur();
    fireEvent.drop(window, data);
    expect(field).toHaveFocus();
    await waitFor(() => expect(app.of("AttachImage")).toHaveLength(1));
    expect(screen.getByRole("form", { name: "Composer" })).not.toHaveClass("is-drop");

    window.wails = { flags: { enableWailsDragAndDrop: true } };
    field.blur();
    fireEvent.drop(window, data);
    dropped(1, 1, ["/tmp/a.txt", "/tmp/dir/"]);
    expect(field).toHaveFocus();
    await waitFor(() =>
      expect(app.of("AttachFile")).toEqual([
        [id, "/tmp/a.txt"],
        [id, "/tmp/dir/"],
      ]),
    );
    expect(app.of("AttachImage")).toHaveLength(1);

    // A text is dropped while Wails still has the files of an earlier drop.
    fireEvent.drop(window, { dataTransfer: clipboard([], { "text/plain": "words" }) });
    dropped(1, 1, ["/tmp/before.txt"]);
    // This is all that WebKitGTK reveals about dropped files.
    const hidden = { dataTransfer: clipboard([], { "text/uri-list": "", "text/html": "" }) };
    fireEvent.dragOver(window, hidden);
    expect(screen.getByRole("form", { name: "Composer" })).toHaveClass("is-drop");
    fireEvent.drop(window, hidden);
    dropped(1, 1, ["/tmp/b.txt"]);
    await waitFor(() => expect(app.of("AttachFile").slice(2)).toEqual([[id, "/tmp/b.txt"]]));
    expect(screen.queryByRole("alert")).toBeNull();

    // A file that isn't on this computer has no path.
    fireEvent.drop(window, hidden);
    dropped(1, 1, ["/tmp/c.txt", ""]);
    await waitFor(() => expect(app.of("AttachFile").slice(3)).toEqual([[id, "/tmp/c.txt"]]));
    expect(screen.getByRole("alert")).toHaveTextContent("Some items weren't attached");
    unmount();
    expect(window.runtime.OnFileDropOff).toHaveBeenCalled();
    window.wails = undefined;
    window.runtime = undefined;
  });
});

describe("clipboard content hidden from the page", () => {
  test("is requested: an image is attached, and files by path", async () => {
    const copied: Attachment[] = [imageNamed("pasted-1.png")];
    const { field, app, id } = open({
      app: { ...attachingApp, AttachCopied: () => Promise.resolve(copied) },
    });
    expect(paste(field, [])).toBe(true); // there may be text for the field
    await within(await list()).findByText("pasted-1.png");
    copied.splice(0, 1, { kind: "file", name: "b.txt", path: "/tmp/b.txt" });
    expect(paste(field, [], { "text/uri-list": "" })).toBe(false);
    await within(await list()).findByText("b.txt");
    expect(app.of("AttachCopied")).toEqual([
      [id, "pasted-1.png"],
      [id, "pasted-2.png"],
    ]);
    expect(app.of("AttachFile")).toEqual([[id, "/tmp/b.txt"]]);
  });

  test("is attached if it is on this computer, and the rest is reported", async () => {
    const copied: Attachment[] = [
      { kind: "file", name: "a.txt", path: "/tmp/a.txt" },
      { kind: "file", name: "" },
      { kind: "file", name: "b.txt", path: "/tmp/b.txt" },
    ];
    const { field, app, id } = open({
      app: { ...attachingApp, AttachCopied: () => Promise.resolve(copied) },
    });
    paste(field, [], { "text/uri-list": "" });
    await within(await list()).findByText("b.txt");
    expect(screen.getByRole("alert")).toHaveTextContent("Some items weren't attached");
    copied.splice(0, 3, { kind: "file", name: "" });
    paste(field, [], { "text/uri-list": "smb://nas/c.txt" });
    await waitFor(() => expect(app.of("AttachCopied")).toHaveLength(2));
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Some items weren't attached"));
    expect(app.of("AttachFile")).toEqual([
      [id, "/tmp/a.txt"],
      [id, "/tmp/b.txt"],
    ]);
  });

  test("blocks sending until it is read, and the reason for a failure is shown", async () => {
    let failed = (_: unknown) => {};
    const { user, field, app } = open({
      app: {
        AttachCopied: () =>
          new Promise((_, reject) => {
            failed = reject;
          }),
      },
    });
    await user.type(field, "look");
    paste(field, []);
    expect(await screen.findByText("Reading the clipboard…")).toBeVisible();
    await user.type(field, "{Enter}");
    expect(app.of("Send")).toEqual([]);
    failed({ code: "unavailable", message: "Couldn't read the clipboard. Copy the content again." });
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Couldn't read the clipboard"));
    expect(app.of("Send")).toEqual([]);
    expect(field.value).toBe("look");
  });
});

describe("a long text", () => {
  test("is not pasted if too long for a message, and the field is unchanged", () => {
    const { field } = open();
    const fits = paste(field, [], { "text/plain": "x".repeat(5_000_000) });
    expect(fits).toBe(false);
    expect(screen.getByRole("alert")).toHaveTextContent(
      "your message would be 5,000,000 bytes, and the limit is 1,000,000",
    );
    expect(field.value).toBe("");
    expect(paste(field, [], { "text/plain": "short" })).toBe(true);
  });
});
