// Clipboard access for the context menus. Pages aren't allowed to read the clipboard, and can't copy images
// in WebKitGTK, so the app does both.

import { actions } from "../../state/actions";
import { replace } from "../composer/field";

/** A text field. */
export type Field = HTMLInputElement | HTMLTextAreaElement;

/** Part is a range of a field's text. */
export interface Part {
  field: Field;
  from: number;
  to: number;
}

/**
 * partOf returns the selected range of a field. For types of fields that can't have a selection, such as number fields,
 * it returns the range of the whole text.
 */
export function partOf(field: Field): Part {
  return { field, from: field.selectionStart ?? 0, to: field.selectionEnd ?? field.value.length };
}

/** select focuses the field of a part and selects the part again. */
export function select({ field, from, to }: Part): void {
  field.focus({ preventScroll: true });
  if (field.selectionStart !== null) field.setSelectionRange(from, to);
}

export function textOf({ field, from, to }: Part): string {
  return field.value.slice(from, to);
}

/**
 * cut copies a part to the clipboard. It then removes the part from the field, unless the text has changed in
 * the meantime.
 */
export async function cut(part: Part): Promise<void> {
  const text = textOf(part);
  await actions.copy(text);
  if (textOf(part) === text) replace(part.field, part.from, part.to, "");
}

/**
 * paste replaces a part with the clipboard's text. Like the keyboard shortcut, it first dispatches a paste
 * event, so that a handler can paste images or files instead. It does this even if the clipboard contains no
 * text.
 */
export async function paste(part: Part): Promise<void> {
  const text = await actions.clipboardText();
  select(part);
  const data = new DataTransfer();
  if (text !== "") data.setData("text/plain", text);
  const event = new Event("paste", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "clipboardData", { value: data });
  if (!part.field.dispatchEvent(event) || text === "") return;
  const { from, to } = partOf(part.field);
  replace(
    part.field,
    from,
    to,
    part.field instanceof HTMLInputElement ? text.replace(/\s*\n\s*/g, " ") : text,
  );
}

/**
 * copyImage copies an image to the clipboard through the app. If that fails, it uses the page's clipboard, if
 * possible.
 */
export async function copyImage(contentId: string, image: HTMLImageElement): Promise<void> {
  try {
    await actions.copyImage(contentId);
  } catch (thrown) {
    if (typeof ClipboardItem === "undefined" || !navigator.clipboard?.write) throw thrown;
    await navigator.clipboard.write([new ClipboardItem({ "image/png": asPNG(image) })]);
  }
}

/** asPNG converts an image to PNG, the only image type that a page can copy in every engine. */
function asPNG(image: HTMLImageElement): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the image is empty"))), "image/png"),
  );
}

/** quoted returns `text` as a Markdown quotation, followed by an empty line for the user's reply. */
export function quoted(text: string): string {
  const lines = text.trim().split(/\r?\n/);
  return `${lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n")}\n\n`;
}
