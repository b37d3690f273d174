// The composer's text field: its height, and changes that the browser's undo can revert.

/** Maximum number of lines that the field shows without scrolling. */
const maxLines = 10;
/** Above this length, in characters, the field has its maximum height and isn't measured. */
const maxMeasured = 20_000;

/** grow adjusts a field's height to its text. */
export function grow(field: HTMLTextAreaElement): void {
  const style = getComputedStyle(field);
  const line = Number.parseFloat(style.lineHeight) || 24;
  const padding = (Number.parseFloat(style.paddingTop) || 0) + (Number.parseFloat(style.paddingBottom) || 0);
  const most = line * maxLines + padding;
  if (field.value.length > maxMeasured) {
    field.style.height = `${most}px`;
    return;
  }
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, most)}px`;
}

/**
 * replace replaces a range of a field's text and puts the caret after the new text. The browser treats this
 * like typing, so that the user can undo the change.
 */
export function replace(
  field: HTMLTextAreaElement | HTMLInputElement,
  from: number,
  to: number,
  text: string,
): void {
  field.focus();
  field.setSelectionRange(from, to);
  if (from === to && text === "") return;
  const inserted = document.execCommand?.(text === "" ? "delete" : "insertText", false, text) ?? false;
  if (inserted) return;
  field.setRangeText(text, from, to, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  field.setSelectionRange(from + text.length, from + text.length);
}

/**
 * onFirstLine and onLastLine report whether the caret is on the first or the last line and no text is
 * selected.
 */
export function onFirstLine(field: HTMLTextAreaElement): boolean {
  return (
    field.selectionStart === field.selectionEnd && !field.value.slice(0, field.selectionStart).includes("\n")
  );
}
export function onLastLine(field: HTMLTextAreaElement): boolean {
  return field.selectionStart === field.selectionEnd && !field.value.slice(field.selectionEnd).includes("\n");
}
