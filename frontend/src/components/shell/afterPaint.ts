/** Maximum time to wait for a paint; hidden windows don't paint. */
const paintMillis = 250;

/**
 * afterPaint runs work once the current document has been painted: in the second frame from now, or after
 * a timeout if there are no frames. It returns a function that cancels this.
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
