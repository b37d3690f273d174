import { afterEach, describe, expect, test } from "vitest";
import { toAppError } from "../bridge";
import { loadTranslations, translateEvent } from "./translate";

afterEach(() => loadTranslations("en"));

type Arg = string | number | { text: string; key: string; args?: Arg[] };

/** message returns a message as sent by Go. */
const message = (key: string, ...args: Arg[]) => ({ text: `in English: ${key}`, key, args });
const disk = message("The disk is full. Free up some space.");

describe("a message", () => {
  test.each<[string, ReturnType<typeof message>, string, string]>([
    ["is a sentence", message("Choose a folder first."), "Wähle zuerst einen Ordner.", "请先选择文件夹。"],
    [
      "has its arguments",
      message("Running %s", "go test ./..."),
      "Führt go test ./... aus",
      "正在运行 go test ./...",
    ],
    ["counts", message("%d lines", 12345), "12.345 Zeilen", "12,345 行"],
    [
      "keeps the digits of a text",
      message("The session %q is the one you're in. Choose another name for the task.", "1,000.5 MB"),
      "Die Sitzung „1,000.5 MB“ ist die laufende. Die Aufgabe braucht einen anderen Namen.",
      "会话“1,000.5 MB”就是当前的会话。请为任务选择另一个名称。",
    ],
    ["measures", message("%.1f %s", 12, "GB"), "12,0 GB", "12.0 GB"],
    [
      "contains other messages",
      message("%s. %s", message("VoxPilot couldn't read its data"), disk),
      "VoxPilot konnte seine Daten nicht lesen. Der Datenträger ist voll. Gib etwas Speicherplatz frei.",
      "VoxPilot 无法读取其数据。磁盘已满。请释放一些空间。",
    ],
    [
      "follows a path",
      message("%s: %s", "~/x.db", disk),
      "~/x.db: Der Datenträger ist voll. Gib etwas Speicherplatz frei.",
      "~/x.db：磁盘已满。请释放一些空间。",
    ],
    [
      "is a list",
      message("%s, %s", message("accept images"), message("accept audio")),
      "Bilder annehmen, Audio annehmen",
      "接收图片、接收音频",
    ],
  ])("%s", async (_, message, german, chinese) => {
    expect(translateEvent(message)).toBe(message.text);
    await loadTranslations("de");
    expect(translateEvent(message)).toBe(german);
    await loadTranslations("zh");
    expect(translateEvent(message)).toBe(chinese);
  });

  test("names an agent other than Copilot", async () => {
    const stopped = {
      ...message("Copilot was stopped. Send a message to start it again."),
      about: "Tea $& Maker",
    };
    await loadTranslations("de");
    expect(translateEvent(stopped)).toBe(
      "Tea $& Maker wurde gestoppt. Sende eine Nachricht, um Tea $& Maker wieder zu starten.",
    );
  });

  test("inserts placeholder-like text literally", async () => {
    await loadTranslations("de");
    expect(translateEvent(message("%s: %s", "{1}", "$1"))).toBe("{1}: $1");
  });

  test.each(["A sentence of a later VoxPilot.", "constructor"])(
    "without a translation is in English: %s",
    async (key) => {
      await loadTranslations("de");
      expect(translateEvent(message(key))).toBe(`in English: ${key}`);
    },
  );
});

describe("incoming data", () => {
  test("has a text for each message, however deeply nested", async () => {
    await loadTranslations("zh");
    const stopped = message("The answer was stopped.");
    const batch = {
      events: [
        { chat: { id: "c", title: "Enter a name for the agent.", detail: message("Reading %s", "go.mod") } },
        { turn: { id: "t", error: { code: "agent", message: stopped, detail: "The answer was stopped." } } },
        { connection: { chatId: "c", message: "The answer was stopped.", can: null } },
      ],
    };
    expect(translateEvent(batch).events).toEqual([
      { chat: { id: "c", title: "Enter a name for the agent.", detail: "正在读取 go.mod" } },
      {
        turn: {
          id: "t",
          error: { code: "agent", message: "回答已停止。", detail: "The answer was stopped." },
        },
      },
      { connection: { chatId: "c", message: "The answer was stopped.", can: null } },
    ]);
  });

  test("has errors in the window's language", async () => {
    const refused = {
      code: "invalid",
      message: { ...message("Enter a message first."), text: "Enter a message first." },
    };
    expect(toAppError(refused).message).toBe("Enter a message first.");
    await loadTranslations("zh");
    expect(toAppError(JSON.stringify(refused)).message).toBe("请先输入一条消息。");
    expect(toAppError({ code: "invalid", message: "Enter a message first." }).message).toBe(
      "Enter a message first.",
    );
  });
});
