import ArrowRight from "lucide-solid/icons/arrow-right";
import ChevronRight from "lucide-solid/icons/chevron-right";
import Folder from "lucide-solid/icons/folder";
import { createEffect, createResource, For, Match, Show, Switch, untrack } from "solid-js";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { timeOf, visibleText } from "../../lib/format";
import { parseMarkdown } from "../../lib/markdown";
import { folderName } from "../../lib/path";
import { actions } from "../../state/actions";
import { keyOf, termsOf } from "../../state/hits";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Hit } from "../../state/types";
import { UserText } from "../transcript/UserText";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Kbd } from "../ui/Kbd";
import { markTerms } from "./marks";
import { containsHit, type Excerpt, surroundingsOf } from "./surroundings";
import { momentOf } from "./time";
import "../shell/header.css";
import "./search.css";

const t = messages.search;

/** Delay between selecting a result and loading its context. */
const restMillis = 80;
const farFuture = Number.MAX_SAFE_INTEGER;

/** Prose is a rendered message whose links can't be followed. */
function Prose(props: { text: string }) {
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

/** Work shows a collapsed block, followed by the match if the block contains it. */
function Work(props: { entry: Excerpt & { kind: "work" }; hit: Hit; isHit: boolean }) {
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
            {select.agentOf(state, props.hit.chatId)} <span class="br">[</span>
            <span class="sn">{props.entry.session}</span>
            <span class="br">]</span>
            <span class="st">{messages.chat.work.suffix[props.entry.state]}</span>
          </span>
          <span class="cop-meta">{props.entry.facts}</span>
        </div>
        <Show when={props.isHit}>
          <p class="out pre-found">
            {visibleText(props.hit.snippet.map((piece) => piece.text).join(""), "prose")}
          </p>
        </Show>
      </div>
    </div>
  );
}

/**
 * Done shows a summary of the main session's actions, followed by the match if one of the actions
 * contains it.
 */
function Done(props: { text: string; hit: Hit; isHit: boolean }) {
  return (
    <div classList={{ at: props.isHit }}>
      <p class="pre-note muted keep">{props.text}</p>
      <Show when={props.isHit}>
        <p class="out pre-found">
          {visibleText(props.hit.snippet.map((piece) => piece.text).join(""), "prose")}
        </p>
      </Show>
    </div>
  );
}

function Entry(props: { entry: Excerpt; hit: Hit }) {
  const isHit = () => containsHit(props.entry, props.hit);
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
      <Match when={work()}>{(entry) => <Work entry={entry()} hit={props.hit} isHit={isHit()} />}</Match>
    </Switch>
  );
}

/** Preview shows a search result in context. */
export function Preview(props: { hit: Hit; onOpen: () => void }) {
  let body: HTMLDivElement | undefined;
  const [entries] = createResource(
    () => props.hit,
    async (hit) => {
      await new Promise((rest) => setTimeout(rest, restMillis));
      if (keyOf(props.hit) !== keyOf(hit)) return undefined;
      // A page that ends shortly after the match contains the context before and after it.
      const { events } = await actions.excerpt(hit.chatId, hit.pos ? hit.pos + 40 : farFuture);
      return { hit, list: surroundingsOf(events, hit) };
    },
  );
  const known = () => {
    const latest = entries.error ? undefined : entries.latest;
    return latest && keyOf(latest.hit) === keyOf(props.hit) ? latest : undefined;
  };
  createEffect(() => {
    const found = known();
    if (!found || !body) return;
    markTerms(body, termsOf(found.hit));
    body.querySelector(".at")?.scrollIntoView?.({ block: "nearest" });
  });
  return (
    <section class="pre" aria-label={t.preview}>
      <header>
        <div class="grow">
          <div class="title trunc">{visibleText(props.hit.title, "prose") || messages.shell.untitled}</div>
          <div class="crumb">
            <Icon of={Folder} />
            <span class="trunc">{visibleText(folderName(props.hit.folder))}</span>
            <span class="num">{momentOf(props.hit.at, coarseNow(props.hit.at))}</span>
          </div>
        </div>
        <Button icon={ArrowRight} onClick={() => props.onOpen()}>
          {t.openChat}
        </Button>
      </header>
      <Show when={known()} keyed fallback={<div class="prb" />}>
        {(found) => (
          <div class="prb" ref={body}>
            <For each={found.list} fallback={<p class="muted">{t.notShown}</p>}>
              {(entry) => <Entry entry={entry} hit={found.hit} />}
            </For>
          </div>
        )}
      </Show>
      <Show when={entries.error}>
        <p class="search-status muted" role="status">
          {t.notShown}
        </p>
      </Show>
      <footer aria-hidden="true">
        <Kbd keys={["ArrowUp", "ArrowDown"]} />
        <span>{t.nextResult}</span>
        <Kbd keys={["Enter"]} />
        <span>{t.openHere}</span>
      </footer>
    </section>
  );
}
