import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openPage, reduce, restart, setBefore } from "./reduce";
import { newState, type State } from "./state";
import { type Sink, Stream } from "./stream";
import { wholeOf } from "./text";
import type { Batch, Event, Snapshot } from "./types";

// A fake app that numbers events, maintains the true state, and lets each test decide the order in which
// batches arrive.
class App {
  run = "r1";
  truth: State = newState();
  log: Event[] = [];
  private listener: (batch: Batch) => void = () => {};
  appCalls = 0;
  hold: Promise<void> | undefined;

  constructor() {
    openPage(this.truth, "c1");
    this.happen({
      chat: {
        id: "c1",
        title: "t",
        folder: "/f",
        providerId: "copilot",
        permissionMode: "ask",
        createdAt: 1,
        updatedAt: 1,
      },
    });
    this.happen({ item: { id: "a", chatId: "c1", pos: 1, kind: "message", createdAt: 1 } });
  }

  happen(...events: Event[]): Batch {
    const first = this.log.length + 1;
    for (const event of events) {
      this.log.push(event);
      reduce(this.truth, event);
    }
    return { run: this.run, first, events };
  }

  say(piece: string): Batch {
    const offset = this.truth.texts.a?.known ?? 0;
    return this.happen({
      text: { itemId: "a", chatId: "c1", offset, text: piece, size: offset + piece.length },
    });
  }

  emit(...batches: Batch[]): void {
    for (const batch of batches) this.listener(structuredClone(batch));
  }

  source = {
    subscribe: (callback: (batch: Batch) => void) => {
      this.listener = callback;
      return () => {
        this.listener = () => {};
      };
    },
    app: async (): Promise<Snapshot> => {
      this.appCalls++;
      return {
        run: this.run,
        seq: this.log.length,
        events: structuredClone(Object.values(this.truth.chats).map((chat) => ({ chat }))),
      };
    },
    chat: async (id: string): Promise<Snapshot> => {
      const text = this.truth.texts.a;
      const snapshot: Snapshot = structuredClone({
        run: this.run,
        seq: this.log.length,
        events: [
          ...Object.values(this.truth.items).map((item) => ({ item })),
          ...(text
            ? [{ text: { itemId: "a", chatId: id, offset: 0, text: wholeOf(text), size: text.size } }]
            : []),
        ],
      });
      await this.hold;
      return snapshot;
    },
    event: async (seq: number): Promise<Event> => structuredClone(this.log[seq - 1] as Event),
  };
}

function window(app: App) {
  const state = newState();
  const sink: Sink = {
    reset(events) {
      restart(state);
      for (const event of events) reduce(state, event);
    },
    apply(events) {
      for (const event of events) reduce(state, event);
    },
    open(chatId, events, before, later) {
      openPage(state, chatId);
      for (const event of events) reduce(state, event);
      setBefore(state, chatId, before);
      for (const event of later) reduce(state, event);
    },
    failed() {},
  };
  const stream = new Stream(app.source, sink);
  return { state, stream };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

async function settle() {
  await vi.advanceTimersByTimeAsync(200);
}

function aRequest(state: "open" | "decided"): Event {
  const ask = { id: "p", chatId: "c1", session: "main", title: "Edit", kind: "edit" as const, createdAt: 1 };
  return { permission: { ...ask, state, options: [] } };
}

async function opened(app: App) {
  const w = window(app);
  w.stream.start();
  w.stream.open("c1");
  await settle();
  return w;
}

describe("events", () => {
  test("that arrive out of order are applied in order", async () => {
    const app = new App();
    const w = await opened(app);
    const batches = ["Hello", ", ", "how ", "are ", "you"].map((p) => app.say(p));
    app.emit(...batches.reverse());
    await settle();
    expect(wholeOf(w.state.texts.a)).toBe("Hello, how are you");
    expect(app.appCalls).toBe(1);
  });

  test("already in the snapshot are not applied again", async () => {
    const app = new App();
    const early = app.say("one ");
    const w = window(app);
    w.stream.start();
    w.stream.open("c1");
    app.emit(early);
    await settle();
    app.emit(early, app.say("two"));
    await settle();
    expect(wholeOf(w.state.texts.a)).toBe("one two");
  });

  test("that arrive while a chat opens are neither lost nor duplicated", async () => {
    const app = new App();
    const w = window(app);
    w.stream.start();
    await settle();
    app.emit(app.say("one "));
    await settle();
    let release = () => {};
    app.hold = new Promise((resolve) => {
      release = resolve;
    });
    app.say("two ");
    const two = { run: app.run, first: app.log.length, events: app.log.slice(-1) };
    w.stream.open("c1");
    app.emit(two, app.say("three"));
    await settle();
    expect(w.state.pages.c1).toBeUndefined();
    release();
    await settle();
    expect(wholeOf(w.state.texts.a)).toBe("one two three");
  });

  test("that arrive while another part of a chat loads are applied to it", async () => {
    const app = new App();
    const w = await opened(app);
    const rows = await app.source.chat("c1");
    let come = () => {};
    const held = new Promise<void>((resolve) => {
      come = resolve;
    });
    const got: string[] = [];
    const read = w.stream.read(
      "c1",
      () => held.then(() => rows),
      (part, later) => {
        got.push(`${part.seq}`, ...later.map((event) => event.text?.text ?? event.permission?.state ?? ""));
      },
    );
    app.emit(app.say("one"), app.happen(aRequest("decided")));
    await settle();
    come();
    await read;
    expect(got).toEqual([`${rows.seq}`, "one", "decided"]);
    app.emit(app.say(" two"));
    await settle();
    expect(got).toHaveLength(3);
    expect(wholeOf(w.state.texts.a)).toBe("one two");
  });

  test("that answer a request while its chat opens are not undone by the snapshot", async () => {
    const app = new App();
    const w = window(app);
    w.stream.start();
    await settle();
    const { chat } = app.source;
    app.source.chat = async (id) => {
      const snapshot = await chat(id);
      return {
        ...snapshot,
        events: [...snapshot.events, aRequest("open")],
      };
    };
    let release = () => {};
    app.hold = new Promise((resolve) => {
      release = resolve;
    });
    w.stream.open("c1");
    app.emit(app.happen(aRequest("decided")));
    await settle();
    release();
    await settle();
    expect(w.state.permissions.p?.state).toBe("decided");
  });

  test("that change a chat's list row are not delayed by the chat's own snapshot", async () => {
    const app = new App();
    const { state, stream } = window(app);
    stream.start();
    await settle();
    // The turn ends between the two snapshots, and its batch arrives last.
    const late = app.happen({
      chat: {
        id: "c1",
        title: "t",
        folder: "/f",
        providerId: "copilot",
        permissionMode: "ask",
        createdAt: 1,
        updatedAt: 2,
        turnState: "done",
      },
    });
    stream.open("c1");
    await settle();
    app.emit(late);
    await settle();
    expect(state.chats.c1?.turnState).toBe("done");
    stream.stop();
  });

  test("too large for a batch are pulled before later ones are applied", async () => {
    const app = new App();
    const w = await opened(app);
    const big = app.say("big ");
    const stand: Batch = { run: app.run, first: big.first, events: [{ pull: { seq: big.first } }] };
    app.emit(app.say("small"), stand);
    await settle();
    expect(wholeOf(w.state.texts.a)).toBe("big small");
  });
});

describe("the stream restarts", () => {
  test("if a gap doesn't close", async () => {
    const app = new App();
    const w = await opened(app);
    app.say("lost ");
    app.emit(app.say("found"));
    await settle();
    expect(w.state.texts.a).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1500);
    expect(wholeOf(w.state.texts.a)).toBe("lost found");
    expect(app.appCalls).toBe(2);
  });

  test("if the app restarted", async () => {
    const app = new App();
    const w = await opened(app);
    app.emit(app.say("before "));
    await settle();
    app.run = "r2";
    app.log = [];
    app.emit(app.say("after"));
    await settle();
    expect(wholeOf(w.state.texts.a)).toBe("before after");
    app.emit(app.say(" more"));
    await settle();
    expect(wholeOf(w.state.texts.a)).toBe("before after more");
  });

  test("if an event can no longer be pulled", async () => {
    const app = new App();
    const w = await opened(app);
    app.source.event = () => Promise.reject(new Error("gone"));
    const big = app.say("big");
    app.emit({ run: app.run, first: big.first, events: [{ pull: { seq: big.first } }] });
    await settle();
    expect(wholeOf(w.state.texts.a)).toBe("big");
  });
});

test("a failed snapshot is requested again", async () => {
  const app = new App();
  const real = app.source.app;
  let refusals = 2;
  app.source.app = () => (refusals-- > 0 ? Promise.reject(new Error("not yet")) : real());
  const w = await opened(app);
  expect(w.state.ready).toBe(false);
  await vi.advanceTimersByTimeAsync(5000);
  expect(w.state.ready).toBe(true);
  expect(w.state.pages.c1?.order).toEqual(["a"]);
});

test("an event of a closed chat changes only its list row", async () => {
  const app = new App();
  const w = await opened(app);
  w.stream.close("c1");
  app.emit(
    app.happen({
      chat: {
        id: "c1",
        title: "new",
        folder: "/f",
        providerId: "copilot",
        permissionMode: "ask",
        createdAt: 1,
        updatedAt: 2,
      },
    }),
  );
  await settle();
  expect(w.state.chats.c1?.title).toBe("new");
});

test("a reload at any of twenty moments of a stream gives the same transcript", async () => {
  for (let moment = 0; moment < 20; moment++) {
    const app = new App();
    let w = await opened(app);
    for (let i = 0; i < 20; i++) {
      if (i === moment) {
        // Events emitted while no page listens are lost, as in a real window.
        w.stream.stop();
        app.emit(app.say("between "));
        w = window(app);
        w.stream.start();
        w.stream.open("c1");
      }
      const [one, two] = [app.say(`${i} `), app.say("and ")];
      app.emit(two, one);
      if (i % 3 === 0) await settle();
    }
    await settle();
    expect(wholeOf(w.state.texts.a)).toBe(wholeOf(app.truth.texts.a));
    expect(app.appCalls).toBe(2);
    w.stream.stop();
  }
});
