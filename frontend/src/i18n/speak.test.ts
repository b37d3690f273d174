import { afterEach, describe, expect, test, vi } from "vitest";
import { asAppError } from "../bridge";
import { said as german } from "./de/said";
import { type Said, said } from "./said";
import { learnToSpeak, speakerOf, spokenOf, tongues } from "./speak";
import { said as chinese } from "./zh/said";

const speak = speakerOf(german, tongues.de);
const marks = (text: string) => (text.match(/\{(?:\d+|n)\}/g) ?? []).sort();
/** A sentence with something in each place that varies. */
const filled = (text: string) => text.replace("{n}", "12").replace(/\{(\d)\}/g, (_, n) => `x${n}/y.go`);

/** What is spoken, and how many letters were held against the templates for it. */
function counting(text: string): [words: string, letters: number] {
  const startsWith = String.prototype.startsWith;
  let letters = 0;
  const held = vi.spyOn(String.prototype, "startsWith").mockImplementation(function (this: string, ...of) {
    letters += this.length;
    return startsWith.apply(this, of);
  });
  const words = speakerOf(german, tongues.de)(text);
  held.mockRestore();
  return [words, letters / said.filter((english) => marks(english).length > 0).length];
}

describe.each([
  ["German", german, speak],
  ["Simplified Chinese", chinese, speakerOf(chinese, tongues.zh)],
] as const)("in %s", (_, words, speaks) => {
  test("everything that Go says is said, with all that varies", () => {
    expect(said.length).toBeGreaterThan(400);
    for (const english of said) {
      expect(words[english], english).toMatch(/\S/);
      expect(words[english], english).not.toBe(english);
      expect(marks(words[english]), english).toEqual(marks(english));
    }
    expect(Object.keys(words)).toHaveLength(said.length);
  });

  test("each sentence is taken for itself", () => {
    // Of two that differ in nothing but what varies, the one with more words is meant.
    for (const english of said) {
      const spoken = speaks(filled(english));
      expect(spoken, english).not.toBe(filled(english));
      if (marks(english).length === 0) expect(spoken).toBe(words[english]);
    }
  });
});

describe("what Go says", () => {
  test("carries over what varies, in the order of the language", () => {
    expect(
      speak("The program qwen of Qwen Code was not found. Install it, or correct its command in Settings."),
    ).toBe(
      "Das Programm qwen von Qwen Code wurde nicht gefunden. Installiere es, oder berichtige seinen Befehl in den Einstellungen.",
    );
    expect(speak("Running go test ./...")).toBe("Führt go test ./... aus");
  });

  test("says why a file or a program cannot be used in one language", () => {
    expect(speak("The disk is full: a/b.go could not be written. It is as it was.")).toBe(
      "Der Datenträger ist voll: a/b.go ließ sich nicht schreiben. Alles darin blieb, wie es war.",
    );
    expect(
      speak(
        "The path of the Copilot CLI in the settings is /opt/x. There is no such file. Correct it, or clear it to have the CLI looked for.",
      ),
    ).toBe(
      "Der Pfad der Copilot CLI in den Einstellungen ist /opt/x. Diese Datei gibt es nicht. Berichtige ihn, oder leere das Feld, damit die CLI gesucht wird.",
    );
  });

  test("says what tools found, with numbers as the language writes them", () => {
    const inChinese = speakerOf(chinese, tongues.zh);
    expect(speak("1 line")).toBe("1 Zeile");
    expect(speak("12,345 lines")).toBe("12.345 Zeilen");
    expect(speak("more than 2,000 matches")).toBe("mehr als 2.000 Treffer");
    expect(speak("lines 30 to 88")).toBe("Zeilen 30 bis 88");
    expect(speak("no matches")).toBe("keine Treffer");
    expect(speak("18 KB")).toBe("18 KB");
    expect(speak("3 files, +12 −4")).toBe("3 Dateien, +12 −4");
    expect(inChinese("12,345 lines")).toBe("12,345 行");
    expect(inChinese("3 files, +12 −4")).toBe("3 个文件、+12 −4");
    for (const text of ["my files", "many lines", "The page has 3 lines"]) expect(speak(text)).toBe(text);
  });

  test("says why a tool failed", () => {
    expect(speak("src is a folder. list_directory shows what is in it.")).toBe(
      "src ist ein Ordner. Was darin ist, zeigt list_directory.",
    );
    expect(
      speak(
        "The user did not allow it: Read ~/notes.txt. Do not ask for this file again unless the user tells you to.",
      ),
    ).toBe("Nicht erlaubt: ~/notes.txt lesen.");
    expect(speakerOf(chinese, tongues.zh)("main.go has 12 lines, so there is no line 99.")).toBe(
      "main.go 有 12 行，没有第 99 行。",
    );
  });

  test("says what is put together of parts, in one language", () => {
    expect(speak("Copilot 1.0.102 can load sessions, take images; it cannot fork sessions, take audio")).toBe(
      "Copilot 1.0.102 kann: Sitzungen laden, Bilder annehmen; nicht: Sitzungen abzweigen, Audio annehmen",
    );
    expect(speak("github.com, by a token, kept in the keychain: GitHub knows it, asked 14:02 UTC")).toBe(
      "github.com, durch ein Token, im Schlüsselbund: GitHub kennt sie, gefragt 14:02 UTC",
    );
    expect(speak("VoxPilot could not read its data. The disk is full: free some space.")).toBe(
      "VoxPilot konnte seine Daten nicht lesen. Der Datenträger ist voll: Schaffe Platz.",
    );
    expect(
      speak("Copilot ended as soon as it was started (it was ended by SIGKILL). It is started again."),
    ).toMatch(/beendet durch SIGKILL/);
    expect(speak("~/x/voxpilot.db: The disk is full: free some space.")).toBe(
      "~/x/voxpilot.db: Der Datenträger ist voll: Schaffe Platz.",
    );
    expect(speak("the system's keychain cannot be used: no such service")).toBe(
      "der Schlüsselbund des Systems lässt sich nicht verwenden: no such service",
    );
    expect(speak("12.3 GB are free on the disk of ~/Library/Application Support/VoxPilot")).toBe(
      "12,3 GB sind frei auf dem Datenträger von ~/Library/Application Support/VoxPilot",
    );
    expect(speak("shot.png is 12.3 MB large. An image can have 10 MB.")).toBe(
      "shot.png ist 12,3 MB groß. Ein Bild kann 10 MB haben.",
    );
    // A version is no measure, and Chinese writes both with a point.
    expect(
      speak(
        "Copilot CLI 1.0 is too old: VoxPilot needs 1.2 or newer. Update it with `copilot update` or `npm install -g @github/copilot@1.0.102`.",
      ),
    ).toMatch(/ 1\.0 .* 1\.2 /);
    expect(speakerOf(chinese, tongues.zh)("12.3 GB are free on the disk of ~/x")).toMatch(/12\.3 GB/);
    // What is nobody's words stays whole.
    for (const text of ["This is fine. Nobody says this.", "look at the thing", "gh at my own place"])
      expect(speak(text)).toBe(text);
  });

  test("is said as a whole where one sentence is part of another", () => {
    expect(
      speak(
        "The chat could not be deleted. The database cannot be written; nothing that was saved before is lost.",
      ),
    ).toBe(
      `${german["The chat could not be deleted."]} Die Datenbank kann nicht geschrieben werden; nichts, was vorher gespeichert wurde, ist verloren.`,
    );
    expect(speak("The session was not renamed, because nothing was said in it yet.")).toBe(
      "Die Sitzung wurde nicht umbenannt, weil darin noch nichts gesagt wurde.",
    );
  });

  test("is said sentence by sentence where only its sentences are known", () => {
    expect(speak("Write a message first. Choose a folder first.")).toBe(
      "Schreibe zuerst eine Nachricht. Wähle zuerst einen Ordner.",
    );
  });

  test("stays as it is where a part of it is not known", () => {
    for (const text of [
      "",
      "Nobody says this.",
      "Write a message first. Nobody says this.",
      "Something unheard of happened, because nothing was said in it yet.",
      "x".repeat(5000),
    ]) {
      expect(speak(text)).toBe(text);
    }
  });

  test("comes to an end, whatever it is", () => {
    const hostile = `${"The ".repeat(300)}${". A".repeat(250)}`;
    for (let n = 0; n < 50; n++) expect(speak(`${hostile}${n}`)).toBe(`${hostile}${n}`);
  });

  // Where what came of a part is not kept, each of these takes more than there are letters for.
  test.each([
    [
      "behind a colon",
      `openrouter.ai did not take the request: ${"This is x. ".repeat(18)}Nobody says this.`,
      15_000,
    ],
    [
      "after a comma",
      `x${", because Copilot did not answer. Try again in a moment.".repeat(28)} Nobody says this.`,
      80_000,
    ],
  ])("goes through each of its parts once, however they are nested: %s", (_, hostile, most) => {
    const [words, letters] = counting(hostile);
    expect(words).toBe(hostile);
    expect(letters).toBeGreaterThan(hostile.length);
    expect(letters).toBeLessThanOrEqual(most);
  });

  test("is said however deep it is nested", () => {
    expect(speak(`a${", by b".repeat(330)}`)).toBe(`a${", durch b".repeat(330)}`);
  });

  test("stays as it is where saying it takes too much", () => {
    const hostile = `a${", by b. A".repeat(220)}`;
    const [words, letters] = counting(hostile);
    expect(words).toBe(hostile);
    expect(letters).toBeGreaterThan(300_000);
    expect(letters).toBeLessThanOrEqual(400_000);
  });

  test("is said to its end where it is a long list of sentences", () => {
    const all = said.filter((english) => /^[A-Z][^{.]*\.$/.test(english));
    for (let from = 0; from + 24 <= all.length; from += 12) {
      const sentences = all.slice(from, from + 24);
      const told = sentences.join(" ");
      expect(told.length).toBeGreaterThan(500);
      expect(speak(told)).toBe(sentences.map((english) => german[english]).join(" "));
    }
  });

  test("has nothing in it that a name of an object's own would be taken for", () => {
    const empty = speakerOf({} as Record<Said, string>, tongues.de);
    expect(empty("constructor")).toBe("constructor");
  });
});

describe("what comes in", () => {
  afterEach(() => learnToSpeak("en"));

  test("is in English where the window is", async () => {
    await learnToSpeak("en");
    expect(asAppError({ code: "invalid", message: "Write a message first." }).message).toBe(
      "Write a message first.",
    );
  });

  test("is spoken: errors, and what events and answers have for a person; and nothing else", async () => {
    await learnToSpeak("zh");
    expect(asAppError({ code: "invalid", message: "Write a message first." }).message).toBe(
      "请先写一条消息。",
    );
    const batch = {
      run: "r",
      first: 1,
      events: [
        {
          connection: { chatId: "c", state: "failed", since: 1, message: "The agent cannot load sessions." },
        },
        { chat: { id: "c", title: "The agent needs a name.", detail: "Reading go.mod" } },
        { text: { itemId: "i", chatId: "c", offset: 0, size: 24, text: "The agent needs a name." } },
        {
          turn: {
            id: "t",
            error: { code: "agent", message: "The answer was stopped.", detail: "Reading go.mod" },
          },
        },
        { item: { id: "i", banner: { kind: "continued", detail: "Reading the log" } } },
        { item: { id: "j", banner: { kind: "agent_error", detail: "The agent cannot load sessions." } } },
        { desktop: { notifications: "This build of VoxPilot shows no notifications." } },
      ],
    };
    expect(spokenOf(batch).events).toEqual([
      { connection: { chatId: "c", state: "failed", since: 1, message: "该代理无法加载会话。" } },
      { chat: { id: "c", title: "The agent needs a name.", detail: "正在读取 go.mod" } },
      { text: { itemId: "i", chatId: "c", offset: 0, size: 24, text: "The agent needs a name." } },
      { turn: { id: "t", error: { code: "agent", message: "回答已停止。", detail: "Reading go.mod" } } },
      { item: { id: "i", banner: { kind: "continued", detail: "Reading the log" } } },
      { item: { id: "j", banner: { kind: "agent_error", detail: "该代理无法加载会话。" } } },
      { desktop: { notifications: chinese["This build of VoxPilot shows no notifications."] } },
    ]);
  });
});
