/** Time in milliseconds after which afterPaint stops waiting for a paint. A hidden window doesn't paint. */
const paintMillis = 250;

/**
 * afterPaint calls `work` once the current state of the document has been painted: in the second
 * animation frame from now, or after a timeout if there are no frames. It returns a function that cancels
 * the call.
 */
export function afterPaint(work: () => void): () => void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    work();
  };
  const timer = setTimeout(once, paintMillis);
  requestAnimationFrame(() => requestAnimationFrame(once));
  return () => {
    done = true;
    clearTimeout(timer);
  };
}
