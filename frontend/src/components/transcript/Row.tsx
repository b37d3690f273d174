// A transcript entry of any kind.

import { createMemo, type JSX, Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { type Entry, sameEntry } from "../../state/transcript";
import type { Item } from "../../state/types";
import { EventBanner } from "../banner/EventBanner";
import { WentBack } from "../goback/WentBack";
import { type CardControl, PermissionCard } from "../permission/PermissionCard";
import { QuestionCards } from "../question/QuestionCard";
import { ContentView } from "./ContentView";
import { Lines } from "./Lines";
import { CLINote, Message, UserMessage } from "./Message";
import { NextSteps } from "./NextSteps";
import { TurnEnd } from "./TurnEnd";
import { TurnFoot } from "./TurnFoot";
import { Work } from "./Work";
import "./transcript.css";

export interface RowProps {
  find(): Entry | undefined;
  chatId: string;
  folder: string;
  onToggle(): void;
  onCard(card: CardControl | undefined): void;
}

/** Row renders one entry. The entry's kind never changes, but its state does. */
export function Row(props: RowProps) {
  const state = useStore();
  const first = props.find();
  const entry = createMemo<Entry | undefined>((before) => props.find() ?? before, first, {
    equals: sameEntry,
  });
  const as = <K extends Entry["kind"]>(kind: K) => {
    const now = entry();
    return now?.kind === kind ? (now as Extract<Entry, { kind: K }>) : undefined;
  };
  return (
    <Switch>
      <Match when={as("work")}>
        {(work) => (
          <Work chatId={props.chatId} entry={work()} folder={props.folder} onToggle={props.onToggle} />
        )}
      </Match>
      <Match when={as("lines")}>
        {(lines) => (
          <Lines chatId={props.chatId} entry={lines()} folder={props.folder} onToggle={props.onToggle} />
        )}
      </Match>
      <Match when={as("item")}>{(item) => <ItemRow {...item()} folder={props.folder} />}</Match>
      <Match when={as("ask")}>
        {(ask) => (
          <Show when={state.permissions[ask().id]}>
            {(permission) => (
              <Show
                when={permission().question}
                fallback={
                  <PermissionCard
                    request={permission()}
                    folder={props.folder}
                    waiting={ask().waiting}
                    control={props.onCard}
                  />
                }
              >
                <QuestionCards
                  request={permission()}
                  folder={props.folder}
                  waiting={ask().waiting}
                  control={props.onCard}
                />
              </Show>
            )}
          </Show>
        )}
      </Match>
      <Match when={as("next")}>
        {(next) => (
          <NextSteps chatId={props.chatId} folder={props.folder} itemId={next().id} parts={next().parts} />
        )}
      </Match>
      <Match when={as("foot")}>
        {(foot) => (
          <div class="foot-row">
            <TurnFoot chatId={props.chatId} entry={foot()} />
          </div>
        )}
      </Match>
      <Match when={as("back")}>{(back) => <WentBack chatId={back().chatId} />}</Match>
      <Match when={as("end")}>{(end) => <TurnEnd chatId={props.chatId} turnId={end().turnId} />}</Match>
    </Switch>
  );
}

function ItemRow(props: Extract<Entry, { kind: "item" }> & { folder: string }): JSX.Element {
  const state = useStore();
  const who = (item: Item) => select.actor(state, item.chatId, item.turnId);
  return (
    <Show when={state.items[props.id]}>
      {(item) => (
        <Switch>
          <Match when={item().kind === "user"}>
            <UserMessage item={item()} />
          </Match>
          <Match when={item().kind === "message"}>
            <Message item={item()} last={props.last} canRetry={!!props.retry} turnParts={props.sum} />
          </Match>
          <Match when={item().kind === "note"}>
            <CLINote item={item()} />
          </Match>
          <Match when={item().kind === "image"}>
            <Show when={state.contents[state.contentsOf[props.id]?.[0] ?? ""]}>
              {(content) => (
                <ContentView
                  content={content()}
                  folder={props.folder}
                  of={messages.chat.image(who(item()))}
                />
              )}
            </Show>
          </Match>
          <Match when={item().banner}>
            {(banner) => <EventBanner item={item()} banner={banner()} more={props.more} />}
          </Match>
        </Switch>
      )}
    </Show>
  );
}
