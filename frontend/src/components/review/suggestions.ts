// Lets the user go through the comments, and accept or dismiss those that the agent suggests.

import { messages } from "../../i18n";
import type { CommentsModel } from "../../state/reviewComments";
import type { ReviewComment } from "../../state/types";
import type { Canvas } from "./canvas";

const t = messages.reviewAgent;

export interface SuggestionsHost {
  comments: CommentsModel;
  canvas(): Canvas | undefined;
  focusDiffs(): void;
}

/** Suggestions moves the focus between comments and applies the user's decisions about suggested ones. */
export class Suggestions {
  constructor(private readonly host: SuggestionsHost) {}

  /** Returns the suggestions in the order in which the screen shows them. */
  inOrder(): ReviewComment[] {
    return this.sorted(this.host.comments.suggestions());
  }

  private sorted(list: readonly ReviewComment[]): ReviewComment[] {
    const byPath = new Map<string, ReviewComment[]>();
    for (const comment of list) byPath.set(comment.path, [...(byPath.get(comment.path) ?? []), comment]);
    return this.host.comments.review.files.flatMap((file) =>
      (byPath.get(file.path) ?? []).sort((a, b) => a.end - b.end),
    );
  }

  /** Returns the ID of the suggestion that contains an element, or "". */
  idAt(element: Element | null): string {
    return element?.closest<HTMLElement>("article[data-suggestion]")?.dataset.suggestion ?? "";
  }

  /**
   * Scrolls to the suggestion after the focused one, or to the first one, and focuses it. If there are no suggestions,
   * it uses the unresolved comments instead. Returns false if there are none of these either.
   */
  next(): boolean {
    const suggested = this.inOrder();
    const open = () => this.sorted(this.host.comments.list().filter(({ state }) => state !== "resolved"));
    const list = suggested.length > 0 ? suggested : open();
    const now = document.activeElement?.closest<HTMLElement>("article[data-comment]")?.dataset.comment;
    const at = list.findIndex(({ id }) => id === now);
    const next = list[(at + 1) % Math.max(list.length, 1)];
    if (next) void this.show(next);
    return next !== undefined;
  }

  private async show({ id, path }: ReviewComment): Promise<void> {
    const { comments } = this.host;
    const { review } = comments;
    const file = review.file(path);
    if (!file) return;
    const had = document.activeElement;
    if (file.isFolded || (file.isLarge && !file.isRequested))
      review.change(file, () => {
        file.isFolded = false;
        file.isRequested = true;
      });
    if (!file.diff) await review.readDiff(file);
    const placed = comments.comment(id);
    if (!placed) return;
    const { side, end } = placed;
    if (end >= 0 && file.state === "rows" && file.rows.rowOf(side, end) < 0)
      review.change(file, () => file.reveal({ side, at: end }));
    const row = file.rows.insertRow(`comment:${id}`);
    if (row < 0) return;
    this.host.canvas()?.reveal(path, row);
    requestAnimationFrame(() => {
      const now = document.activeElement;
      if (now !== had && now?.matches("textarea, input, select")) return; // the user is already typing in another field
      this.host.canvas()?.rowElement(path, row)?.querySelector("article")?.focus({ preventScroll: true });
    });
  }

  accept(ids: readonly string[]): Promise<void> {
    return this.decide(ids, (all) => this.host.comments.accept(all), t.acceptedAnnounced(ids.length));
  }

  dismiss(ids: readonly string[]): Promise<void> {
    return this.decide(ids, (all) => this.host.comments.dismiss(all), t.dismissedAnnounced(ids.length));
  }

  /** Accepts or dismisses suggestions with `act`. If one of the suggestions had the focus, the next one gets it. */
  private async decide(
    ids: readonly string[],
    act: (ids: readonly string[]) => Promise<boolean>,
    announcement: string,
  ): Promise<void> {
    const list = this.inOrder();
    const at = list.findIndex(({ id }) => id === this.idAt(document.activeElement));
    if (ids.length === 0 || !(await act(ids))) return;
    this.host.comments.review.announce(announcement);
    if (at < 0) return;
    const rest = this.inOrder();
    const next = list.slice(at + 1).find(({ id }) => rest.some((each) => each.id === id)) ?? rest[0];
    if (next) await this.show(next);
    else this.host.focusDiffs();
  }
}
