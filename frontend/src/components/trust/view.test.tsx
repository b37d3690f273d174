import { screen as page, waitFor } from "@solidjs/testing-library";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { applyEvents } from "../../testing";
import { needsTrust, press, request, reset, sheet, show } from "./testing";

beforeEach(reset);

describe("View", () => {
  test("shows keys and values unchanged, and the file's text", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string) => {
      asked.push(path);
      return Promise.resolve(Response.json({ text: "{ all of it }", size: 900_000, cut: true }));
    });
    const long = "x".repeat(2000);
    show({}, needsTrust(), request({ runs: [{ file: ".mcp.json", key: "mcpServers.icons", value: long }] }));
    const dialog = await sheet();
    expect(dialog).toHaveTextContent("… 1,700 more characters. Choose “View” to see everything.");
    expect(dialog).not.toHaveTextContent(long);
    await press("View .mcp.json");
    expect(await page.findByRole("region", { name: "Text of .mcp.json" })).toHaveTextContent("{ all of it }");
    expect(asked).toEqual(["/data/trust?id=t1&file=.mcp.json"]);
    expect(dialog).toHaveTextContent(`mcpServers.icons${long}`);
    expect(dialog).toHaveTextContent("The first 13 B of 900 KB");
    await press("Hide .mcp.json");
    expect(page.queryByRole("region", { name: "Text of .mcp.json" })).toBeNull();
  });

  test("shows loading and errors, and retries", async () => {
    let answer: (response: Response) => void = () => {};
    vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
    show({}, needsTrust(), request());
    const dialog = await sheet();
    await press("View AGENTS.md");
    expect(dialog).toHaveTextContent("Loading…");
    answer(Response.json({ code: "not_found", message: "The file is gone." }, { status: 404 }));
    expect(await page.findByRole("alert")).toHaveTextContent("The file is gone.");
    await press("Try again");
    answer(Response.json({ text: "Be kind.", size: 8 }));
    expect(await page.findByRole("region", { name: "Text of AGENTS.md" })).toHaveTextContent("Be kind.");
  });

  test("requests no text for links and unreadable files", async () => {
    const fetched = vi.fn(() => Promise.resolve(Response.json({ text: "", size: 0 })));
    vi.stubGlobal("fetch", fetched);
    show(
      {},
      needsTrust(),
      request({
        runs: [
          { file: "out", note: "link", value: "/etc" },
          { file: "shut", note: "unread" },
          { file: "big", note: "large" },
        ],
      }),
    );
    const dialog = await sheet();
    await press("View out");
    await press("View shut");
    expect(dialog).toHaveTextContent(
      "This is a link to a location outside the folder. VoxPilot doesn't follow such links, so there's no text to show.",
    );
    expect(dialog).toHaveTextContent("VoxPilot couldn't read this file.");
    expect(fetched).not.toHaveBeenCalled();
    await press("View big");
    expect(dialog).toHaveTextContent("If you trust the folder, the whole file is trusted.");
    expect(await page.findByText("The file is empty.")).toBeVisible();
  });

  test("stays open if the folder changes, and requests the new text", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string) => {
      asked.push(path);
      return Promise.resolve(Response.json({ text: path, size: 9 }));
    });
    show({}, needsTrust(), request());
    await sheet();
    await press("View .mcp.json");
    await page.findByRole("region", { name: "Text of .mcp.json" });
    applyEvents(request({ chatIds: ["c", "d"] }));
    expect(asked).toHaveLength(1);
    applyEvents(request({ id: "t2" }));
    await waitFor(() => expect(asked.at(-1)).toBe("/data/trust?id=t2&file=.mcp.json"));
    expect(await page.findByText("/data/trust?id=t2&file=.mcp.json")).toBeVisible();
  });
});
