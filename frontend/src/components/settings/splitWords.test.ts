import { describe, expect, test } from "vitest";
import { splitWords } from "./splitWords";

describe("splitWords", () => {
  test.each<[string, string[]]>([
    ["", []],
    ["  copilot   --acp ", ["copilot", "--acp"]],
    ['node "my agent.js" --x=1', ["node", "my agent.js", "--x=1"]],
    ['a \'b "c" d\' ""', ["a", 'b "c" d', ""]],
    ['"say \\"hi\\"" x', ['say "hi"', "x"]],
    ["C:\\Tools\\agent.exe --acp", ["C:\\Tools\\agent.exe", "--acp"]],
    ["my\\ agent --acp", ["my agent", "--acp"]],
  ])("%s", (line, parts) => expect(splitWords(line)).toEqual(parts));
});
