// The chat's sessions with their states, statistics and available actions.

import { createMemo, createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { bytes } from "../../lib/format";
import { sameList } from "../../lib/lists";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Process } from "../../state/types";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Failure } from "../ui/Failure";
import { createFacts } from "./facts";
import { ContinueSession, ForkSession } from "./NewSession";
import { Processes } from "./Processes";
import { SessionRow } from "./SessionRow";
import { type SessionView, sessionsOf } from "./sessions";
import "./sessions.css";

const t = messages.inspector.sessions;

/** Actions that require confirmation. */
type Question =
  | { what: "close" | "restart"; name: string }
  | { what: "restartAgent"; name: "" }
  | { what: "stopProcess"; name: string; process: Process };

export interface SessionsProps {
  chatId: string;
  /** Called before an item in the chat is brought into view. */
  onShow(): void;
}

/** Sessions is the inspector's tab that lists the chat's sessions and the agent's processes. */
export function Sessions(props: SessionsProps) {
  const state = useStore();
  const { facts, again } = createFacts(() => props.chatId);
  const views = createMemo(() => sessionsOf(state, props.chatId));
  const byName = createMemo(() => new Map(views().map((view) => [view.name, view])));
  const names = createMemo(() => views().map((view) => view.name), [], {
    equals: sameList,
  });
  const isBusy = (view: SessionView | undefined) => view?.state === "running" || view?.state === "waiting";

  // The open dialog. It forks the session named by `fork` or, if `fork` isn't set, continues a stored session.
  const [beginning, setBeginning] = createSignal<{ fork?: string }>();
  const can = () => select.connection(state, props.chatId).can;
  const canContinue = () => {
    const known = can();
    return !known || known.list === true;
  };

  const [question, setQuestion] = createSignal<Question>();
  const [failure, setFailure] = createSignal("");
  const ask = (next: Question) => {
    setFailure("");
    setQuestion(next);
  };
  const restart = (name: string) => {
    if (isBusy(byName().get(name))) ask({ what: "restart", name });
    else actions.restartSession(props.chatId, name);
  };
  const restartAgent = () => {
    if (views().some(isBusy)) ask({ what: "restartAgent", name: "" });
    else actions.restartAgent(props.chatId);
  };
  const agent = () => select.agentOf(state, props.chatId);
  let foot: HTMLDivElement | undefined;
  const endProcess = async (process: Process) => {
    await actions.stopProcess(props.chatId, process.id ?? "");
    again();
    // The button disappears with its process, and the whole list disappears with the agent, so the focus
    // must be moved.
    const next = process.isAgent ? '[role="tab"][aria-selected="true"]' : ".processes-head";
    foot?.closest("aside")?.querySelector<HTMLElement>(next)?.focus();
  };
  const stopProcess = (process: Process) => {
    const works = process.isAgent && (process.works || views().some(isBusy));
    if (works) ask({ what: "stopProcess", name: agent(), process });
    else void endProcess(process);
  };
  const confirm = () => {
    const now = question();
    if (!now) return;
    if (now.what === "close") {
      actions.closeSession(props.chatId, now.name).then(
        () => setQuestion(undefined),
        (thrown) => setFailure(thrown.message),
      );
      return;
    }
    if (now.what === "restart") actions.restartSession(props.chatId, now.name);
    else if (now.what === "stopProcess") void endProcess(now.process);
    else actions.restartAgent(props.chatId);
    setQuestion(undefined);
  };
  const texts = () => {
    const now = question();
    switch (now?.what) {
      case "restart":
        return { title: t.restartTitle(now.name), body: t.restartBody, confirm: t.restartConfirm };
      case "restartAgent":
        return { title: t.restartAgentTitle(agent()), body: t.restartAgentBody, confirm: t.restartConfirm };
      case "stopProcess": {
        const text = messages.inspector.processes;
        return { title: text.stopTitle(now.name), body: text.stopBody(now.name), confirm: text.stopConfirm };
      }
      default:
        return { title: t.closeTitle(now?.name ?? ""), body: t.closeBody(agent()), confirm: t.closeConfirm };
    }
  };

  const runs = () => {
    const now = select.connection(state, props.chatId);
    return !!now.pid && ["starting", "restoring", "ready"].includes(now.state);
  };
  const memory = () => {
    const size = facts()?.memory ?? 0;
    return size > 0 ? bytes(size) : "";
  };
  return (
    <>
      <Show
        when={names().length > 0}
        fallback={
          <div class="inspector-empty inspector-scroll">
            <p class="muted">{t.empty(agent())}</p>
            <Show when={canContinue()}>
              <Button look="ghost" onClick={() => setBeginning({})}>
                {t.continueOther}
              </Button>
            </Show>
          </div>
        }
      >
        <div class="inspector-scroll">
          <p class="sessions-lead muted">{t.lead}</p>
          <ul aria-label={t.list(agent())}>
            <For each={names()}>
              {(name) => (
                <Show when={byName().get(name)}>
                  {(view) => (
                    <SessionRow
                      chatId={props.chatId}
                      view={view()}
                      work={facts()?.work[name]}
                      canFork={can()?.fork === true}
                      onShow={() => props.onShow()}
                      onFork={() => setBeginning({ fork: name })}
                      onRestart={() => restart(name)}
                      onClose={() => ask({ what: "close", name })}
                    />
                  )}
                </Show>
              )}
            </For>
          </ul>
          <Show when={canContinue()}>
            <Button look="ghost" class="sessions-more" onClick={() => setBeginning({})}>
              {t.continueOther}
            </Button>
          </Show>
        </div>
        <Processes processes={facts()?.processes ?? []} agent={agent()} onOpen={again} onStop={stopProcess} />
        <div ref={foot} class="foot row">
          <span class="subtle num">
            {runs() ? t.process(agent(), names().length, memory()) : t.noProcess(agent(), names().length)}
          </span>
          <span class="grow" />
          <Button onClick={restartAgent}>{t.restartAgent(agent())}</Button>
        </div>
      </Show>
      <Show when={beginning()} keyed>
        {(what) => (
          <Show
            when={what.fork}
            fallback={<ContinueSession chatId={props.chatId} onClose={() => setBeginning(undefined)} />}
          >
            {(session) => (
              <ForkSession
                chatId={props.chatId}
                session={session()}
                onClose={() => setBeginning(undefined)}
              />
            )}
          </Show>
        )}
      </Show>
      <ConfirmDialog
        open={question() !== undefined}
        {...texts()}
        onConfirm={confirm}
        onClose={() => setQuestion(undefined)}
      >
        <Failure text={failure()} class="c-bad" />
      </ConfirmDialog>
    </>
  );
}
