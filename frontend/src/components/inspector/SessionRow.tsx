import ArrowUp from "lucide-solid/icons/arrow-up";
import Circle from "lucide-solid/icons/circle";
import Copy from "lucide-solid/icons/copy";
import Ellipsis from "lucide-solid/icons/ellipsis";
import Hand from "lucide-solid/icons/hand";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import Unplug from "lucide-solid/icons/unplug";
import { createSignal, Match, onMount, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { createNow } from "../../lib/clock";
import { coarseNow } from "../../lib/coarseClock";
import { actions } from "../../state/actions";
import { raw, useStore } from "../../state/store";
import { requestView, showRequest } from "../../state/transcriptView";
import type { SessionStats } from "../../state/types";
import { InlineEdit } from "../shell/InlineEdit";
import { requestSummary, targetOf } from "../transcript/tool";
import { Button, IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";
import { durationText, moment } from "../ui/time";
import { isMain, lastBlockOf, replacedAt, type SessionView } from "./sessions";
import "./sessions.css";

const t = messages.inspector.sessions;

export interface SessionRowProps {
  chatId: string;
  view: SessionView;
  work?: SessionStats;
  /** Whether the agent can fork sessions. */
  canFork: boolean;
  onShow(): void;
  onFork(): void;
  onRestart(): void;
  onClose(): void;
}

/** WorkTime shows how long a session has worked, including the running turn. */
function WorkTime(props: { before: number; since?: number }) {
  const now = createNow();
  return <>{durationText(props.before + (props.since ? Math.max(0, now() - props.since) : 0))}</>;
}

/** SessionRow shows one session in the list. */
export function SessionRow(props: SessionRowProps) {
  const state = useStore();
  let row!: HTMLLIElement;
  const name = () => props.view.name;
  const folder = () => state.chats[props.chatId]?.folder ?? "";
  const [renaming, setRenaming] = createSignal(false);
  const [writing, setWriting] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const attempt = (work: Promise<unknown>) => {
    setFailure("");
    work.catch((thrown) => setFailure(thrown.message));
  };

  const show = () => {
    props.onShow();
    requestView({ chatId: props.chatId, session: name() });
  };
  const openRequest = () => {
    props.onShow();
    showRequest(props.chatId);
    setTimeout(() => document.querySelector<HTMLElement>(".main .perm")?.focus());
  };
  const turns = () => {
    const n = props.work?.turns ?? 0;
    return n > 0 ? t.turns(n) : "";
  };
  const when = (at: number) => moment(at, Math.max(coarseNow(at), at));
  const replaced = () => {
    const at = replacedAt(state, props.chatId, name());
    return at > 0 ? t.replaced(when(at)) : t.replacedNext;
  };
  const tool = () => {
    const now = props.view.tool;
    return now ? t.activity(now.kind, targetOf(now, folder())) : "";
  };
  const wants = () => {
    const request = props.view.request;
    return request ? t.wants(requestSummary(request)) : "";
  };
  const context = () => {
    const session = state.sessions[props.chatId]?.[name()];
    const [used, size] = [session?.used ?? 0, session?.size ?? 0];
    return used > 0 && size > 0 ? t.context(Math.round((100 * used) / size)) : "";
  };
  const toMenu = () => row.querySelector<HTMLElement>("[aria-haspopup]")?.focus();

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "F2" || isMain(props.view)) return;
    event.preventDefault();
    event.stopPropagation();
    setRenaming(true);
  };
  const own = () =>
    isMain(props.view)
      ? []
      : [
          { label: t.write, onSelect: () => setTimeout(() => setWriting(true)) },
          { label: t.rename, fact: "F2", onSelect: () => setTimeout(() => setRenaming(true)) },
        ];
  return (
    <li ref={row} class="session" data-state={props.view.state} onKeyDown={onKeyDown}>
      <span class="g">
        <Switch fallback={<Icon of={Circle} size="sm" class="subtle" />}>
          <Match when={props.view.state === "running"}>
            <Icon of={LoaderCircle} size="sm" class="spin c-cop" />
          </Match>
          <Match when={props.view.state === "waiting"}>
            <Icon of={Hand} size="sm" class="c-attn" />
          </Match>
          <Match when={props.view.state === "lost"}>
            <Icon of={Unplug} size="sm" class="c-attn" />
          </Match>
        </Switch>
      </span>
      <div class="row session-name">
        <Show
          when={renaming()}
          fallback={
            <>
              <span class="strong-medium c-cop trunc">{name()}</span>
              <span class="muted nowrap">{t.states[props.view.state]}</span>
            </>
          }
        >
          <InlineEdit
            class="grow"
            label={t.renameLabel}
            value={name()}
            onSave={(to) => attempt(actions.renameSession(props.chatId, name(), to))}
            onDone={(byKey) => {
              setRenaming(false);
              if (byKey) queueMicrotask(toMenu);
            }}
          />
        </Show>
      </div>
      <p class="subtle session-facts num">
        <Switch
          fallback={
            <Facts
              parts={[
                turns(),
                (props.work?.workMillis ?? 0) >= 1000 && t.work(durationText(props.work?.workMillis ?? 0)),
                props.view.usedAt > 0 && t.lastUsed(when(props.view.usedAt)),
                context(),
              ]}
            />
          }
        >
          <Match when={props.view.state === "lost"}>{replaced()}</Match>
          <Match when={props.view.state === "waiting"}>
            <Facts parts={[turns(), wants()]} />
          </Match>
          <Match when={props.view.state === "running"}>
            <Show when={turns()}>{turns()} · </Show>
            <WorkTime before={props.work?.workMillis ?? 0} since={props.view.turn?.startedAt} />
            <Show when={tool()}> · {tool()}</Show>
          </Match>
        </Switch>
      </p>
      <div class="row session-acts">
        <Show when={props.view.state === "waiting"} fallback={<Button onClick={show}>{t.show}</Button>}>
          <Button look="primary" onClick={openRequest}>
            {t.showRequest}
          </Button>
        </Show>
        <Show when={props.view.state === "running"}>
          <Button
            aria-label={t.stopLabel(name())}
            onClick={() => {
              const block = props.view.turn?.blockId;
              if (block) actions.stopBlock(props.chatId, block);
              else actions.stop(props.chatId);
            }}
          >
            {t.stop}
          </Button>
        </Show>
        <span class="grow" />
        <Show when={props.view.acpId}>
          {(id) => (
            <IconButton
              small
              icon={Copy}
              label={t.copyId}
              title={id()}
              onClick={() => attempt(actions.copy(id()))}
            />
          )}
        </Show>
        <Menu
          label={t.actions}
          triggerClass="ib sm"
          placement="bottom-end"
          trigger={<Icon of={Ellipsis} size="sm" />}
          groups={[
            ...(own().length > 0 ? [{ entries: own() }] : []),
            {
              entries: [
                ...(props.canFork && props.view.acpId && props.view.state !== "lost"
                  ? [{ label: t.fork, onSelect: () => props.onFork() }]
                  : []),
                { label: t.restart, onSelect: () => props.onRestart() },
                ...(isMain(props.view) ? [] : [{ label: t.close, onSelect: () => props.onClose() }]),
              ],
            },
          ]}
        />
      </div>
      <Show when={writing()}>
        <SessionMessageForm
          chatId={props.chatId}
          session={name()}
          onDone={(sent) => {
            setWriting(false);
            if (sent) props.onShow();
            else queueMicrotask(toMenu);
          }}
        />
      </Show>
      <Failure text={failure()} class="session-wide c-bad" />
    </li>
  );
}

/** Facts joins its parts with middle dots and omits empty ones. */
function Facts(props: { parts: (string | false)[] }) {
  return <>{props.parts.filter((part) => part).join(" · ")}</>;
}

/** SessionMessageForm sends a user message to the session. */
function SessionMessageForm(props: { chatId: string; session: string; onDone(sent: boolean): void }) {
  let field!: HTMLTextAreaElement;
  const [text, setText] = createSignal("");
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  onMount(() => field.focus());
  const send = () => {
    if (text().trim() === "" || busy()) return;
    setBusy(true);
    setFailure("");
    const before = lastBlockOf(raw(), props.chatId, props.session);
    actions.sendTo(props.chatId, props.session, text()).then(
      () => {
        requestView({ chatId: props.chatId, session: props.session, after: before });
        props.onDone(true);
      },
      (thrown) => {
        setBusy(false);
        setFailure(thrown.message);
      },
    );
  };
  return (
    <form
      class="session-wide write-to"
      aria-label={t.writeLabel(props.session)}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        class="input sel"
        rows="2"
        aria-label={t.writeLabel(props.session)}
        placeholder={t.writePlaceholder(props.session)}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          // While an input method composes, Enter belongs to it.
          if (event.isComposing || event.keyCode === 229) return;
          if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            send();
          }
          if (event.key === "Escape") props.onDone(false);
        }}
      />
      <button type="submit" class="send" aria-label={t.send} disabled={text().trim() === "" || busy()}>
        <Icon of={ArrowUp} />
      </button>
      <Failure text={failure()} class="c-bad" />
    </form>
  );
}
