// The preview of a request: the agent's explanation, the changes to each file, or the whole command with
// invisible characters shown by name.

import { createMemo, createResource, createSignal, For, Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { type DiffRow, parseDiff, pieces } from "../../lib/diff";
import { bytes, count, visibleText } from "../../lib/format";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Permission } from "../../state/types";
import { Counts } from "../transcript/Counts";
import { displayPath, filesIn } from "../transcript/tool";
import { VisibleText } from "../transcript/VisibleText";
import { Changes } from "./Changes";
import { Files } from "./Files";
import { Harm, Marked } from "./Harm";
import {
  changedLines,
  commandContext,
  type FileChange,
  firstChange,
  groupsOf,
  linesPerFile,
  shownFiles,
  verbOf,
} from "./parts";
import "./permission.css";

/** Number of rows per file that are shown at first. */
const firstRows = 10;
/** Number of bytes per change that are loaded at first. */
const firstBytes = 256 * 1024;
/** An agent's explanation with more characters than this is rendered as virtualized rows. */
const longTextChars = 20_000;

/** The loaded content of a request: the changes to its files, or a text. */
interface Body {
  rows: Record<string, DiffRow[]>;
  /**
   * Names of the files that the request doesn't list; loaded only after the user has asked for all
   * content.
   */
  names: string[];
  text: string;
  /** The agent's explanation. */
  agentText: string;
  /**
   * IDs of the contents that aren't completely loaded; `size` is the total size of all contents in bytes.
   */
  cut: string[];
  size: number;
}

/**
 * kindsOf describes how many files a request edits, creates and deletes, or returns "" if some of them
 * aren't listed.
 */
export function kindsOf(request: Permission): string {
  if (request.files?.some((file) => file.more)) return "";
  const groups = groupsOf(request);
  const of = (verb: FileChange["verb"]) => groups.filter((file) => verbOf(request, file) === verb).length;
  return messages.card.kinds(of("edit"), of("create"), of("delete"));
}

/** createPreview loads the content of a request and derives the data that the card shows. */
export function createPreview(request: () => Permission) {
  const state = useStore();
  const [all, setAll] = createSignal(false);
  const [opened, setOpened] = createSignal<string[]>([]);
  const facts = (id: string | undefined) => state.contents[id ?? ""];
  const isDiff = () => !!request().files?.length || facts(request().contentId)?.type === "diff";
  /** Whether the request contains a command in addition to file changes. */
  const isMixed = () => !!request().files?.length && facts(request().contentId)?.type === "command";
  /** The entry that represents all files beyond the maximum number that a request lists. */
  const rest = () => request().files?.find((file) => file.more);
  const groups = createMemo(() => {
    const found = groupsOf(request());
    const [only] = found;
    if (only && only.path === "") only.path = facts(request().contentId)?.path ?? "";
    return found;
  });
  /** Paths of files that exceed the initial limit but are loaded completely, because the user opened them. */
  const [whole, setWhole] = createSignal<string[]>([]);
  const isOpen = (path: string) => all() || opened().includes(path);

  const load = async (diffs: boolean): Promise<Body> => {
    const body: Body = { rows: {}, names: [], text: "", agentText: "", cut: [], size: 0 };
    const { textId, contentId } = request();
    if (textId) body.agentText = await actions.wholeContent(textId);
    const names = all() ? rest()?.contentId : undefined;
    if (names) body.names = (await actions.wholeContent(names)).replace(/\n$/, "").split("\n");
    if (contentId && (!diffs || isMixed())) body.text = await actions.wholeContent(contentId);
    if (!diffs) return body;
    for (const { path, contentIds } of groups()) {
      for (const id of contentIds) {
        const it = await actions.bodyStart(id, isOpen(path) ? Number.POSITIVE_INFINITY : firstBytes);
        if (!it.whole) body.cut.push(id);
        body.size += it.size;
        body.rows[id] = pieces(parseDiff(it.text));
      }
    }
    return body;
  };
  // An unchanged request isn't loaded again.
  const wanted = createMemo(() => {
    const ids = groups().flatMap(({ contentIds }) => contentIds);
    const known = [...ids, request().textId, ...(isMixed() ? [request().contentId] : [])].map((id) => [
      id,
      facts(id)?.version,
    ]);
    const there = isDiff() || facts(request().contentId)?.version !== undefined || !!request().textId;
    return there ? JSON.stringify([isDiff(), all(), known, whole()]) : "";
  });
  const [pull, { refetch }] = createResource(
    () => wanted() || undefined,
    () => load(isDiff()),
  );
  const body = () => (pull.error ? undefined : pull.latest);

  const files = createMemo<FileChange[]>(() => {
    const list = groups();
    const single = list.length === 1 && !rest();
    const share = single ? firstRows : linesPerFile(list.length, window.innerHeight);
    return list.map(({ path, contentIds }, at) => {
      const rows = contentIds.flatMap((id) => body()?.rows[id] ?? []);
      const sum = (of: "added" | "removed") => contentIds.reduce((n, id) => n + (facts(id)?.[of] ?? 0), 0);
      const from = single ? Math.max(0, firstChange(rows) - 1) : firstChange(rows);
      const isHead = !single && at >= shownFiles && !isOpen(path);
      const part = isOpen(path) ? rows : isHead ? [] : rows.slice(from, from + share);
      const cut = contentIds.some((id) => body()?.cut.includes(id));
      const lines = cut ? sum("added") + sum("removed") : changedLines(rows);
      return {
        path,
        verb: verbOf(request(), { path, contentIds }),
        rows: contentIds.length > 0 ? part : undefined,
        added: sum("added"),
        removed: sum("removed"),
        isHead,
        more: isOpen(path) ? 0 : Math.max(0, lines - changedLines(part)),
      };
    });
  });
  const isCut = () => files().some((file) => file.more > 0);
  const isMore = () => !all() && (isCut() || !!rest()?.contentId);
  const lines = () => Object.values(body()?.rows ?? {}).reduce((n, rows) => n + changedLines(rows), 0);
  const label = () => {
    if (body()?.cut.length) return messages.chat.showAllOf(bytes(body()?.size ?? 0));
    return isCut()
      ? messages.chat.showAllLines(count(lines()))
      : messages.chat.showAllFiles(count(filesIn(request())));
  };
  const sum = (of: "added" | "removed") => files().reduce((n, file) => n + (file[of] ?? 0), 0);

  /** Facts shows the counts, and the button that loads all content, on the right of the card's heading. */
  const Facts = () => (
    <>
      <Show when={isDiff()}>
        <Counts added={sum("added")} removed={sum("removed")} />
      </Show>
      <Show when={isMore()}>
        <button
          type="button"
          class="link"
          onClick={({ currentTarget }) => {
            const card = currentTarget.closest(".perm");
            const focused = document.activeElement === currentTarget;
            setAll(true);
            // The button is removed, so the focus moves to the content that it revealed.
            if (focused) card?.querySelector<HTMLElement>(".changes")?.focus({ preventScroll: true });
          }}
        >
          {label()}
        </button>
      </Show>
    </>
  );
  return {
    text: () => body()?.text,
    says: () => body()?.agentText ?? "",
    failed: () => !!pull.error,
    loading: () => pull.loading && !pull.latest,
    refetch,
    isDiff,
    isMixed,
    files,
    open: (path: string) => {
      setOpened((paths) => [...paths, path]);
      const group = groups().find((file) => file.path === path);
      if (group?.contentIds.some((id) => body()?.cut.includes(id))) setWhole((paths) => [...paths, path]);
    },
    /** The unlisted files; `names` is empty until the user has asked for all content. */
    more: () => ({ count: rest()?.more ?? 0, names: body()?.names ?? [] }),
    Facts,
  };
}

export interface PreviewProps {
  request: Permission;
  folder: string;
  of: ReturnType<typeof createPreview>;
}

/** AgentText shows the agent's explanation of its request. */
function AgentText(props: { text: string; label: string }) {
  const rows = (): DiffRow[] =>
    props.text.split("\n").map((text) => ({ kind: "same", number: 0, text, rest: true }));
  return (
    <Show
      when={props.text.length > longTextChars}
      fallback={
        <section class="out agent-text sel" dir="auto" aria-label={props.label} tabindex="0">
          <VisibleText text={props.text} />
        </section>
      }
    >
      <Changes of={[{ path: "", rows: pieces(rows()) }]} folder="" label={props.label} named={false} wraps />
    </Show>
  );
}

/** Preview renders the content of a permission request: the agent's explanation, the changes, or the command. */
export function Preview(props: PreviewProps) {
  const state = useStore();
  const who = () => select.requesterOf(state, props.request).who;
  const isCommand = () => props.request.kind === "execute" || props.of.isMixed();
  const text = () => props.of.text() || (props.request.contentId ? "" : (props.request.command ?? ""));
  const single = () => props.of.files().length === 1 && props.of.more().count === 0;
  const only = () => props.of.files()[0];
  const says = () => props.of.says();
  const place = createMemo(() => commandContext(text()));
  const Command = () => (
    <>
      <div class="ph">
        <span class={place().folder ? "c-attn" : "subtle"}>
          {place().folder ? messages.card.runsIn : messages.chat.request.where}
        </span>
        <span class="mono trunc">{visibleText(tilde(place().folder || props.folder))}</span>
      </div>
      <For each={place().variables}>
        {(variable) => (
          <div class="ph">
            <span class="c-attn">{messages.card.variables}</span>
            <span class="mono trunc">{visibleText(variable)}</span>
          </div>
        )}
      </For>
      <section class="out command sel" aria-label={messages.chat.request.command} tabindex="0">
        <span class="a-dim">$ </span>
        <Marked text={text()} marks={props.request.marks ?? []} />
      </section>
    </>
  );
  return (
    <div class="prev">
      <Show when={says()}>
        {(text) => <AgentText text={text()} label={messages.card.agentText(who())} />}
      </Show>
      <Switch
        fallback={
          <Show when={says() === ""}>
            <p class="out-note">
              {props.request.kind === "delete"
                ? messages.card.noDeletion
                : messages.chat.request.noPreview(who())}
            </p>
          </Show>
        }
      >
        <Match when={props.of.failed()}>
          <p class="out-note">
            {messages.chat.request.previewFailed}{" "}
            <button type="button" class="link" onClick={() => void props.of.refetch()}>
              {messages.chat.tryAgain}
            </button>
          </p>
        </Match>
        <Match when={props.of.loading()}>
          <p class="out-note">{messages.chat.loading}</p>
        </Match>
        <Match when={props.of.isMixed()}>
          <Command />
          <Files
            of={props.of.files()}
            more={props.of.more()}
            folder={props.folder}
            who={who()}
            onOpen={props.of.open}
          />
        </Match>
        <Match when={props.of.isDiff() && single()}>
          <Changes
            of={[{ path: only()?.path ?? "", rows: only()?.rows }]}
            emptyNote={messages.chat.request.noPreview(who())}
            folder={props.folder}
            label={messages.chat.request.change(displayPath(only()?.path ?? "", props.folder))}
            named={false}
            wraps
          />
        </Match>
        <Match when={props.of.isDiff()}>
          <Files
            of={props.of.files()}
            more={props.of.more()}
            folder={props.folder}
            who={who()}
            onOpen={props.of.open}
          />
        </Match>
        <Match when={isCommand() && text() !== ""}>
          <Command />
        </Match>
        <Match when={text() !== ""}>
          <section class="out command sel" aria-label={messages.chat.request.details} tabindex="0">
            <VisibleText text={text()} />
          </section>
        </Match>
      </Switch>
      <Show when={props.request.marks?.length ? props.request.marks : undefined}>
        {(marks) => <Harm marks={marks()} />}
      </Show>
    </div>
  );
}
