// What the user does not wait for comes after the frame that shows what they do wait for.

/**
 * afterFrame runs a function in a task of its own, once the next frame is on the
 * screen; the function it returns calls that off. A frame is shown after its
 * callbacks: that of the next one is the first to come later.
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
