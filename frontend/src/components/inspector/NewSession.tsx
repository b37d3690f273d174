// Two ways for the user to add a session to the chat: continue a session that Copilot has stored for the
// folder, or fork one of the chat's sessions.

import { Dialog } from "@kobalte/core/dialog";
import { createEffect, createSignal, For, type JSX, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { AgentSession } from "../../state/types";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { createOpener } from "../ui/opener";
import { moment } from "../ui/time";
import { createLoader } from "./loader";
import "./sessions.css";

const t = messages.inspector.sessions;

interface FormProps {
  title: string;
  body: string;
  confirm: string;
  name: string;
  onName(name: string): void;
  ready: boolean;
  submit(): Promise<void>;
  onClose(): void;
  children?: JSX.Element;
}

/**
 * Form is a dialog that asks for a session name. If the name is rejected, the dialog stays open and shows the
 * reason.
 */
function Form(props: FormProps) {
  const opener = createOpener();
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  let field!: HTMLInputElement;
  const submit = () => {
    if (busy() || !props.ready || props.name.trim() === "") return;
    setBusy(true);
    setFailure("");
    props.submit().then(
      () => props.onClose(),
      (thrown) => {
        setBusy(false);
        setFailure(thrown.message);
      },
    );
  };
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay class="dialog-scrim" />
        <div class="dialog-place">
          <Dialog.Content
            class="dialog"
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              opener.opened();
              field.focus();
              field.select();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              opener.closed();
            }}
          >
            <Dialog.Title class="dialog-title">{props.title}</Dialog.Title>
            <Dialog.Description class="muted">{props.body}</Dialog.Description>
            <form
              class="new-session"
              onSubmit={(event) => {
                event.preventDefault();
                submit();
              }}
            >
              {props.children}
              <label class="field">
                <span>{t.nameLabel}</span>
                <input
                  ref={field}
                  class="input"
                  value={props.name}
                  spellcheck={false}
                  autocomplete="off"
                  onInput={(event) => props.onName(event.currentTarget.value)}
                />
              </label>
              <Failure text={failure()} class="c-bad" />
              <div class="dialog-acts">
                <Button large onClick={() => props.onClose()}>
                  {messages.common.cancel}
                </Button>
                <Button
                  large
                  look="primary"
                  type="submit"
                  disabled={busy() || !props.ready || props.name.trim() === ""}
                >
                  {props.confirm}
                </Button>
              </div>
            </form>
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog>
  );
}

/** ForkSession is a dialog that creates a copy of a session with its whole context. */
export function ForkSession(props: { chatId: string; session: string; onClose(): void }) {
  const [name, setName] = createSignal(t.forkName(props.session));
  return (
    <Form
      title={t.forkTitle(props.session)}
      body={t.forkBody}
      confirm={t.forkConfirm}
      name={name()}
      onName={setName}
      ready
      submit={() => actions.forkSession(props.chatId, props.session, name().trim())}
      onClose={props.onClose}
    />
  );
}

/**
 * nameFor derives a session name from a title: lowercase letters, digits and hyphens, at most 40
 * characters.
 */
function nameFor(title: string): string {
  return title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
}

/**
 * ContinueSession is a dialog that adds a stored session to the chat. The user chooses one of the agent's
 * sessions in the chat's folder that isn't in the chat yet, and gives it a name.
 */
export function ContinueSession(props: { chatId: string; onClose(): void }) {
  const state = useStore();
  const agent = () => select.agentOf(state, props.chatId);
  const sessions = createLoader(
    () => props.chatId,
    () => actions.agentSessions(props.chatId),
  );
  const others = () => (sessions.value() ?? []).filter((each) => !each.known);
  const [chosen, setChosen] = createSignal<AgentSession>();
  const [name, setName] = createSignal("");
  let typed = false;
  const choose = (session: AgentSession) => {
    setChosen(session);
    if (!typed) setName(nameFor(session.title) || session.acpId.slice(0, 8));
  };
  createEffect(
    on(sessions.value, () => {
      const first = others()[0];
      if (first && !chosen()) choose(first);
    }),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const all = others();
    const at = all.findIndex((each) => each.acpId === chosen()?.acpId);
    const to = all[{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key] ?? -1];
    if (!to) return;
    event.preventDefault();
    choose(to);
    const list = event.currentTarget as HTMLElement;
    queueMicrotask(() => list.querySelector<HTMLElement>("[aria-checked=true]")?.focus());
  };
  return (
    <Form
      title={t.continueTitle}
      body={t.continueBody(agent())}
      confirm={t.continueConfirm}
      name={name()}
      onName={(text) => {
        typed = true;
        setName(text);
      }}
      ready={chosen() !== undefined}
      submit={() => actions.continueSession(props.chatId, chosen()?.acpId ?? "", name().trim())}
      onClose={props.onClose}
    >
      <Show
        when={sessions.value()}
        fallback={
          <Show
            when={sessions.failure()}
            fallback={
              <p class="muted" role="status">
                {t.continueLoading(agent())}
              </p>
            }
          >
            <div>
              <p class="c-bad" role="alert">
                {sessions.failure()}
              </p>
              <Button onClick={() => sessions.reload()}>{messages.inspector.tryAgain}</Button>
            </div>
          </Show>
        }
      >
        <Show when={others().length > 0} fallback={<p class="muted">{t.continueEmpty(agent())}</p>}>
          <div class="agent-sessions" role="radiogroup" aria-label={t.continueList} onKeyDown={onKeyDown}>
            <For each={others()}>
              {(session) => (
                // biome-ignore lint/a11y/useSemanticElements: it contains two lines of text.
                <button
                  type="button"
                  role="radio"
                  class="opt mo"
                  aria-checked={chosen()?.acpId === session.acpId}
                  tabIndex={chosen()?.acpId === session.acpId ? 0 : -1}
                  title={session.acpId}
                  onClick={() => choose(session)}
                >
                  <span class="radio" />
                  <span class="tx">
                    <span class="trunc">{session.title || t.untitled}</span>
                    <Show when={session.updatedAt > 0}>
                      <span class="ds">{t.used(moment(session.updatedAt, Date.now()))}</span>
                    </Show>
                  </span>
                </button>
              )}
            </For>
          </div>
        </Show>
      </Show>
    </Form>
  );
}
