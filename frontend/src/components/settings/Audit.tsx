import { createSignal, For, onMount, Show } from "solid-js";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Permission } from "../../state/words";
import { words } from "../../words";
import { titleOf } from "../shell/ChatRow";
import { askTitle } from "../transcript/tool";
import { Button } from "../ui/Button";
import { moment } from "../ui/when";
import { Failure } from "./parts";

const w = words.settings.permissions;
const pageSize = 50;

/** decided is who decided, and how. */
function decided(p: Permission): string {
  if (p.state === "open") return w.open;
  if (p.ruleId && p.decision === "rejected") return w.byRuleNo;
  if (p.ruleId && p.decision === "always_allowed") return w.byRule;
  if (p.mode) return w.byMode(words.chat.modes[p.mode]);
  return p.decision ? w.byUser[p.decision] : "";
}

/** Audit lists every request and what became of it, the newest first. */
export function Audit() {
  const state = useStore();
  const [list, setList] = createSignal<Permission[]>([]);
  const [more, setMore] = createSignal(false);
  const [loaded, setLoaded] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const load = async () => {
    setFailure("");
    try {
      const page = await actions.audit(list().at(-1)?.createdAt ?? 0, pageSize);
      const known = new Set(list().map((p) => p.id));
      setList([...list(), ...page.filter((p) => !known.has(p.id))]);
      setMore(page.length === pageSize);
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setLoaded(true);
  };
  onMount(() => void load());
  return (
    <>
      <Show
        when={list().length > 0}
        fallback={
          <Show when={loaded() && failure() === ""}>
            <p class="subtle">{w.auditNone}</p>
          </Show>
        }
      >
        <table class="tbl" aria-label={w.audit}>
          <thead>
            <tr>
              <th>{w.when}</th>
              <th>{w.chat}</th>
              <th>{w.request}</th>
              <th>{w.decision}</th>
            </tr>
          </thead>
          <tbody>
            <For each={list()}>
              {(p) => (
                <tr>
                  <td class="subtle num nowrap">{moment(p.createdAt, Date.now())}</td>
                  <td class="muted">{titleOf(state.chats[p.chatId])}</td>
                  <td>
                    <span class={p.command ? "mono rule-command sel" : "sel"}>
                      {p.command || askTitle(p, state.chats[p.chatId]?.folder ?? "")}
                    </span>
                  </td>
                  <td class="muted">{decided(p)}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </Show>
      <Failure text={failure()} />
      <Show when={more() || failure() !== ""}>
        <div class="row set-after">
          <Button large onClick={() => void load()}>
            {failure() === "" ? w.auditMore : words.chat.tryAgain}
          </Button>
        </div>
      </Show>
    </>
  );
}
