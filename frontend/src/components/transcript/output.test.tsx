// Command output of any size: only part of it is in the DOM, but all of it can be reached.

import { cleanup, fireEvent, render, screen, waitFor, within } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pieceBytes } from "../../state/actions";
import type { Content } from "../../state/types";
import { stubApp, stubBrowser } from "../../testing";
import { ContentView } from "./ContentView";
import { bodyOf } from "./matchReveal";
import { charAt, type Part, partAfter, partAround, partBefore, type Range } from "./parts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** rangesOf returns a Range that reads from `body`. */
const rangesOf =
  (body: Uint8Array): Range =>
  (offset, limit) =>
    Promise.resolve({ bytes: body.slice(offset, offset + limit), size: body.length, version: 1 });

/** lines returns n lines that contain UTF-8 characters of every length. */
const lines = (n: number) => Array.from({ length: n }, (_, at) => `line ${at} ä€😀\n`).join("");

describe("parts of a body", () => {
  const walk = async (body: Uint8Array) => {
    const range = rangesOf(body);
    const down: Part[] = [];
    for (let at = 0; at < body.length; at = down.at(-1)?.to as number)
      down.push((await partAfter(range, at)).part);
    const up: Part[] = [];
    for (let at = body.length; at > 0; at = up[0]?.from as number) up.unshift(await partBefore(range, at));
    return { down, up };
  };

  test.each([
    ["lines", lines(60_000)],
    ["one line of letters of four bytes", "😀".repeat(200_000)],
    ["one line of letters of three bytes", `a${"€".repeat(200_000)}`],
    ["a line longer than a part among others", `${lines(9)}${"ä".repeat(pieceBytes)}\n${lines(9)}`],
  ])("are all of it in both directions, whole letter by whole letter: %s", async (_, text) => {
    const body = encoder.encode(text);
    const { down, up } = await walk(body);
    for (const parts of [down, up]) {
      expect(parts.map((part) => part.text).join("")).toBe(text);
      for (const part of parts) {
        expect(part.to - part.from).toBeLessThanOrEqual(pieceBytes);
        expect(decoder.decode(body.slice(part.from, part.to))).toBe(part.text);
      }
    }
  });

  test("end at line ends if possible", async () => {
    const { down, up } = await walk(encoder.encode(lines(60_000)));
    for (const part of [...down, ...up]) expect(part.text.endsWith("\n")).toBe(true);
  });

  test.each([
    ["lines", lines(60_000)],
    ["one line of letters of four bytes", "😀".repeat(200_000)],
  ])("hold a letter in their middle, with what stands before it: %s", async (_, text) => {
    const body = encoder.encode(text);
    for (const at of [0, 4, 400_000, body.length - 4]) {
      const { part, size } = await partAround(rangesOf(body), at);
      expect(size).toBe(body.length);
      expect(part.from).toBeLessThanOrEqual(Math.max(0, at - 4000));
      expect(part.to).toBeGreaterThan(at);
      expect(decoder.decode(body.slice(part.from, part.to))).toBe(part.text);
    }
  });

  test("map bytes to characters", () => {
    const text = "aä€😀b";
    const bytes = Array.from(encoder.encode(text), (_, at) => charAt(text, at));
    expect(bytes).toEqual([0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 5]);
    expect(charAt(text, 99)).toBe(text.length);
  });

  test("have the maximum size even for non-text", async () => {
    const { down, up } = await walk(new Uint8Array(3 * pieceBytes).fill(0x80));
    expect(Math.max(down.length, up.length)).toBeLessThanOrEqual(4);
  });
});

describe("output", () => {
  const output = () => screen.findByRole("region", { name: "Output of make" });
  const button = (name: string) => screen.findByRole("button", { name });
  let body: Uint8Array;

  const show = (text: string, more: Partial<Content> = {}, live = false) => {
    body = encoder.encode(text);
    const content = (version: number): Content => ({
      id: "k",
      itemId: "i",
      chatId: "c",
      type: "terminal",
      size: body.length,
      version,
      lines: text.split("\n").length - 1,
      ...more,
    });
    const [now, setNow] = createSignal(content(1));
    render(() => (
      <div class="tool-out">
        <ContentView content={now()} folder="/" of="make" live={live} />
      </div>
    ));
    const grow = (rest: string) => {
      body = encoder.encode(new TextDecoder().decode(body) + rest);
      setNow(content(2));
    };
    return { user: userEvent.setup(), grow };
  };

  beforeEach(() => {
    stubBrowser();
    stubApp();
    Element.prototype.scrollTo ??= () => {};
    vi.stubGlobal("fetch", (input: string) => {
      const asked = new URL(input, "http://app").searchParams;
      const [offset, limit] = [Number(asked.get("offset")), Number(asked.get("limit"))];
      return Promise.resolve(
        new Response(body.slice(offset, offset + limit), { headers: { "X-Size": String(body.length) } }),
      );
    });
  });
  afterEach(cleanup);

  test("of up to a megabyte is shown in full, navigable by keyboard", async () => {
    const { user } = show(lines(500));
    expect((await output()).textContent).not.toContain("line 299 ");
    expect(await output()).toHaveTextContent("line 300 ");
    (await button("Show all 500 lines")).focus();
    await user.keyboard("{Enter}");
    await waitFor(async () => expect((await output()).textContent).toBe(lines(500)));
    expect(screen.queryByRole("button")).toBeNull();
    expect(await output()).toHaveFocus();
  });

  test("of a running command shows its last 12 lines live, with the rest reachable", async () => {
    const { user, grow } = show(lines(40), {}, true);
    const shown = async () => (await output()).textContent?.trim().split("\n");
    expect(await shown()).toHaveLength(12);
    expect(screen.getByText("The last 12 lines")).toBeVisible();
    grow("the newest\n");
    await waitFor(async () => expect((await shown())?.at(-1)).toBe("the newest"));
    expect(await shown()).toHaveLength(12);
    await user.click(await button("Show all 40 lines"));
    await waitFor(async () => expect(await shown()).toHaveLength(41));
  });

  test("of more than that claims no total, loads from its end upward and is never fully rendered", async () => {
    const all = lines(100_000);
    const { user } = show(all);
    await output();
    expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
    const seen = new Set<string>();
    const text = async () => (await output()).textContent ?? "";
    const step = async (name: string) => {
      const before = await text();
      await user.click(await button(name));
      await waitFor(async () => expect(await text()).not.toBe(before));
      for (const line of (await text()).split("\n")) seen.add(line);
      expect(encoder.encode(await text()).length).toBeLessThanOrEqual(1_000_000 + pieceBytes);
      expect(all).toContain(await text());
    };
    await step("Show earlier part");
    expect(await text()).toMatch(/line 99999 ä€😀\n$/);
    while (screen.queryByRole("button", { name: "Show earlier part" })) await step("Show earlier part");
    expect(await text()).toMatch(/^line 0 /);
    expect(seen.size).toBe(100_001);
    seen.clear();
    while (screen.queryByRole("button", { name: "Show later part" })) await step("Show later part");
    expect(await text()).toMatch(/line 99999 ä€😀\n$/);
    await step("Show from the beginning");
    expect(await text()).toMatch(/^line 0 /);
    await step("Show the end");
    expect(await text()).toMatch(/line 99999 ä€😀\n$/);
  });

  test("requested repeatedly is loaded each time", async () => {
    show(lines(60_000));
    const earlier = await button("Show earlier part");
    for (let n = 0; n < 3; n++) fireEvent.click(earlier);
    await waitFor(async () =>
      expect(encoder.encode((await output()).textContent ?? "").length).toBeGreaterThan(2.5 * pieceBytes),
    );
  });

  test("being searched is loaded even if an earlier request fails", async () => {
    show(lines(60_000));
    const earlier = await button("Show earlier part");
    const answer = fetch;
    let fails = 2;
    vi.stubGlobal("fetch", (input: string) =>
      fails-- > 0 ? Promise.reject(new TypeError("gone")) : answer(input),
    );
    // The first request runs at once; the next two share one.
    fireEvent.click(earlier);
    fireEvent.click(earlier);
    await bodyOf("k")?.load(0);
    expect(fails).toBeLessThan(0);
    expect((await output()).textContent).toMatch(/^line 0 /);
  });

  test("that grows continues in full view and as its tail", async () => {
    const { user, grow } = show(lines(500));
    await user.click(await button("Show all 500 lines"));
    await waitFor(async () => expect((await output()).textContent).toBe(lines(500)));
    grow("and on\n");
    await waitFor(async () => expect((await output()).textContent).toBe(`${lines(500)}and on\n`));
  });

  test("that was replaced is shown from its end again", async () => {
    const { user, grow } = show(lines(80_000));
    await user.click(await button("Show earlier part"));
    await button("Show from the beginning");
    body = encoder.encode("");
    grow("Nothing left\n");
    await waitFor(async () => expect((await output()).textContent).toBe("Nothing left\n"));
    expect(within(await output()).queryByRole("button")).toBeNull();
  });
});
