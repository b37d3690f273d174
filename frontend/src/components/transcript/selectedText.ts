// The text between the two ends of a selection in a transcript, including the parts that aren't in the DOM.

import { createRoot, type JSX } from "solid-js";
import { insert } from "solid-js/web";

/** Functions that render the paragraphs for which an element stands, one after another. */
type Omitted = () => Iterable<() => JSX.Element>;

const omitted = new WeakMap<Element, Omitted>();

/** registerOmitted registers an element that stands for paragraphs that aren't in the DOM. */
export function registerOmitted(element: Element, paragraphs: Omitted): void {
  omitted.set(element, paragraphs);
}

/** Elements that are separated from their surroundings by a blank line. */
const paragraphs = new Set("BLOCKQUOTE H1 H2 H3 H4 H5 H6 P PRE TABLE ARTICLE".split(" "));
/** Elements that start on a new line. */
const blocks = new Set("DD DETAILS DIV DL DT FIGURE HR LI OL SECTION SUMMARY TR UL".split(" "));
/** Elements whose spaces and line breaks are preserved, for engines without styles. */
const preserved = "pre, .typed, .plain, .tail";

/** Elements that aren't part of the text even if they are selected with it. */
const labels = ".sr, .msg-tools, .user-tools, button:not(.chip, .file-link)";

/** Style of text in an element. */
interface Look {
  isSelectable: boolean;
  isPreserved: boolean;
}

/** Writer joins the texts of elements like a browser does when it copies them. */
class Writer {
  text = "";
  /** Number of line breaks before the next text. */
  private breaks = 0;

  break(count: number): void {
    this.breaks = Math.max(this.breaks, count);
  }

  add(text: string, isPreserved: boolean): void {
    let now = isPreserved ? text : text.replace(/[ \t\n\r\f]+/g, " ");
    const begins = this.text === "" || this.breaks > 0 || this.text.endsWith("\n");
    if (!isPreserved && (begins || this.text.endsWith(" "))) now = now.trimStart();
    if (now === "") return;
    if (this.text !== "" && this.breaks > 0) {
      const ends = /\n*$/.exec(this.text)?.[0].length ?? 0;
      this.text = this.text.trimEnd() + "\n".repeat(Math.max(ends, this.breaks));
    }
    this.breaks = 0;
    this.text += now;
  }
}

/** isPart reports whether a node overlaps a range, at least partly. Without a range, it returns true. */
const isPart = (node: Node, range: Range | undefined) => !range || range.intersectsNode(node);

/** lookOf returns the style of an element's text, given that of its parent, or undefined if the element is hidden. */
function lookOf(element: Element, parent: Look): Look | undefined {
  const style = getComputedStyle(element);
  if (style.display === "none") return undefined;
  const select = style.getPropertyValue("user-select") || style.getPropertyValue("-webkit-user-select");
  const space = style.whiteSpace;
  return {
    isSelectable: select === "" || select === "auto" ? parent.isSelectable : select !== "none",
    isPreserved: space.startsWith("pre") || space === "break-spaces" || element.closest(preserved) !== null,
  };
}

function write(out: Writer, node: Node, range: Range | undefined, parent: Look): void {
  if (!isPart(node, range)) return;
  if (node instanceof Text) {
    // Spaces between the cells of a table are never shown.
    if (!parent.isSelectable || (node.parentElement?.tagName === "TR" && node.data.trim() === "")) return;
    const from = range && node === range.startContainer ? range.startOffset : 0;
    const to = range && node === range.endContainer ? range.endOffset : node.length;
    out.add(node.data.slice(from, to), parent.isPreserved);
    return;
  }
  if (!(node instanceof Element)) return;
  const hidden = omitted.get(node);
  if (hidden) {
    for (const render of hidden()) writeRendered(out, render, node);
    return;
  }
  if (node.matches(labels)) return;
  if (node.tagName === "BR") {
    if (parent.isSelectable) out.add("\n", true);
    return;
  }
  // The spans of highlighted code have the style of the code.
  const look = node.tagName === "SPAN" && node.closest("pre") ? parent : lookOf(node, parent);
  if (!look) return;
  const count = paragraphs.has(node.tagName) ? 2 : blocks.has(node.tagName) ? 1 : 0;
  out.break(count);
  if (
    /^T[DH]$/.test(node.tagName) &&
    node.previousElementSibling &&
    isPart(node.previousElementSibling, range)
  )
    out.add("\t", true);
  for (const child of node.childNodes) write(out, child, range, look);
  out.break(count);
}

/** writeRendered writes the text of a paragraph, which it renders after an element and then removes again. */
function writeRendered(out: Writer, render: () => JSX.Element, place: Element): void {
  createRoot((dispose) => {
    const host = document.createElement("div");
    place.after(host);
    insert(host, render);
    out.break(2);
    write(out, host, undefined, { isSelectable: true, isPreserved: false });
    out.break(2);
    host.remove();
    dispose();
  });
}

/** textWithin returns the selectable text of an element: all of it, or the part within a range. */
export function textWithin(element: Element, range?: Range): string {
  const out = new Writer();
  write(out, element, range, { isSelectable: true, isPreserved: false });
  return out.text.trimEnd();
}

/** hasOmitted reports whether a range contains an element that stands for paragraphs that aren't in the DOM. */
export function hasOmitted(element: Element, range: Range): boolean {
  return [...element.querySelectorAll(".space, .show-all")].some(
    (each) => omitted.has(each) && range.intersectsNode(each),
  );
}

/** A function that returns the text of the selection, or undefined to leave the selection to the browser. */
export type SelectedText = () => (() => Promise<string> | string) | undefined;

let source: SelectedText = () => undefined;

/** selectedText returns a function that reads the selected text of the transcript; see SelectedText. */
export const selectedText: SelectedText = () => source();

/** provideSelectedText sets the source of selectedText until the returned function is called. */
export function provideSelectedText(of: SelectedText): () => void {
  source = of;
  return () => {
    if (source === of) source = () => undefined;
  };
}
