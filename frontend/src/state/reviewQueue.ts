// Runs the user's actions in a review one after the other, so that none is lost while another is running.

import { createSignal } from "solid-js";

/** ActionQueue runs actions in the order in which they were requested. */
export class ActionQueue {
  private last: Promise<unknown> = Promise.resolve();
  private readonly waiting = createSignal(0);
  /** Whether an action is running or waiting. */
  readonly isBusy = () => this.waiting[0]() > 0;

  /** Runs an action after all earlier ones have ended. The promise resolves to the action's result. */
  run<T>(action: () => Promise<T>): Promise<T> {
    this.waiting[1]((n) => n + 1);
    const result = this.last.then(action);
    this.last = result.then(this.ended, this.ended);
    return result;
  }

  private readonly ended = () => {
    this.waiting[1]((n) => n - 1);
  };
}
