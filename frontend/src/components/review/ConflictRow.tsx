// The bars of a merge conflict: one at each of its markers, with buttons that resolve the conflict.

import { Match, Switch } from "solid-js";
import { call } from "../../bridge";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { ReviewModel } from "../../state/review";
import type { ConflictMarker, FileView } from "../../state/reviewFile";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { ConflictSide, ReviewConflict } from "../../state/types";
import "./conflict.css";

const t = messages.review.conflict;

/** A marker of a conflict. `at` is the 0-based index of the conflict in the file. */
export interface ConflictPlace {
  conflict: ReviewConflict;
  marker: ConflictMarker;
  at: number;
}

/**
 * conflictOf returns the conflict marker that the row with the given ID shows, or undefined if the row shows something
 * else.
 */
export function conflictOf({ diff }: FileView, id: string): ConflictPlace | undefined {
  const [kind, at, marker] = id.split(":");
  const conflict = kind === "conflict" ? diff?.conflicts?.[Number(at)] : undefined;
  return conflict && { conflict, marker: marker as ConflictMarker, at: Number(at) };
}

export interface ConflictRowProps extends ConflictPlace {
  model: ReviewModel;
  file: FileView;
  /** Opens the file in the editor, at a 1-based line. */
  onEdit(line: number): void;
  /** Puts a message into the composer. */
  onAsk(message: string): void;
}

/** ConflictRow is the bar at one marker of a merge conflict. */
export function ConflictRow(props: ConflictRowProps) {
  const state = useStore();
  const { model, file, conflict, marker, at } = props;
  const n = at + 1;
  const agent = () => select.agentOf(state, model.chatId);
  const ours = t.ours(visibleText(conflict.ours));
  const theirs = t.theirs(visibleText(conflict.theirs));
  const use = async (side: ConflictSide, name: string) => {
    const resolution = {
      source: model.source,
      path: file.path,
      version: file.version,
      start: conflict.start,
      use: side,
    };
    const done = await model.reverts.change(file, () => call("ReviewResolve", model.chatId, resolution), {
      lines: conflict.end - conflict.start + 1,
      place: file.path,
      at: conflict.start,
      hunk: file.hunkAt(conflict.start),
      resolved: name,
    });
    if (done) model.announce(t.resolved(name));
  };
  const Side = (own: { name: string; side: ConflictSide }) => (
    <>
      <span class="trunc">{own.name}</span>
      <button
        type="button"
        class="hb"
        aria-label={t.useName(own.name)}
        disabled={model.isBusy()}
        onClick={() => void use(own.side, own.name)}
      >
        {t.use}
      </button>
    </>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form.
    <div
      class="cfl"
      classList={{ below: file.rows.input.split }}
      role="group"
      aria-label={t.name(n, file.diff?.conflicts?.length ?? n)}
    >
      <Switch>
        <Match when={marker === "start"}>
          <Side name={ours} side="ours" />
        </Match>
        <Match when={marker === "base"}>
          <span class="trunc">{t.base}</span>
        </Match>
        <Match when={marker === "middle"}>
          <Side name={theirs} side="theirs" />
        </Match>
        <Match when={marker === "end"}>
          <span class="grow" />
          <button
            type="button"
            class="hb"
            aria-label={t.bothName(n)}
            disabled={model.isBusy()}
            onClick={() => void use("both", t.bothSides)}
          >
            {t.both}
          </button>
          <button
            type="button"
            class="hb"
            aria-label={t.editName(n)}
            onClick={() => props.onEdit(conflict.start + 1)}
          >
            {t.edit}
          </button>
          <button
            type="button"
            class="hb"
            aria-label={t.askName(agent(), n)}
            onClick={() =>
              props.onAsk(t.message(visibleText(file.path), conflict.start + 1, conflict.end + 1))
            }
          >
            {t.ask(agent())}
          </button>
        </Match>
      </Switch>
    </div>
  );
}
