// Defers work that the user isn't waiting for until after the next frame.

/**
 * afterFrame runs a function in a separate task once the next frame is on screen. It returns a function
 * that cancels the run. A frame reaches the screen only after its callbacks have run, so afterFrame waits
 * for a callback of the following frame.
 */
export function afterFrame(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      timer = setTimeout(run);
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
