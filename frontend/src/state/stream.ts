// The stream delivers events from the app to the store in the order of their numbers, without omitting any:
//
//   - it subscribes first, then requests a snapshot, and drops events that the
//     snapshot already contains;
//   - batches that arrive out of order wait for the earlier ones; a gap that
//     doesn't close, or a new run of the app, restarts the stream;
//   - an event too large for a batch is pulled before later ones are applied;
//   - a chat opened while events arrive gets its own snapshot, and the events
//     received meanwhile are applied after it; the same holds for every other
//     part of its transcript.
//
// It depends on neither Wails nor Solid: both are injected.

import { type Batch, type Event, kinds, type Snapshot } from "./types";

/** The stream's access to the app. */
export interface Source {
  subscribe(callback: (batch: Batch) => void): () => void;
  app(): Promise<Snapshot>;
  chat(id: string): Promise<Snapshot>;
  event(seq: number): Promise<Event>;
}

/** The receiver of the ordered events. */
export interface Sink {
  /** Replaces the whole state with the one that `events` describes. */
  reset(events: Event[]): void;
  /** Applies events in this order. */
  apply(events: Event[]): void;
  /** Sets the transcript of a chat to `events`, then applies `later`. */
  open(chatId: string, events: Event[], before: number, later: Event[]): void;
  /** Reports that a snapshot couldn't be loaded: the chat's, or the app's if `chatId` is "". */
  failed(chatId: string, thrown: unknown): void;
}

/** Maximum duration in milliseconds of a gap between batches before the stream restarts. */
const gapMillis = 1000;
/** Delay in milliseconds before the app's snapshot is requested again after a failure. */
const retryMillis = 2000;
/**
 * Maximum wait for an animation frame in milliseconds. A hidden window gets no frames, so each wait also has this
 * timeout.
 */
const flushMillis = 40;

interface Numbered {
  seq: number;
  event: Event;
}

/** later returns the events after a sequence number. */
function later(held: Numbered[], seq: number): Event[] {
  return held.filter((n) => n.seq > seq).map((n) => n.event);
}

/** chatOf returns the ID of the chat that an event belongs to, or "" if it belongs to none. */
function chatOf(event: Event): string {
  for (const [name, value] of Object.entries(event)) {
    const { chat } = kinds[name as keyof Event];
    if (chat) return (value as Record<string, string>)[chat] ?? "";
  }
  return "";
}

/**
 * isOfApp reports whether an event belongs to the app's snapshot rather than a chat's. Such an event is
 * applied even if a chat's snapshot is newer.
 */
function isOfApp(event: Event): boolean {
  return Object.keys(event).every((name) => !kinds[name as keyof Event].transcript);
}

export class Stream {
  private run = "";
  /** Number of the last applied event. */
  private seq = 0;
  private ready = false;
  private waiting = new Map<number, Batch>();
  private gap: ReturnType<typeof setTimeout> | undefined;
  private flushing = false;
  private scheduled = false;
  /** Event number of the latest snapshot of each open chat. */
  private cuts = new Map<string, number>();
  /** Events received while a chat's snapshot is being loaded, by chat. */
  private opening = new Map<string, Numbered[]>();
  /**
   * For each request for another part of a chat: the events received since the request, and the chat's ID.
   */
  private reading = new Map<Numbered[], string>();
  /** Increases with each restart: responses to older requests are ignored. */
  private age = 0;
  private stopped = false;
  private unsubscribe: () => void = () => {};

  constructor(
    private readonly source: Source,
    private readonly sink: Sink,
  ) {}

  /** start subscribes and loads the first snapshot. */
  start(): void {
    this.unsubscribe = this.source.subscribe((batch) => this.take(batch));
    void this.begin();
  }

  /** stop unsubscribes; no event is applied afterward. */
  stop(): void {
    this.stopped = true;
    this.age++;
    clearTimeout(this.gap);
    this.unsubscribe();
  }

  /** open loads a chat's transcript and keeps it up to date until close. */
  open(chatId: string): void {
    if (this.cuts.has(chatId) || this.opening.has(chatId)) return;
    this.opening.set(chatId, []);
    if (this.ready) void this.fetchChat(chatId, this.age);
  }

  /** close stops updating a chat's transcript. */
  close(chatId: string): void {
    this.cuts.delete(chatId);
    this.opening.delete(chatId);
  }

  /** reload loads an open chat's transcript again. Until it has arrived, the loaded one is kept up to date. */
  reload(chatId: string): void {
    // A transcript that is still being loaded needs no reload: later events are applied after it.
    if (!this.cuts.delete(chatId)) return;
    this.open(chatId);
  }

  /** isOpen reports whether a chat's transcript is loaded or being loaded. */
  isOpen(chatId: string): boolean {
    return this.cuts.has(chatId) || this.opening.has(chatId);
  }

  /**
   * read requests another part of an open chat. It calls `apply` with the part and all events published
   * since the request, because the rows of the part may be older than the events applied so far.
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

  /** flush applies all events that are next in order. */
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
      // The event is no longer available, so a snapshot replaces it.
      if (age === this.age) void this.begin();
    } finally {
      this.flushing = false;
      if (age !== this.age) this.schedule();
    }
    if (age === this.age && this.ready) this.watchGap();
  }

  /**
   * collect appends the next consecutive events to `due`. If it reaches an event that must be pulled, it
   * returns that event's number.
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

  /** next returns the batch with the next event and drops older batches. */
  private next(): Batch | undefined {
    const direct = this.waiting.get(this.seq + 1);
    if (direct) return direct;
    for (const [first, batch] of this.waiting) {
      if (first + batch.events.length - 1 <= this.seq) this.waiting.delete(first);
      else if (first <= this.seq + 1) return batch;
    }
    return undefined;
  }

  /**
   * pass keeps an event for the snapshots and parts of its chat that are being loaded. It returns the event
   * or, if the chat's snapshot already contains it, undefined.
   */
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
