// The text field of the composer: its height, and changes that the user can
// take back with the keys for it.

/** The text grows to this many lines, then it scrolls. */
const mostLines = 10;
/** From here on the field is as high as it gets, whatever it holds: measuring would cost more than it shows. */
const certainlyFull = 20_000;

/** grow makes a field as high as its text. */
export function grow(field: HTMLTextAreaElement): void {
  const style = getComputedStyle(field);
  const line = Number.parseFloat(style.lineHeight) || 24;
  const padding = (Number.parseFloat(style.paddingTop) || 0) + (Number.parseFloat(style.paddingBottom) || 0);
  const most = line * mostLines + padding;
  if (field.value.length > certainlyFull) {
    field.style.height = `${most}px`;
    return;
  }
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, most)}px`;
}

/**
 * replace puts text in place of a range and the caret behind it, as if it had
 * been typed: the field's own undo takes it back.
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

/** onFirstLine and onLastLine tell where the caret is, when nothing is selected. */
export function onFirstLine(field: HTMLTextAreaElement): boolean {
  return (
    field.selectionStart === field.selectionEnd && !field.value.slice(0, field.selectionStart).includes("\n")
  );
}
export function onLastLine(field: HTMLTextAreaElement): boolean {
  return field.selectionStart === field.selectionEnd && !field.value.slice(field.selectionEnd).includes("\n");
}
