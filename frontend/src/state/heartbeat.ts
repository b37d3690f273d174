// Heartbeats show the app that the page still renders. The app expects one soon after each message to the
// page and otherwise only rarely, because each heartbeat wakes three processes.

/** Maximum time in milliseconds from an event to the next heartbeat; App.Heartbeat in Go relies on it. */
export const busyMillis = 20_000;
/** Time in milliseconds between heartbeats while no events arrive. */
export const restMillis = 300_000;

/**
 * Heartbeat schedules and sends the page's heartbeats. Like its timers, its clock must not advance during
 * system sleep.
 */
export class Heartbeat {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private due = Number.POSITIVE_INFINITY;

  constructor(private readonly beat: () => void) {}

  /** start schedules the first heartbeat. */
  start(): void {
    this.within(restMillis);
  }

  /** eventArrived notes an incoming event, whether or not it is shown. */
  eventArrived(): void {
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
