/** How long a paint is waited for; hidden windows paint nothing. */
const paintMillis = 250;

/**
 * afterPaint runs work once what is in the document now has been painted: in
 * the second frame from here, or after a while where no frames come. What it
 * returns calls that off.
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
