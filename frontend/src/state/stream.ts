// The stream brings events from the app into the store, each exactly once and
// in order of its number:
//
//   - it subscribes first, then asks for a snapshot, and drops what the
//     snapshot has already told;
//   - batches that arrive out of order wait for the ones before them; a gap
//     that does not close, or a new run of the app, begins afresh;
//   - an event that was too large for a batch is pulled before later ones are
//     applied;
//   - a chat that is opened while events flow gets its own snapshot, and the
//     events that came meanwhile are applied after it; so does every other part
//     of its transcript.
//
// It knows neither Wails nor Solid: both are handed to it.

import { type Batch, type Event, kinds, type Snapshot } from "./types";

/** What the stream needs from the outside. */
export interface Source {
  subscribe(callback: (batch: Batch) => void): () => void;
  app(): Promise<Snapshot>;
  chat(id: string): Promise<Snapshot>;
  event(seq: number): Promise<Event>;
}

/** Where the stream puts what it has brought in order. */
export interface Sink {
  /** Everything known so far is void; events are all that is true now. */
  reset(events: Event[]): void;
  /** events happened, in this order. */
  apply(events: Event[]): void;
  /** The transcript of a chat is what events say, and then what later events say. */
  open(chatId: string, events: Event[], before: number, later: Event[]): void;
  /** The snapshot of a chat, or of the app where chatId is "", could not be had. */
  failed(chatId: string, thrown: unknown): void;
}

/** How long a gap between batches may last before the stream begins afresh. */
const gapMillis = 1000;
/** How often a snapshot is asked for again, at most. */
const retryMillis = 2000;
/** Frames do not come to a hidden window, so a timer follows each. */
const flushMillis = 40;

interface Numbered {
  seq: number;
  event: Event;
}

/** later are the events that came after a number. */
function later(held: Numbered[], seq: number): Event[] {
  return held.filter((n) => n.seq > seq).map((n) => n.event);
}

/** chatOf is the chat an event is about, "" where it is about none. */
function chatOf(event: Event): string {
  for (const [name, value] of Object.entries(event)) {
    const { chat } = kinds[name as keyof Event];
    if (chat) return (value as Record<string, string>)[chat] ?? "";
  }
  return "";
}

/**
 * isOfApp says whether an event is told by the snapshot of the app and not by that
 * of a chat: the chat's own must not hold it back.
 */
function isOfApp(event: Event): boolean {
  return Object.keys(event).every((name) => !kinds[name as keyof Event].transcript);
}

export class Stream {
  private run = "";
  /** The number of the last event that was applied. */
  private seq = 0;
  private ready = false;
  private waiting = new Map<number, Batch>();
  private gap: ReturnType<typeof setTimeout> | undefined;
  private flushing = false;
  private scheduled = false;
  /** Chats that are open, with the number their snapshot was true at. */
  private cuts = new Map<string, number>();
  /** Events of chats whose snapshot is on its way. */
  private opening = new Map<string, Numbered[]>();
  /** Events of chats of which another part is on its way. */
  private reading = new Map<Numbered[], string>();
  /** Grows with each fresh start: answers to older questions are ignored. */
  private age = 0;
  private stopped = false;
  private unsubscribe: () => void = () => {};

  constructor(
    private readonly source: Source,
    private readonly sink: Sink,
  ) {}

  /** start subscribes and brings the first snapshot. */
  start(): void {
    this.unsubscribe = this.source.subscribe((batch) => this.take(batch));
    void this.begin();
  }

  /** stop ends it; nothing is applied afterwards. */
  stop(): void {
    this.stopped = true;
    this.age++;
    clearTimeout(this.gap);
    this.unsubscribe();
  }

  /** open brings a chat's transcript; it is kept up to date until close. */
  open(chatId: string): void {
    if (this.cuts.has(chatId) || this.opening.has(chatId)) return;
    this.opening.set(chatId, []);
    if (this.ready) void this.fetchChat(chatId, this.age);
  }

  /** close stops keeping a chat's transcript up to date. */
  close(chatId: string): void {
    this.cuts.delete(chatId);
    this.opening.delete(chatId);
  }

  /** isOpen says whether a chat's transcript is here or on its way. */
  isOpen(chatId: string): boolean {
    return this.cuts.has(chatId) || this.opening.has(chatId);
  }

  /**
   * read asks for another part of an open chat, and hands it on at once with what
   * has happened since it was read: rows may be older than what was applied.
   */
  async read(
    chatId: string,
    ask: () => Promise<Snapshot>,
    apply: (part: Snapshot, later: Event[]) => void,
  ): Promise<void> {
    const age = this.age;
    const held: Numbered[] = [];
    this.reading.set(held, chatId);
    try {
      const part = await ask();
      if (age !== this.age) return;
      if (this.ready && part.run !== this.run) {
        void this.begin();
        return;
      }
      apply(part, later(held, part.seq));
    } finally {
      this.reading.delete(held);
    }
  }

  private async begin(): Promise<void> {
    const age = ++this.age;
    this.ready = false;
    clearTimeout(this.gap);
    this.gap = undefined;
    const chats = [...this.cuts.keys(), ...this.opening.keys()];
    this.cuts.clear();
    this.opening.clear();
    for (const chat of chats) this.opening.set(chat, []);
    let snapshot: Snapshot;
    try {
      snapshot = await this.source.app();
    } catch (thrown) {
      if (age !== this.age) return;
      this.sink.failed("", thrown);
      setTimeout(() => {
        if (age === this.age && !this.stopped) void this.begin();
      }, retryMillis);
      return;
    }
    if (age !== this.age) return;
    this.run = snapshot.run;
    this.seq = snapshot.seq;
    this.ready = true;
    for (const [first, batch] of this.waiting) {
      if (batch.run !== this.run) this.waiting.delete(first);
    }
    this.sink.reset(snapshot.events);
    for (const chat of this.opening.keys()) void this.fetchChat(chat, age);
    this.schedule();
  }

  private async fetchChat(chatId: string, age: number): Promise<void> {
    let snapshot: Snapshot;
    try {
      snapshot = await this.source.chat(chatId);
    } catch (thrown) {
      if (age !== this.age || !this.opening.has(chatId)) return;
      this.opening.delete(chatId);
      this.sink.failed(chatId, thrown);
      return;
    }
    const held = this.opening.get(chatId);
    if (age !== this.age || !held) return;
    if (snapshot.run !== this.run) {
      void this.begin();
      return;
    }
    this.opening.delete(chatId);
    this.cuts.set(chatId, snapshot.seq);
    this.sink.open(chatId, snapshot.events, snapshot.before ?? 0, later(held, snapshot.seq));
  }

  private take(batch: Batch): void {
    if (this.stopped) return;
    if (this.ready && batch.run !== this.run) {
      this.waiting.clear();
      this.waiting.set(batch.first, batch);
      void this.begin();
      return;
    }
    const known = this.waiting.get(batch.first);
    if (!known || known.events.length < batch.events.length) this.waiting.set(batch.first, batch);
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || !this.ready) return;
    this.scheduled = true;
    let done = false;
    const go = () => {
      if (done) return;
      done = true;
      this.scheduled = false;
      void this.flush();
    };
    setTimeout(go, flushMillis);
    if (typeof requestAnimationFrame === "function") requestAnimationFrame(go);
  }

  /** flush applies every event whose turn it is. */
  private async flush(): Promise<void> {
    if (this.flushing || !this.ready) return;
    this.flushing = true;
    const age = this.age;
    try {
      for (;;) {
        const due: Event[] = [];
        const pull = this.collect(due);
        if (due.length > 0) this.sink.apply(due);
        if (pull === undefined) break;
        const event = await this.source.event(pull);
        if (age !== this.age) return;
        this.seq = pull;
        const passed = this.pass({ seq: pull, event });
        if (passed) this.sink.apply([passed]);
      }
    } catch {
      // The event cannot be had any more: a snapshot tells what it told.
      if (age === this.age) void this.begin();
    } finally {
      this.flushing = false;
      if (age !== this.age) this.schedule();
    }
    if (age === this.age && this.ready) this.watchGap();
  }

  /**
   * collect takes the events that come next into due, and returns the number
   * of the one that is to be pulled where it meets one.
   */
  private collect(due: Event[]): number | undefined {
    for (;;) {
      const batch = this.next();
      if (!batch) return undefined;
      const from = this.seq + 1 - batch.first;
      for (let i = from; i < batch.events.length; i++) {
        const event = batch.events[i] as Event;
        if (event.pull) return batch.first + i;
        this.seq = batch.first + i;
        const passed = this.pass({ seq: this.seq, event });
        if (passed) due.push(passed);
      }
      this.waiting.delete(batch.first);
    }
  }

  /** next is a batch that holds the event after the last one; older ones go. */
  private next(): Batch | undefined {
    const direct = this.waiting.get(this.seq + 1);
    if (direct) return direct;
    for (const [first, batch] of this.waiting) {
      if (first + batch.events.length - 1 <= this.seq) this.waiting.delete(first);
      else if (first <= this.seq + 1) return batch;
    }
    return undefined;
  }

  /** pass holds back what a chat's snapshot has told or is about to tell. */
  private pass(numbered: Numbered): Event | undefined {
    const chat = chatOf(numbered.event);
    if (chat === "") return numbered.event;
    this.opening.get(chat)?.push(numbered);
    for (const [held, of] of this.reading) if (of === chat) held.push(numbered);
    if (isOfApp(numbered.event)) return numbered.event;
    const cut = this.cuts.get(chat);
    if (cut !== undefined && numbered.seq <= cut) return undefined;
    return numbered.event;
  }

  private watchGap(): void {
    if (this.waiting.size === 0) {
      clearTimeout(this.gap);
      this.gap = undefined;
      return;
    }
    if (this.gap !== undefined) return;
    const at = this.seq;
    const age = this.age;
    this.gap = setTimeout(() => {
      this.gap = undefined;
      if (age !== this.age || this.waiting.size === 0) return;
      if (this.seq === at) void this.begin();
      else this.watchGap();
    }, gapMillis);
  }
}
