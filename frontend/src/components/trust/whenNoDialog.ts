/**
 * whenFree calls back once no dialog or panel is open; the function it returns
 * takes that back.
 */
export function whenFree(then: () => void): () => void {
  const isFree = () => document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") === null;
  const observer = new MutationObserver(() => look());
  // Opening a chat moves the focus into its composer first.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isFree()) return;
      observer.disconnect();
      then();
    });
  };
  // What is open over the window is a child of the body.
  observer.observe(document.body, { childList: true });
  look();
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
