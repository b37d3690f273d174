import ChevronRight from "lucide-solid/icons/chevron-right";
import Cpu from "lucide-solid/icons/cpu";
import Folder from "lucide-solid/icons/folder";
import GitBranch from "lucide-solid/icons/git-branch";
import { createResource, type JSX, Match, Show, Switch } from "solid-js";
import { toAppError } from "../../bridge";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { visibleText } from "../../lib/format";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { keyOf, type ListedSession, openingOf, titleOf } from "../../state/cliSessionRows";
import { useStore } from "../../state/store";
import type { CLISessionPreview } from "../../state/types";
import { Prose } from "../search/ExcerptEntry";
import { UserText } from "../transcript/UserText";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { moment } from "../ui/time";
import "../search/search.css";
import "./sessions.css";

const t = messages.sessions;

/** Delay in milliseconds between selecting a session and loading its preview. */
const restMillis = 80;

/** Preview is the loaded preview of the current session. */
export interface Preview {
  /** Returns the preview of a session, or undefined if it isn't loaded. */
  of(session: ListedSession): CLISessionPreview | undefined;
  /** Returns the reason why the preview couldn't be loaded, or "". */
  failure(): string;
  again(): void;
}

/** createPreview loads the preview of the current session, and loads it again whenever the session changes. */
export function createPreview(current: () => ListedSession | undefined): Preview {
  // A string doesn't change if the list is replaced by one with an equal session.
  const source = () => {
    const session = current();
    return (
      session &&
      !session.program &&
      JSON.stringify([session.id, session.home ?? "", session.size, session.messages, session.damage ?? ""])
    );
  };
  const [loaded, { refetch }] = createResource(source, async (key) => {
    await new Promise((rest) => setTimeout(rest, restMillis));
    if (source() !== key) return undefined;
    const [id, home] = JSON.parse(key) as [string, string];
    return actions.cliSession(home, id);
  });
  return {
    of(session) {
      const latest = loaded.error ? undefined : loaded.latest;
      return latest && keyOf(latest.session) === keyOf(session) ? latest : undefined;
    },
    failure: () => (loaded.error ? toAppError(loaded.error).message : ""),
    again: () => void refetch(),
  };
}

export interface SessionPreviewProps {
  session: ListedSession;
  preview: Preview;
  /** The action that is running, or "". */
  busy: string;
  failure: string;
  /** Content before the title. */
  back: JSX.Element;
  onOpen(): void;
  onFork(): void;
}

/** SessionPreview shows a summary of a session, and the buttons that open it. */
export function SessionPreview(props: SessionPreviewProps) {
  const state = useStore();
  const found = () => props.preview.of(props.session);
  const model = () => {
    const id = props.session.model ?? "";
    const sessions = Object.values(state.sessions).flatMap((each) => Object.values(each ?? {}));
    const options = sessions.flatMap((session) => session.options ?? []);
    const choices = options.flatMap((option) => (option.category === "model" ? (option.choices ?? []) : []));
    return visibleText(choices.find((choice) => choice.id === id)?.name ?? id);
  };
  const facts = () => {
    const parts = props.session.messages < 0 ? [] : [t.messages(props.session.messages)];
    const files = found()?.files ?? 0;
    if (files > 0) parts.push(t.filesChanged(files));
    return t.facts(parts);
  };
  const work = () => {
    const now = found();
    const { files = 0, added = 0, removed = 0, commands = 0 } = now ?? {};
    const parts = files > 0 ? [messages.chat.work.changes(added, removed, files)] : [];
    if (commands > 0) parts.push(messages.chat.work.commands(commands));
    return parts.join(" · ");
  };
  const last = () => {
    const when = moment(props.session.updatedAt, coarseNow(props.session.updatedAt));
    const holder = props.session.holder;
    if (!holder) return t.last(when);
    if (holder.terminal) return t.lastFrom(when, visibleText(holder.terminal));
    return t.lastFromProgram(when, visibleText(holder.program ?? ""));
  };
  const opening = () => openingOf(props.session);
  const isBusy = () => props.busy !== "";
  return (
    <section class="pre cli-preview" aria-label={t.preview} tabindex="-1">
      <header>
        {props.back}
        <div class="grow">
          <h2 class="title wrap-any">{titleOf(props.session)}</h2>
          <div class="cli-facts">
            <Show when={props.session.folder}>
              {(folder) => (
                <span class="wrap-any">
                  <Icon of={Folder} />
                  {tilde(folder())}
                </span>
              )}
            </Show>
            <Show when={props.session.branch}>
              {(branch) => (
                <span class="wrap-any">
                  <Icon of={GitBranch} />
                  {visibleText(branch())}
                </span>
              )}
            </Show>
            <Show when={model()}>
              {(name) => (
                <span>
                  <Icon of={Cpu} />
                  {name()}
                </span>
              )}
            </Show>
            <Show when={facts()}>{(shown) => <span class="num">{shown()}</span>}</Show>
          </div>
        </div>
      </header>
      <div class="prb">
        <Show when={props.session.program}>
          <p class="muted">{t.noPreview}</p>
        </Show>
        <Show when={!props.session.program && props.preview.failure()}>
          {(why) => (
            <div role="alert">
              <p>{messages.common.sentences(t.previewFailed, why())}</p>
              <Button class="again" onClick={() => props.preview.again()}>
                {t.tryAgain}
              </Button>
            </div>
          )}
        </Show>
        <Show when={found()?.first}>
          {(text) => (
            <article class="msg user sel" aria-label={t.you}>
              <p class="keep">
                <UserText text={text()} />
              </p>
            </article>
          )}
        </Show>
        <Show when={work()}>
          {(shown) => (
            <div class="cop-wrap">
              <div class="copilot-block" data-state="done">
                <div class="pre-block">
                  <Icon of={ChevronRight} size="sm" class="chev" />
                  <span class="bot" aria-hidden="true">
                    🤖
                  </span>
                  <span class="cop-name">
                    {messages.chat.work.copilot} <span class="br">[</span>
                    <span class="sn">{t.terminal}</span>
                    <span class="br">]</span>
                    <Show when={!props.session.holder}>
                      <span class="st">{messages.chat.work.suffix.done}</span>
                    </Show>
                  </span>
                  <span class="cop-meta">{shown()}</span>
                </div>
              </div>
            </div>
          )}
        </Show>
        <Show when={found()?.last}>
          {(text) => (
            <article class="msg user sel" aria-label={t.youLast}>
              <p class="keep">
                <UserText text={text()} />
              </p>
            </article>
          )}
        </Show>
        <Show keyed when={found()?.answer}>
          {(text) => (
            <article class="msg sel" aria-label={t.answer}>
              <Prose text={text} />
            </article>
          )}
        </Show>
      </div>
      <footer class="cli-acts">
        <Failure text={props.failure} class="c-bad" />
        <Switch fallback={<span class="subtle grow">{last()}</span>}>
          <Match when={opening() === "none"}>
            <span class="c-attn grow">
              {props.session.damage === "empty" ? t.nothingLeft : t.nothingReadable}
            </span>
          </Match>
          <Match when={opening() === "rescue"}>
            <span class="c-attn grow">{t.unreadable}</span>
          </Match>
        </Switch>
        <Show when={opening() === "continue" && !props.session.program}>
          <Button
            large
            look={props.session.holder ? "primary" : undefined}
            aria-keyshortcuts="F"
            aria-disabled={isBusy()}
            aria-busy={props.busy === "fork"}
            onClick={() => props.onFork()}
          >
            {t.fork}
          </Button>
        </Show>
        <Show when={opening() !== "none"}>
          <Button
            large
            look={props.session.holder && opening() === "continue" ? undefined : "primary"}
            aria-keyshortcuts="Enter"
            aria-disabled={isBusy()}
            aria-busy={props.busy === "open"}
            onClick={() => props.onOpen()}
          >
            {opening() === "chat" ? t.openChat : opening() === "rescue" ? t.rescue : t.continueHere}
          </Button>
        </Show>
      </footer>
    </section>
  );
}
