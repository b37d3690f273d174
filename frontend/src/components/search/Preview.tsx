import ArrowRight from "lucide-solid/icons/arrow-right";
import Folder from "lucide-solid/icons/folder";
import { createEffect, createResource, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { visibleText } from "../../lib/format";
import { folderName } from "../../lib/path";
import { actions } from "../../state/actions";
import { keyOf, termsOf } from "../../state/hits";
import type { Hit } from "../../state/types";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Kbd } from "../ui/Kbd";
import { ExcerptEntry } from "./ExcerptEntry";
import { markTerms } from "./marks";
import { surroundingsOf, textsAround } from "./surroundings";
import { momentOf } from "./time";
import "../shell/header.css";
import "./search.css";

const t = messages.search;

/** Delay in milliseconds between selecting a result and loading its context. */
const restMillis = 80;
const farFuture = Number.MAX_SAFE_INTEGER;

/** Preview shows a search result in context. */
export function Preview(props: { hit: Hit; onOpen: () => void }) {
  let body: HTMLDivElement | undefined;
  const [entries] = createResource(
    () => props.hit,
    async (hit) => {
      await new Promise((rest) => setTimeout(rest, restMillis));
      if (keyOf(props.hit) !== keyOf(hit)) return undefined;
      // The page ends a little after the match, so that it includes the match and the entries before and after
      // it.
      const before = hit.pos ? hit.pos + 40 : farFuture;
      if (hit.cliSession)
        return { hit, list: textsAround(await actions.sessionTexts(hit.itemId ?? ""), hit) };
      const { events } = hit.aside
        ? await actions.asideItems(hit.chatId, hit.aside, before)
        : await actions.excerpt(hit.chatId, before);
      return { hit, list: surroundingsOf(events, hit) };
    },
  );
  const known = () => {
    const latest = entries.error ? undefined : entries.latest;
    return latest && keyOf(latest.hit) === keyOf(props.hit) ? latest : undefined;
  };
  const notShown = () => (props.hit.cliSession ? t.inSession.notShown : t.notShown);
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
          <div class="title trunc">
            {visibleText(props.hit.title, "prose") ||
              (props.hit.cliSession ? messages.sessions.untitled : messages.shell.untitled)}
          </div>
          <div class="crumb">
            <Icon of={Folder} />
            <span class="trunc">{visibleText(folderName(props.hit.folder))}</span>
            <span class="num">{momentOf(props.hit.at, coarseNow(props.hit.at))}</span>
            <Show when={props.hit.cliSession}>
              <span class="tag">{t.session}</span>
            </Show>
          </div>
        </div>
        <Button icon={ArrowRight} onClick={() => props.onOpen()}>
          {props.hit.cliSession ? t.inSession.open : t.openChat}
        </Button>
      </header>
      <Show when={known()} keyed fallback={<div class="prb" />}>
        {(found) => (
          <div class="prb" ref={body}>
            <For each={found.list} fallback={<p class="muted">{notShown()}</p>}>
              {(entry) => <ExcerptEntry chatId={found.hit.chatId} entry={entry} hit={found.hit} />}
            </For>
          </div>
        )}
      </Show>
      <Show when={entries.error}>
        <p class="search-status muted" role="status">
          {notShown()}
        </p>
      </Show>
      <footer aria-hidden="true">
        <Kbd keys={["ArrowUp", "ArrowDown"]} />
        <span>{t.nextResult}</span>
        <Kbd keys={["Enter"]} />
        <span>{props.hit.cliSession ? t.inSession.openHere : t.openHere}</span>
      </footer>
    </section>
  );
}
