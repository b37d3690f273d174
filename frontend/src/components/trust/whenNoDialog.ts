/**
 * whenNoDialog calls `then` as soon as no dialog or menu is open, and returns a function that cancels the
 * call.
 */
export function whenNoDialog(then: () => void): () => void {
  const isFree = () => document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") === null;
  const observer = new MutationObserver(() => look());
  // The check runs in a later task, because opening a chat focuses its composer first.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isFree()) return;
      observer.disconnect();
      then();
    });
  };
  // Overlays are children of the body.
  observer.observe(document.body, { childList: true });
  look();
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
