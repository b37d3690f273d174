import { describe, expect, test } from "vitest";
import { english } from "./english";
import { languageFor, languages } from "./locale";

/** leaves returns the strings and functions of a catalog, with their paths. */
function leaves(of: unknown, path = ""): [string, unknown][] {
  if (typeof of !== "object" || of === null) return [[path, of]];
  return Object.entries(of).flatMap(([key, value]) => leaves(value, path ? `${path}.${key}` : key));
}

describe("the language of the window", () => {
  test("is the chosen one", () => {
    expect(languageFor("de", ["zh-CN", "en"])).toBe("de");
  });

  test("is otherwise the user's first supported one", () => {
    expect(languageFor("", ["fr-FR", "zh-TW", "en-US"])).toBe("zh");
    expect(languageFor("xx", ["constructor", "DE-at"])).toBe("de");
  });

  test("is otherwise English", () => {
    expect(languageFor("", ["fr"])).toBe("en");
    expect(languageFor("", [])).toBe("en");
  });
});

describe.each(languages)("$name", ({ id }) => {
  const words = async () =>
    ({
      en: english,
      de: (await import("./de")).german,
      zh: (await import("./zh")).chinese,
    })[id];

  test("joins whole sentences without the empty ones", async () => {
    const parts = id === "zh" ? ["甲。", "", "乙。"] : ["One.", "", "Two."];
    expect((await words()).common.sentences(...parts)).toBe(id === "zh" ? "甲。乙。" : "One. Two.");
  });

  test("has every message that English has", async () => {
    const said = new Map(leaves(await words()));
    for (const [path, word] of leaves(english)) {
      expect(typeof said.get(path), path).toBe(typeof word);
      if (typeof word === "string" && word !== "") expect(said.get(path), path).not.toBe("");
    }
  });
});
