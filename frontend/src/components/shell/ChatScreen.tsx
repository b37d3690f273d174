import { createEffect, createMemo, on, onCleanup } from "solid-js";
import { actions } from "../../state/actions";
import { type Screen, screen } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { showRequest } from "../../state/transcriptView";
import type { Chat } from "../../state/types";
import { Dock } from "../composer/Dock";
import { createTyping } from "../composer/typing";
import { Reading } from "../sessions/Reading";
import { Transcript } from "../transcript/Transcript";
import { Header } from "./Header";
import { StorageBanner } from "./StorageBanner";

export interface ChatScreenProps {
  chat: Chat;
  onShowSidebar?: () => void;
  /** Whether the inspector is an overlay. */
  overlay: boolean;
}

/** ChatScreen is one chat: header, transcript and composer area. */
export function ChatScreen(props: ChatScreenProps) {
  const state = useStore();
  let main!: HTMLElement;

  // The chat object is replaced on every change, but the effect that opens a chat must depend only on its
  // ID.
  const id = createMemo(() => props.chat.id);
  createEffect(on(id, (now) => actions.openChat(now)));

  // Marks the chat as read while it is visible.
  const read = () => {
    if (props.chat.unread && document.visibilityState === "visible") actions.markRead(props.chat.id);
  };
  createEffect(read);
  document.addEventListener("visibilitychange", read);
  onCleanup(() => document.removeEventListener("visibilitychange", read));

  createTyping(() => main.querySelector<HTMLElement>(".composer textarea"));

  // Opening a chat focuses its composer, or the requested permission card.
  createEffect(
    on([id, screen], () =>
      queueMicrotask(() => main.querySelector<HTMLElement>(".composer textarea")?.focus()),
    ),
  );
  let shownFor: Screen | undefined;
  createEffect(() => {
    const now = screen();
    if (now === shownFor || now.name !== "chat" || !now.toRequest || !state.pages[id()]) return;
    const asks = select.openPermissions(state, id()).length > 0;
    if (!asks && !select.signInWaits(state).has(id()) && !select.trustWaits(state).has(id())) return;
    shownFor = now;
    // The request might be far up and not rendered yet.
    setTimeout(() => {
      if (asks) showRequest(id());
      setTimeout(() => {
        // If the trust sheet has opened in the meantime, it keeps the focus.
        if (document.querySelector(".dialog")) return;
        main.querySelector<HTMLElement>(asks ? ".perm" : ".condition .banner")?.focus();
      });
    });
  });

  return (
    <main ref={main} class="main" aria-labelledby="chat-title">
      <Header chat={props.chat} onShowSidebar={props.onShowSidebar} overlay={props.overlay} />
      <StorageBanner />
      <Reading chatId={id()} />
      <Transcript chatId={id()} />
      <Dock chatId={id()} />
    </main>
  );
}
