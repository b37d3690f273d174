import Pencil from "lucide-solid/icons/pencil";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import X from "lucide-solid/icons/x";
import { createMemo, createSignal, For, Show } from "solid-js";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Rule } from "../../state/words";
import { words } from "../../words";
import { Button, IconButton } from "../ui/Button";
import { Ask } from "../ui/Dialog";
import { Icon } from "../ui/Icon";
import { folderName, tilde } from "../ui/path";
import { date } from "../ui/when";
import { Failure } from "./parts";

const w = words.settings.permissions;

/** Permissions are the rules that the user made with "Always allow". */
export function Permissions() {
  const state = useStore();
  const rules = createMemo(() => Object.values(state.rules).sort((a, b) => b.createdAt - a.createdAt));
  const [asking, setAsking] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const name = (rule: Rule) => (rule.scope.kind === "edits" ? w.edits : (rule.scope.command ?? ""));
  const remove = async (which: Rule[]) => {
    setFailure("");
    try {
      for (const rule of which) await actions.removeRule(rule.id);
      setAsking(false);
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <>
      <p class="muted set-lead">{w.lead}</p>
      <h2 class="tight">{w.rules}</h2>
      <Show when={rules().length > 0} fallback={<p class="subtle">{w.none}</p>}>
        <table class="tbl" aria-label={w.table}>
          <thead>
            <tr>
              <th>{w.allow}</th>
              <th>{w.folder}</th>
              <th>{w.since}</th>
              <th>
                <span class="sr">{w.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <For each={rules()}>
              {(rule) => (
                <tr>
                  <td>
                    <span class="row">
                      <Icon
                        of={rule.scope.kind === "edits" ? Pencil : SquareTerminal}
                        size="sm"
                        class="subtle"
                      />
                      <span class={rule.scope.kind === "edits" ? "" : "mono rule-command sel"}>
                        {name(rule)}
                      </span>
                    </span>
                  </td>
                  <td class="muted" title={tilde(rule.scope.folder)}>
                    {folderName(rule.scope.folder)}
                  </td>
                  <td class="subtle num">{date(rule.createdAt, Date.now())}</td>
                  <td>
                    <IconButton
                      small
                      icon={X}
                      label={w.remove(name(rule))}
                      onClick={() => void remove([rule])}
                    />
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
        <div class="row set-after">
          <Button large onClick={() => setAsking(true)}>
            {w.removeAll}
          </Button>
        </div>
      </Show>
      <Failure text={failure()} />
      <Ask
        open={asking()}
        title={w.removeAllTitle}
        body={w.removeAllBody}
        confirm={w.removeAllConfirm}
        onConfirm={() => void remove(rules())}
        onClose={() => setAsking(false)}
      >
        <Failure text={failure()} />
      </Ask>
    </>
  );
}
