// The sandbox's part of a command's row: the sites that the sandbox blocked, and a button that runs the
// command again outside the sandbox.

import { createSignal, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import type { Item, Tool } from "../../state/types";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { blockedHosts } from "./tool";
import "./tool-row.css";

const t = messages.sandbox.row;

/** canRunOutside reports whether a command can run again outside the sandbox: it ran in the sandbox and failed. */
function canRunOutside(item: Item, tool: Tool): boolean {
  const hasFailed = tool.status === "failed" || !!tool.exitCode || !!tool.signal;
  return !!tool.sandboxed && tool.kind === "execute" && !item.open && hasFailed;
}

/**
 * Sandboxed is the part of a command's row about the sandbox. If the sandbox blocked several sites, it lists all of
 * them. If the command failed, it offers to run the command outside the sandbox. The user is asked again before that
 * happens.
 */
export function Sandboxed(props: { item: Item; tool: Tool }) {
  const [sent, setSent] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const run = () => {
    setSent(true);
    setFailure("");
    actions.runOutside(props.item.id).catch((thrown) => {
      setSent(false);
      setFailure(thrown.message);
    });
  };
  return (
    <>
      <Show when={blockedHosts(props.tool).length > 1}>
        <p class="sandboxed sel">{t.blockedAll(blockedHosts(props.tool))}</p>
      </Show>
      <Show when={canRunOutside(props.item, props.tool)}>
        <div class="sandboxed">
          <Button look="ghost" disabled={sent()} onClick={run}>
            {t.runOutside}
          </Button>
          <Failure text={failure()} />
        </div>
      </Show>
    </>
  );
}
