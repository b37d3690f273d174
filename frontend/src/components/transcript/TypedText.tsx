// The text of a user's message: as typed, or as a card if it was sent from the Review screen.

import MessageSquare from "lucide-solid/icons/message-square";
import { createSignal, For, Show } from "solid-js";
import { api } from "../../bridge";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { openReview } from "../../state/reviewScreen";
import { useStore } from "../../state/store";
import type { Content, Item, SentReviewComment } from "../../state/types";
import { Icon } from "../ui/Icon";
import { createLazyContent } from "./lazyContent";
import { UserText } from "./UserText";
import "./typed-text.css";

const t = messages.reviewComments;

/** Maximum size of a card's data in bytes. */
const maxBytes = 4 * 1024 * 1024;
/** Maximum number of quoted lines that are shown. */
const maxQuote = 6;

/** sentComments parses the comments in a card's JSON data. It drops incomplete comments. */
export function sentComments(json: string): SentReviewComment[] {
  const list: unknown = JSON.parse(json);
  if (!Array.isArray(list)) return [];
  return list.filter(
    (each): each is SentReviewComment =>
      typeof each?.path === "string" && typeof each.text === "string" && typeof each.quote === "string",
  );
}

/** noteOf returns the note at the start of the message, before its comments. */
export function noteOf(text: string): string {
  const at = text.search(/(^|\n\n)Review comments:\n\n1\. /);
  return at < 0 ? "" : text.slice(0, at).trim();
}

export interface TypedTextProps {
  item: Item;
  text: string;
  mentions: Parameters<typeof UserText>[0]["mentions"];
  onOpen: (path: string) => void;
}

export function TypedText(props: TypedTextProps) {
  const state = useStore();
  const review = () =>
    (state.contentsOf[props.item.id] ?? [])
      .map((id) => state.contents[id])
      .find((content) => content?.type === "review");
  const [isBroken, setBroken] = createSignal(false);
  return (
    <Show
      when={!isBroken() && review()}
      fallback={
        <Show when={props.text !== ""}>
          <p class="typed">
            <UserText text={props.text} mentions={props.mentions ?? []} onOpen={props.onOpen} />
          </p>
        </Show>
      }
    >
      {(content) => (
        <>
          <Show when={noteOf(props.text)}>
            {(note) => (
              <p class="typed">
                <UserText text={note()} onOpen={props.onOpen} />
              </p>
            )}
          </Show>
          <ReviewCard content={content()} onBroken={() => setBroken(true)} />
        </>
      )}
    </Show>
  );
}

/** ReviewCard lists the review comments that were sent with a message. */
function ReviewCard(props: { content: Content; onBroken(): void }) {
  const [list, setList] = createSignal<readonly SentReviewComment[]>([]);
  createLazyContent(
    () => props.content.version,
    async () => {
      try {
        const { bytes } = await api.content(props.content.id, 0, maxBytes);
        setList(sentComments(new TextDecoder().decode(bytes)));
      } catch (thrown) {
        props.onBroken();
        throw thrown;
      }
    },
  );
  const where = (comment: SentReviewComment) => {
    if (comment.gone || comment.outdated || comment.start < 0) return t.outdatedLines;
    const lines = t.lines(comment.start + 1, comment.end + 1);
    return comment.side === "old" ? t.oldLines(lines) : lines;
  };
  return (
    <section class="review-card" aria-label={t.cardOf(list().length)}>
      <header>
        <Icon of={MessageSquare} size="sm" />
        <span class="strong-medium">{t.card}</span>
        <span class="subtle">{t.comments(list().length)}</span>
      </header>
      <ul>
        <For each={list()}>
          {(comment) => (
            <li>
              <button
                type="button"
                class="review-card-file mono trunc"
                onClick={() => openReview(props.content.chatId)}
              >
                {visibleText(comment.path)}
              </button>
              <span class="subtle">{where(comment)}</span>
              <pre class="mono">
                {visibleText(comment.quote.split("\n").slice(0, maxQuote).join("\n"), "line")}
              </pre>
              <p>{visibleText(comment.text, "prose")}</p>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}
