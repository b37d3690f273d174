// The entries of an excerpt: messages and summaries of the agent's work, for reading only.

import ChevronRight from "lucide-solid/icons/chevron-right";
import { Match, Show, Switch, untrack } from "solid-js";
import { messages } from "../../i18n";
import { timeOf, visibleText } from "../../lib/format";
import { parseMarkdown } from "../../lib/markdown";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Hit } from "../../state/types";
import { UserText } from "../transcript/UserText";
import { Icon } from "../ui/Icon";
import { containsHit, type Excerpt } from "./surroundings";
import "./search.css";

/** Prose is a rendered message whose links can't be followed. */
export function Prose(props: { text: string }) {
  const prose = (<div class="prose" />) as HTMLDivElement;
  for (const part of parseMarkdown(untrack(() => props.text))) {
    if (part.kind === "nodes") prose.append(part.nodes);
    else {
      const plain = document.createElement(part.kind === "code" ? "pre" : "p");
      plain.textContent = visibleText(part.text, part.kind === "code" ? "line" : "prose");
      prose.append(plain);
    }
  }
  for (const link of prose.querySelectorAll("a")) link.removeAttribute("href");
  return prose;
}

/** snippetOf returns the matched text of a search result with the text around it. */
const snippetOf = (hit: Hit | undefined) => (hit?.snippet ?? []).map((piece) => piece.text).join("");

/** Work shows a collapsed block, followed by the match if the block contains it. */
function Work(props: { chatId: string; entry: Excerpt & { kind: "work" }; hit?: Hit; isHit: boolean }) {
  const state = useStore();
  return (
    <div class="cop-wrap" classList={{ at: props.isHit }}>
      <div class="copilot-block" data-state={props.entry.state}>
        <div class="pre-block">
          <Icon of={ChevronRight} size="sm" class="chev" />
          <span class="bot" aria-hidden="true">
            🤖
          </span>
          <span class="cop-name">
            {select.agentOf(state, props.chatId)} <span class="br">[</span>
            <span class="sn">{props.entry.session}</span>
            <span class="br">]</span>
            <span class="st">{messages.chat.work.suffix[props.entry.state]}</span>
          </span>
          <span class="cop-meta">{props.entry.facts}</span>
        </div>
        <Show when={props.isHit}>
          <p class="out pre-found">{visibleText(snippetOf(props.hit), "prose")}</p>
        </Show>
      </div>
    </div>
  );
}

/**
 * Done shows a summary of the main session's actions, followed by the match if one of the actions
 * contains it.
 */
function Done(props: { text: string; hit?: Hit; isHit: boolean }) {
  return (
    <div classList={{ at: props.isHit }}>
      <p class="pre-note muted keep">{props.text}</p>
      <Show when={props.isHit}>
        <p class="out pre-found">{visibleText(snippetOf(props.hit), "prose")}</p>
      </Show>
    </div>
  );
}

/** ExcerptEntry shows an entry of a chat, and marks it if it contains the given search result. */
export function ExcerptEntry(props: { chatId: string; entry: Excerpt; hit?: Hit }) {
  const isHit = () => props.hit !== undefined && containsHit(props.entry, props.hit);
  const work = () => (props.entry.kind === "work" ? props.entry : undefined);
  const text = () => (props.entry.kind === "work" ? "" : props.entry.text);
  return (
    <Switch fallback={<p class="pre-note muted">{visibleText(text(), "prose")}</p>}>
      <Match when={props.entry.kind === "user"}>
        <article
          class="msg user sel"
          classList={{ at: isHit() }}
          aria-label={messages.chat.you(timeOf(props.entry.at))}
        >
          <p class="keep">
            <UserText text={text()} />
          </p>
        </article>
      </Match>
      <Match when={props.entry.kind === "message"}>
        <article
          class="msg sel"
          classList={{ at: isHit() }}
          aria-label={messages.chat.answer(timeOf(props.entry.at))}
        >
          <Prose text={text()} />
        </article>
      </Match>
      <Match when={props.entry.kind === "lines"}>
        <Done text={text()} hit={props.hit} isHit={isHit()} />
      </Match>
      <Match when={work()}>
        {(entry) => <Work chatId={props.chatId} entry={entry()} hit={props.hit} isHit={isHit()} />}
      </Match>
    </Switch>
  );
}
