import { describe, expect, test } from "vitest";
import { mentionPath, mentionsOf } from "../../state/composer";
import { pathParts } from "./marks";
import { highlightsOf, tokenAt } from "./token";

const at = (marked: string) => {
  const caret = marked.indexOf("|");
  return tokenAt(marked.replace("|", ""), caret);
};

describe("the token at the caret", () => {
  test("is a file after an @, wherever that is", () => {
    expect(at("@|")).toEqual({ kind: "file", typed: "", from: 0, to: 1 });
    expect(at("Look at @ref| and go on")).toEqual({ kind: "file", typed: "ref", from: 8, to: 12 });
    expect(at("Look at @re|fresh.go")).toMatchObject({ typed: "re", from: 8, to: 11 });
    expect(at("(@src/a|)")).toMatchObject({ typed: "src/a", from: 1 });
    expect(at("one\n@a|")).toMatchObject({ typed: "a", from: 4 });
  });

  test("is a file after an @ that follows a script without spaces", () => {
    expect(at("看看@src|")).toMatchObject({ kind: "file", typed: "src" });
  });

  test("is an address, not a file, if the @ follows a word", () => {
    expect(at("anna@exam|ple.org")).toBeUndefined();
    expect(at("günther@exam|")).toBeUndefined();
    expect(at("me2@|")).toBeUndefined();
    expect(at("Look at @ref fresh|")).toBeUndefined();
  });

  test("is a command only at the start of the message", () => {
    expect(at("/re|")).toEqual({ kind: "command", typed: "re", from: 0, to: 3 });
    expect(at("/|")).toMatchObject({ kind: "command", typed: "" });
    expect(at("/re|name it")).toMatchObject({ typed: "re", to: 3 });
    expect(at("see /re|")).toBeUndefined();
    expect(at("/review now|")).toBeUndefined();
  });

  test("is found at once in a long text", () => {
    const long = "x".repeat(900_000);
    expect(tokenAt(`${long} @a`, 900_003)).toMatchObject({ typed: "a" });
    expect(tokenAt(`@${long}`, 900_001)).toBeUndefined();
  });
});

describe("a mention", () => {
  test("counts only if the whole path follows the @", () => {
    const places = (text: string, path = "src/a.ts") =>
      mentionsOf(text, path).map(({ from, to }) => [from, to]);
    expect(places("see @src/a.ts")).toEqual([[4, 13]]);
    expect(places("@src/a.ts, @src/a.ts.")).toEqual([
      [0, 9],
      [11, 20],
    ]);
    expect(places("see @src/a.tsx")).toEqual([]);
    expect(places("see @src/a.ts.map")).toEqual([]);
    expect(places("me@src/a.ts")).toEqual([]);
    expect(places("see src/a.ts")).toEqual([]);
    expect(places("see @docs", "docs/")).toEqual([[4, 9]]);
    expect(places("see @docs/ too", "docs/")).toEqual([[4, 10]]);
    expect(places("see @docs/a.md", "docs/")).toEqual([]);
  });

  test("is relative to the folder, with slashes, on every system", () => {
    const mention = { kind: "mention", name: "a.ts" } as const;
    expect(mentionPath({ ...mention, path: "/code/orbit/src/a.ts" }, "/code/orbit/")).toBe("src/a.ts");
    expect(mentionPath({ ...mention, path: "C:\\code\\orbit\\src\\a.ts" }, "C:\\code\\orbit")).toBe(
      "src/a.ts",
    );
    expect(mentionPath({ ...mention, name: "src/", path: "/code/orbit/src" }, "/code/orbit")).toBe("src/");
  });

  test("is colored once, also while typing", () => {
    const text = "see @src/a.ts";
    const one = { kind: "mention", name: "src/a.ts", path: "/code/src/a.ts" } as const;
    expect(highlightsOf(text, undefined, [one], "/code")).toEqual([{ from: 4, to: 13 }]);
    expect(highlightsOf(text, tokenAt(text, 13), [one], "/code")).toHaveLength(1);
    expect(highlightsOf(text, tokenAt(text, 13), [], "/code")).toEqual([{ from: 4, to: 13 }]);
  });
});

test("matches in a path are marked in both folder and name", () => {
  expect(pathParts("src/ab.ts", [0, 4, 5])).toEqual({
    folder: [
      { text: "s", hit: true },
      { text: "rc/", hit: false },
    ],
    name: [
      { text: "ab", hit: true },
      { text: ".ts", hit: false },
    ],
  });
  expect(pathParts("ab", [])).toEqual({ folder: [], name: [{ text: "ab", hit: false }] });
});
