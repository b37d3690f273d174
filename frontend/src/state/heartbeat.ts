// How the app knows that the page draws. It expects a beat where something was
// sent to the page, and a rare one where nothing was: each wakes three processes up.

/** How long after something came the page says that it draws; App.Heartbeat in Go counts on it. */
export const busyMillis = 20_000;
/** How often it says so while nothing comes. */
export const restMillis = 300_000;

/** Heartbeat has a beat come in time. The clock is one that stands still while the computer sleeps, as timers do. */
export class Heartbeat {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private due = Number.POSITIVE_INFINITY;

  constructor(private readonly beat: () => void) {}

  /** start begins to beat. */
  start(): void {
    this.within(restMillis);
  }

  /** heard says that something came, whether or not it is shown. */
  heard(): void {
    this.within(busyMillis);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.due = Number.POSITIVE_INFINITY;
  }

  private within(millis: number): void {
    const at = performance.now() + millis;
    if (at >= this.due) return;
    clearTimeout(this.timer);
    this.due = at;
    this.timer = setTimeout(() => {
      this.due = Number.POSITIVE_INFINITY;
      this.beat();
      this.within(restMillis);
    }, millis);
  }
}
