// Loading of an item's body on demand, repeated as the body grows.

import { createEffect, createSignal, on, onCleanup, Show } from "solid-js";

/** Minimum interval in milliseconds between loads of a growing body. */
const refreshMillis = 250;

/** createLazyContent runs `work` now and whenever the body's version increases, at a limited rate. */
export function createLazyContent(version: () => number, work: () => Promise<void>) {
  const [failure, setFailure] = createSignal("");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  let gone = false;
  // Schedules an automatic load. A load requested by the user doesn't postpone it.
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void run();
    }, refreshMillis);
  };
  const run = async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      await work();
      setFailure("");
    } catch (thrown) {
      setFailure((thrown as Error).message);
    }
    running = false;
    if (again && !gone) {
      again = false;
      later();
    }
  };
  createEffect(
    on(version, (_, before) => {
      if (before === undefined) void run();
      else later();
    }),
  );
  onCleanup(() => {
    gone = true;
    clearTimeout(timer);
  });
  return { failure, run };
}

/** Failure shows the error if a body couldn't be loaded. */
export function Failure(props: { message: string }) {
  return (
    <Show when={props.message}>
      <p class="out-note c-bad">{props.message}</p>
    </Show>
  );
}
