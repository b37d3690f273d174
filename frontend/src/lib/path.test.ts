import { describe, expect, test } from "vitest";
import { folderName, parentFolder, pathParts, shortPath, tilde } from "./path";

describe("paths", () => {
  test("abbreviate the home directory as ~", () => {
    expect(tilde("/home/ada/code/x")).toBe("~/code/x");
    expect(tilde("/Users/ada")).toBe("~");
    expect(tilde("C:\\Users\\Ada\\x")).toBe("~\\x");
    expect(tilde("/homework/x")).toBe("/homework/x");
  });

  test("split a folder into name and parent", () => {
    expect(folderName("/home/ada/code/")).toBe("code");
    expect(parentFolder("/home/ada/code")).toBe("~");
    expect(parentFolder("/srv")).toBe("/");
  });

  test("are split before the name of the folder", () => {
    expect(pathParts("/home/ada/code/orbit api")).toEqual(["~/code", "/orbit api"]);
    expect(pathParts("C:\\Users\\Ada\\code\\x\\")).toEqual(["~\\code", "\\x\\"]);
    expect(pathParts("/home/ada")).toEqual(["", "~"]);
    expect(pathParts("/srv")).toEqual(["", "/srv"]);
  });

  test("shorten long ones from the start, never the name", () => {
    expect(shortPath("/usr/bin/copilot", 20)).toBe("/usr/bin/copilot");
    expect(shortPath("/opt/a/very/long/way/to/bin/copilot", 20)).toBe("…/way/to/bin/copilot");
    expect(shortPath("C:\\Program Files\\long\\way\\copilot.exe", 18)).toBe("…\\way\\copilot.exe");
    expect(shortPath("/a/name-that-is-longer-than-all-of-it", 10)).toBe(
      "…/name-that-is-longer-than-all-of-it",
    );
  });
});
