// What is dragged onto the window, from whichever program.

/**
 * carriesFiles tells whether a drag is one of files. WebKitGTK hides files from
 * pages since 2.50.3: they are addresses then, of which nothing can be read, and
 * text that could be has no place beside them.
 */
export function carriesFiles(dragged: DataTransfer | null): boolean {
  const types = dragged?.types ?? [];
  return types.includes("Files") || (types.includes("text/uri-list") && !types.includes("text/plain"));
}

/**
 * keepPage lets nothing that is dropped on the window replace the page, or be
 * shown as one. Who takes files says so afterwards; text goes into fields, and
 * nobody else hears of it: Wails would take it away from them.
 */
export function keepPage(): () => void {
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
