// Bodies that are pulled, and pulled again while they grow.

import { createEffect, createSignal, on, onCleanup, Show } from "solid-js";

/** How often a body that grows is pulled again. */
const renewMillis = 250;

/** createPulled pulls with work now and whenever the body's version grows, not too often. */
export function createPulled(version: () => number, work: () => Promise<void>) {
  const [failure, setFailure] = createSignal("");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  let gone = false;
  // What is pulled by hand takes nothing from what comes of itself.
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void run();
    }, renewMillis);
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

/** Failure says why a body could not be pulled. */
export function Failure(props: { message: string }) {
  return (
    <Show when={props.message}>
      <p class="out-note c-bad">{props.message}</p>
    </Show>
  );
}
