// Handles items dragged onto the window from any program.

/**
 * carriesFiles reports whether a drag contains files. Since version 2.50.3, WebKitGTK hides dragged files from pages: a
 * drag of files offers only addresses that can't be read. Other drags with addresses also offer plain text.
 */
export function carriesFiles(dragged: DataTransfer | null): boolean {
  const types = dragged?.types ?? [];
  return types.includes("Files") || (types.includes("text/uri-list") && !types.includes("text/plain"));
}

/**
 * preventPageDrops prevents items dropped on the window from replacing the page. File drags still reach
 * the drop targets. Other drags are stopped here, because Wails would consume text dropped into fields.
 * It returns a function that removes the handlers.
 */
export function preventPageDrops(): () => void {
  const onDragged = (event: DragEvent) => {
    if (!carriesFiles(event.dataTransfer)) {
      event.stopPropagation();
      if (event.target instanceof Element && event.target.closest("input, textarea")) return;
    }
    event.preventDefault();
    if (event.dataTransfer && event.type === "dragover") event.dataTransfer.dropEffect = "none";
  };
  const heard = ["dragover", "drop"] as const;
  for (const type of heard) window.addEventListener(type, onDragged, true);
  return () => {
    for (const type of heard) window.removeEventListener(type, onDragged, true);
  };
}
