// Permission requests and diffs of any size, in a real layout: all content can be read, search matches
// are scrolled into view, and diff lines wrap if they should.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { openGallery } from "./gallery/gallery.mjs";
import { waitFor } from "./harness.mjs";

const gallery = await openGallery();
after(() => gallery.close());

/**
 * on opens the gallery screen with the given name, modified by the properties that `change` returns, and
 * calls `use` with the page. It fails if the page reports a problem.
 */
async function on(name, change, use) {
  const shot = gallery.shots.find((each) => each.name === name);
  const problems = [];
  await gallery.withShot(
    { ...shot, ...change(shot) },
    { colorScheme: "light" },
    (what) => problems.push(what),
    use,
  );
  assert.deepEqual(problems, []);
}

/**
 * counted returns the numbers of rows and characters that a list has in the DOM, its height, and its
 * horizontal overflow.
 */
const counted = (list) =>
  list.evaluate((element) => ({
    rows: element.querySelectorAll(".dl").length,
    letters: element.textContent.length,
    high: element.clientHeight,
    over: element.scrollWidth - element.clientWidth,
  }));

describe("a request", { timeout: 600_000 }, () => {
  test("for three files shows a line of each at once", () =>
    on(
      "02e-permission-files",
      () => ({}),
      async (page) => {
        const seen = await page.locator(".perm .prev").evaluate((prev) => {
          const frame = prev.getBoundingClientRect();
          return [...prev.querySelectorAll(".ask-file")].map((part) => {
            const line = part.querySelector(".dl").getBoundingClientRect();
            const changes = part.querySelector(".dl").matches(".a, .d");
            return changes && line.height > 0 && line.bottom <= frame.bottom + 1;
          });
        });
        assert.deepEqual(seen, [true, true, true]);
        await page.getByRole("button", { name: "Show all 12 lines" }).click();
        const last = page.getByRole("region", { name: "Proposed change to go.mod" });
        await last.getByText("U+202E").waitFor();
      },
    ));

  test("of 100,000 lines scrolls to the last one, rendering few at a time", () =>
    on(
      "02f-permission-long",
      () => ({}),
      async (page) => {
        const list = page.getByRole("region", { name: /^Proposed change to / });
        const there = await counted(list);
        assert.ok(there.rows > 5 && there.rows < 400, `${there.rows} rows are in the page`);
        assert.ok(there.high <= 800 * 0.4, `the list is ${there.high} px high`);
        await page.keyboard.press("Home");
        await list.getByText("code 1 of the table", { exact: true }).waitFor();
      },
    ));

  test("with a 5 MB line scrolls to its end, never rendering all of it", () => {
    const last = "\u202Ethe last word";
    const body = `@@ -0,0 +1 @@\n+${"0123456789".repeat(500_000)}${last}\n`;
    return on(
      "02f-permission-long",
      ({ contents }) => ({
        contents: Object.fromEntries(Object.keys(contents).map((id) => [id, body])),
        act: undefined,
      }),
      async (page) => {
        await page.getByRole("button", { name: /^Show all/ }).click();
        const list = page.getByRole("region", { name: /^Proposed change to / });
        await list.focus();
        await waitFor(async () => {
          await page.keyboard.press("End");
          return (await list.getByText("the last word").count()) > 0;
        }, "the end of the line is rendered");
        assert.equal(await list.getByText("U+202E").count(), 1);
        const there = await counted(list);
        assert.ok(there.letters < 400_000, `${there.letters} letters are in the page`);
        assert.ok(there.over <= 0, `it is ${there.over} px wider than it is seen to be`);
      },
    );
  });
});

describe("the change in a tool row", { timeout: 600_000 }, () => {
  for (const wrapDiff of [true, false]) {
    test(`scrolls to its last line, however many it has, with wrapping ${wrapDiff ? "on" : "off"}`, () => {
      const lines = 100_000;
      const body = Array.from(
        { length: lines },
        (_, n) => `+code ${n + 1} of the table ${"x".repeat(250)}\n`,
      );
      return on(
        "13g-wide-diff",
        (shot) => ({
          app: shot.app.map((event) =>
            event.settings ? { settings: { ...event.settings, wrapDiff } } : event,
          ),
          contents: Object.fromEntries(
            Object.keys(shot.contents).map((id) => [id, `@@ -0,0 +1,${lines} @@\n${body.join("")}`]),
          ),
        }),
        async (page) => {
          await page.getByRole("button", { name: /^Show all \d+ MB$/ }).focus();
          await page.keyboard.press("Enter");
          const diff = page.getByRole("region", { name: /^(Diff of|Change to) / });
          await waitFor(async () => {
            await page.keyboard.press("End");
            return (await diff.getByText(`code ${lines} of the table`).count()) > 0;
          }, "the last line is rendered");
          const there = await counted(diff);
          assert.ok(there.rows > 5 && there.rows < 400, `${there.rows} rows are in the page`);
          assert.ok(there.high <= 800 * 0.6, `the list is ${there.high} px high`);
          assert.equal(there.over > 0, !wrapDiff, `it is ${there.over} px wider than it is seen to be`);
          const around = await diff.evaluate((list) => {
            const out = list.closest(".tool-out");
            return out.scrollHeight - out.clientHeight;
          });
          assert.equal(around, 0, "there is no nested scrolling");
        },
      );
    });
  }
});

describe("a search result", { timeout: 600_000 }, () => {
  const lines = Array.from(
    { length: 100_000 },
    (_, n) => `code ${n + 1} of the table ${"x".repeat(n % 300)}`,
  );
  const bodies = {
    diff: `@@ -0,0 +1,${lines.length} @@\n+${lines.join("\n+")}\n`,
    terminal: `${lines.join("\n")}\n`,
  };
  for (const [type, body] of Object.entries(bodies)) {
    test(`is in view in the middle of a ${type} of ${body.length} bytes`, () => {
      const find = "code 60001 of";
      const change = (shot) => {
        const chats = structuredClone(shot.chats);
        const [events] = Object.values(chats);
        const edit = events.find((event) => event.content).content;
        Object.assign(edit, { type, size: body.length, lines: lines.length });
        const { item } = events.find((event) => event.item?.id === edit.itemId);
        const place = { itemId: item.id, parentId: item.parentId, pos: item.pos, count: 1 };
        return {
          chats,
          act: undefined,
          contents: { [edit.id]: body },
          data: {
            find: { places: [place], total: 1 },
            spot: { contentId: edit.id, offset: body.indexOf(find), nth: 0 },
          },
        };
      };
      return on("13g-wide-diff", change, async (page) => {
        await page.keyboard.press("Control+f");
        await page.getByRole("searchbox", { name: "Find", exact: true }).fill(find);
        await waitFor(
          () =>
            page.evaluate((find) => {
              const [range] = CSS.highlights.get("found-now") ?? [];
              if (range?.toString() !== find) return false;
              const box = range.getBoundingClientRect();
              const frames = [".tool-out", ".scroll-frame > .scroll"].map((each) =>
                document.querySelector(each).getBoundingClientRect(),
              );
              return frames.every((frame) => box.top >= frame.top && box.bottom <= frame.bottom);
            }, find),
          "the match is in view",
        );
        const letters = await page.locator(".tool-out").evaluate((out) => out.textContent.length);
        assert.ok(letters < 500_000, `${letters} letters are in the page`);
      });
    });
  }
});

describe("a long line", { timeout: 600_000 }, () => {
  /**
   * lineOf measures a diff with a long line: the number of lines that the long line occupies, and its
   * horizontal overflow.
   */
  const lineOf = (page) =>
    page.getByRole("region", { name: /^(Diff of|Change to) / }).evaluate((diff) => {
      const line = [...diff.querySelectorAll(".dl")].at(1);
      const code = line.querySelector(".c");
      diff.scrollLeft = 1e6;
      return {
        lines: Math.round(line.offsetHeight / Number.parseFloat(getComputedStyle(diff).lineHeight)),
        end: code.getBoundingClientRect().right - diff.getBoundingClientRect().right,
        over: diff.scrollWidth - diff.clientWidth,
        same: new Set([...diff.querySelectorAll(".dl")].map((each) => each.offsetWidth)).size,
      };
    });
  const set = (wrapDiff) => (shot) => ({
    app: shot.app.map((event) => (event.settings ? { settings: { ...event.settings, wrapDiff } } : event)),
  });

  test("in a tool row wraps if that is set", () =>
    on("13g-wide-diff", set(true), async (page) => {
      const line = await lineOf(page);
      assert.ok(line.lines > 2, `it takes ${line.lines} lines`);
      assert.equal(line.over, 0);
    }));

  test("in a tool row is one line that scrolls to its end if wrapping is off", () =>
    on("13g-wide-diff", set(false), async (page) => {
      const line = await lineOf(page);
      assert.equal(line.lines, 1);
      assert.ok(line.over > 300, `it can be scrolled ${line.over} px`);
      assert.ok(line.end <= 1, `its end is ${line.end} px away`);
      assert.equal(line.same, 1, "the rows are of one width");
    }));

  for (const wrapDiff of [true, false]) {
    test(`in a request always wraps, even with the setting ${wrapDiff ? "on" : "off"}`, () => {
      const body = `@@ -0,0 +1 @@\n+${"word ".repeat(200)}\n`;
      return on(
        "02f-permission-long",
        (shot) => ({
          ...set(wrapDiff)(shot),
          contents: Object.fromEntries(Object.keys(shot.contents).map((id) => [id, body])),
          act: undefined,
        }),
        async (page) => {
          const list = page.getByRole("region", { name: /^Proposed change to / });
          const there = await counted(list);
          assert.ok(there.high > 36 && there.over <= 0, JSON.stringify(there));
        },
      );
    });
  }
});
