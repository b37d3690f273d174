// Renders the rows of comments within the diffs. A row keeps its element while it is out of view or the rows around it
// change, so that typed text, the selection and the focus are preserved.

import { getOwner, runWithOwner } from "solid-js";
import { render } from "solid-js/web";
import type { CommentsModel } from "../../state/reviewComments";
import { CommentFormRow, CommentRow } from "./CommentRow";
import { make } from "./heads";
import type { DrawInsert } from "./section";
import type { Suggestions } from "./suggestions";

interface Row {
  element: HTMLElement;
  dispose(): void;
  /**
   * The element that had the focus when the row was removed from the page. For a text field, `from` and `to` are its
   * selection.
   */
  focused?: { field: HTMLElement; from: number; to: number };
}

/** CommentRows holds the elements of comment rows. */
export class CommentRows {
  private readonly rows = new Map<string, Row>();
  private readonly owner = getOwner();

  constructor(
    private readonly model: CommentsModel,
    private readonly suggestions: Suggestions,
    /** Moves the focus to the diffs. */
    private readonly focusDiffs: () => void,
  ) {}

  readonly draw: DrawInsert = (_file, insert, into) => {
    const [kind, id] = [
      insert.id.slice(0, insert.id.indexOf(":")),
      insert.id.slice(insert.id.indexOf(":") + 1),
    ];
    if (kind !== "comment" && kind !== "form") return undefined;
    const row = this.rows.get(insert.id) ?? this.create(insert.id, kind, id);
    into.append(row.element);
    const { focused } = row;
    row.focused = undefined;
    if (focused) {
      queueMicrotask(() => {
        focused.field.focus({ preventScroll: true });
        if (focused.field instanceof HTMLTextAreaElement)
          focused.field.setSelectionRange(focused.from, focused.to);
      });
    }
    return () =>
      this.takeOut(insert.id, row, kind === "form" ? !this.model.texts.form(id) : !this.model.comment(id));
  };

  private create(key: string, kind: "comment" | "form", id: string): Row {
    const element = make("div", "cmt-host");
    const dispose = runWithOwner(this.owner, () =>
      render(
        () =>
          kind === "form" ? (
            <CommentFormRow model={this.model} id={id} onClose={this.focusDiffs} />
          ) : (
            <CommentRow model={this.model} id={id} suggestions={this.suggestions} />
          ),
        element,
      ),
    );
    const row: Row = { element, dispose: dispose ?? (() => {}) };
    this.rows.set(key, row);
    return row;
  }

  private takeOut(key: string, row: Row, isOver: boolean): void {
    const active = document.activeElement;
    if (!isOver && active instanceof HTMLElement && row.element.contains(active)) {
      const field = active instanceof HTMLTextAreaElement ? active : undefined;
      row.focused = { field: active, from: field?.selectionStart ?? 0, to: field?.selectionEnd ?? 0 };
      // A row that isn't inserted again immediately was scrolled out of view, so it must not take the focus later.
      setTimeout(() => {
        if (!row.focused) return;
        row.focused = undefined;
        if (document.activeElement === document.body) this.focusDiffs();
      });
    }
    row.element.remove();
    if (!isOver) return;
    this.rows.delete(key);
    row.dispose();
  }

  /** Disposes the components of all rows. */
  dispose(): void {
    for (const row of this.rows.values()) row.dispose();
    this.rows.clear();
  }
}
