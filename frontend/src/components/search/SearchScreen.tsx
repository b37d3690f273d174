import Calendar from "lucide-solid/icons/calendar";
import Folder from "lucide-solid/icons/folder";
import SearchIcon from "lucide-solid/icons/search";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import { nowFor } from "../../lib/slow";
import { actions } from "../../state/actions";
import { keysOf } from "../../state/commands";
import { useStore } from "../../state/store";
import type { Hit } from "../../state/words";
import { words } from "../../words";
import { createChats } from "../shell/chats";
import { ShowSidebar } from "../shell/ShowSidebar";
import { StorageBanner } from "../shell/StorageBanner";
import { go, screen } from "../shell/screen";
import { Button, IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { keyShortcuts } from "../ui/Kbd";
import { Picker } from "../ui/Picker";
import { folderName, folderPlace } from "../ui/path";
import { type DateFilter, groupsOf, type HitGroup, keyOf, shownOf, termsOf } from "./hits";
import { Preview } from "./Preview";
import * as query from "./query";
import { dayOf } from "./when";

const w = words.search;

/** Below this width of the window a result is opened at once: there is no room for a preview. */
const previewFrom = 900;
const dates: DateFilter[] = ["any", "day", "week", "month", "year"];

/** whoOf is who wrote what was found. */
export function whoOf(hit: Hit): string {
  return hit.session ? w.blockOf(hit.session) : w.who[hit.kind];
}

/** openHit opens the chat at what was found. */
function openHit(hit: Hit): void {
  if (!hit.itemId) {
    go({ name: "chat", id: hit.chatId });
    return;
  }
  const more = { parentId: hit.parentId, find: termsOf(hit)[0] };
  actions.showPlace(hit.chatId, hit.itemId, hit.pos ?? 0, more);
}

/** SearchScreen looks for words in all chats, and leads to where they stand. */
export function SearchScreen(props: { onShowSidebar?: () => void }) {
  const state = useStore();
  let field!: HTMLInputElement;
  let results!: HTMLElement;

  onMount(() => {
    field.focus();
    field.select();
    if (query.text() !== "") query.again();
  });
  onCleanup(query.stopSearching);
  // Whoever asks for the search again wants to type; some bring the words along.
  createEffect(
    on(screen, (now) => {
      if (now.name !== "search") return;
      if (now.query !== undefined && now.query !== query.text()) query.search(now.query);
      field.focus();
      field.select();
    }),
  );

  const chats = createChats();
  const folders = createMemo(() => {
    const newest = [...chats()].sort((a, b) => b.updatedAt - a.updatedAt).map((chat) => chat.folder);
    return [...new Set(newest)];
  });
  const groups = createMemo(() =>
    groupsOf((query.found()?.hits ?? []).filter((hit) => !state.chats[hit.chatId]?.deletedAt)),
  );
  const shown = createMemo(() => groups().flatMap((group) => shownOf(group, query.whole())));
  const current = createMemo(() => {
    const all = shown();
    return all.find((hit) => keyOf(hit) === query.selected()) ?? all[0];
  });
  const hasPreview = window.matchMedia(`(min-width: ${previewFrom}px)`);
  const [wide, setWide] = createSignal(hasPreview.matches);
  const onWide = () => setWide(hasPreview.matches);
  hasPreview.addEventListener("change", onWide);
  onCleanup(() => hasPreview.removeEventListener("change", onWide));

  const rowOf = (hit: Hit) =>
    [...results.querySelectorAll<HTMLElement>("[data-hit]")].find((row) => row.dataset.hit === keyOf(hit));
  const move = (step: number) => {
    const all = shown();
    const now = current();
    const at = now ? all.indexOf(now) : -1;
    const to = all[Math.min(Math.max(at + step, 0), all.length - 1)];
    if (!to) return;
    query.setSelected(keyOf(to));
    const row = rowOf(to);
    // From the field the list is walked without leaving it.
    if (results.contains(document.activeElement)) row?.focus();
    row?.scrollIntoView?.({ block: "nearest" });
    if (at + step >= all.length - 5) query.showMore();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    // Filters, and their lists, have keys of their own.
    const target = event.target as HTMLElement;
    if (target !== field && !results.contains(target)) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    const hit = current();
    if (step !== undefined) move(step);
    else if (event.key === "Escape" && event.target === field && query.text() !== "") query.search("");
    else if (event.key === "Enter" && hit && !target.closest(".more, .older")) openHit(hit);
    else return;
    event.preventDefault();
  };

  const count = () => {
    const found = query.found();
    if (!found) return "";
    return found.chats > 0 ? w.found(found.total, found.chats) : w.foundSoFar(found.total, found.capped);
  };
  const filtered = () => query.folder() !== "" || query.date() !== "any";
  const rowId = (hit: Hit | undefined) => (hit ? `hit-${shown().indexOf(hit)}` : undefined);

  const Group = (own: { group: HitGroup }) => {
    const rest = () => own.group.hits.length - shownOf(own.group, query.whole()).length;
    return (
      <section aria-label={own.group.title || words.shell.untitled}>
        <h2>
          <span class="trunc">{own.group.title || words.shell.untitled}</span>
          <span class="path">{folderName(own.group.folder)}</span>
          <span class="badge num">{own.group.hits.length}</span>
        </h2>
        <ul>
          <For each={shownOf(own.group, query.whole())}>
            {(hit) => (
              <li>
                <button
                  type="button"
                  id={rowId(hit)}
                  data-hit={keyOf(hit)}
                  class="hitr"
                  aria-current={hit === current() ? "true" : undefined}
                  onFocus={() => query.setSelected(keyOf(hit))}
                  onClick={() => {
                    query.setSelected(keyOf(hit));
                    if (!wide()) openHit(hit);
                  }}
                  onDblClick={() => openHit(hit)}
                >
                  <span class="w">{whoOf(hit)}</span>
                  <time>{dayOf(hit.at, nowFor(hit.at))}</time>
                  <span class="sn2" classList={{ mono: hit.kind === "tool" }}>
                    <For each={hit.snippet}>
                      {(piece) => (piece.hit ? <mark class="m">{piece.text}</mark> : piece.text)}
                    </For>
                  </span>
                </button>
              </li>
            )}
          </For>
          <Show when={rest() > 0}>
            <li>
              <button
                type="button"
                class="more"
                onClick={(event) => {
                  const next = own.group.hits[shownOf(own.group, query.whole()).length];
                  const isByKey = event.detail === 0;
                  query.showAll(own.group.chatId);
                  if (next && isByKey) rowOf(next)?.focus();
                }}
              >
                {w.more(rest())}
              </button>
            </li>
          </Show>
        </ul>
      </section>
    );
  };

  return (
    <main class="main" aria-label={w.title} onKeyDown={onKeyDown}>
      <header class="bar search-bar">
        <Show when={props.onShowSidebar}>{(show) => <ShowSidebar onShow={show()} />}</Show>
        <h1 class="sr">{w.title}</h1>
        <div class="input grow">
          <Icon of={SearchIcon} />
          <input
            ref={field}
            class="grow sel"
            type="search"
            aria-label={w.field}
            aria-keyshortcuts={keyShortcuts(...keysOf("search"))}
            aria-controls="search-results"
            aria-activedescendant={rowId(current())}
            placeholder={w.placeholder}
            spellcheck={false}
            autocomplete="off"
            value={query.text()}
            onInput={(event) => query.search(event.currentTarget.value)}
          />
          <Show when={query.text() !== ""}>
            <IconButton
              small
              icon={X}
              label={w.clear}
              onClick={() => {
                query.search("");
                field.focus();
              }}
            />
          </Show>
        </div>
      </header>
      <StorageBanner />
      <div class="fl">
        <Picker
          name={w.folder}
          icon={<Icon of={Folder} size="sm" />}
          value={query.folder()}
          choices={[
            { value: "", label: w.allFolders },
            ...folders().map((path) => ({ value: path, label: folderName(path), body: folderPlace(path) })),
          ]}
          onChange={(folder) => query.filter({ folder })}
        />
        <Picker
          name={w.date}
          icon={<Icon of={Calendar} size="sm" />}
          value={query.date()}
          choices={dates.map((value) => ({ value, label: w.dates[value] }))}
          onChange={(date) => query.filter({ date: date as DateFilter })}
        />
        <span class="grow" />
        <span class="subtle num" role="status" aria-label={w.count}>
          {count()}
        </span>
      </div>
      <div class="two">
        <section
          ref={results}
          id="search-results"
          class="res"
          aria-label={w.results}
          tabindex="0"
          onScroll={() => {
            if (results.scrollHeight - results.scrollTop - results.clientHeight < 600) query.showMore();
          }}
        >
          <Show when={query.failure()}>
            <div class="res-said" role="alert">
              <p>{w.failed}</p>
              <p class="muted">{query.failure()}</p>
              <Button onClick={query.again}>{w.tryAgain}</Button>
            </div>
          </Show>
          <Show when={query.text().trim() === ""}>
            <p class="res-said muted">{w.start}</p>
          </Show>
          <Show when={query.found()?.reading}>
            <p class="res-said muted">{w.indexing}</p>
          </Show>
          <Show when={query.found() && shown().length === 0 && !query.failure() && query.found()}>
            {(found) => (
              <div class="res-said">
                <p class="muted">{w.none(found().query)}</p>
                <Show when={filtered()}>
                  <Button onClick={() => query.filter({ folder: "", date: "any" })}>{w.clearFilters}</Button>
                </Show>
              </div>
            )}
          </Show>
          <For each={groups()}>{(group) => <Group group={group} />}</For>
          <Show when={query.found()?.more}>
            <button type="button" class="more older" onClick={query.showMore}>
              {w.older}
            </button>
          </Show>
        </section>
        <Show when={wide()}>
          <Show when={current()} fallback={<section class="pre" aria-label={w.preview} />}>
            {(hit) => <Preview hit={hit()} onOpen={() => openHit(hit())} />}
          </Show>
        </Show>
      </div>
    </main>
  );
}
