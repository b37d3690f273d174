import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Permission } from "../../state/types";
import { titleOf } from "../shell/ChatRow";
import { displayPath as named, requestTitle } from "../transcript/tool";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Select } from "../ui/fields";
import { moment } from "../ui/time";
import { ruleName } from "./Rules";

const t = messages.settings.permissions;
/** Number of requests per page. Each click on the button below the list shows this many more requests. */
const pageSize = 50;
/** Maximum number of pages loaded at once to find matching requests. */
const maxPages = 20;

type Decider = "user" | "rule" | "mode" | "nobody";

/** deciderOf returns how a request was decided: by the user, a rule or a mode, or not at all. */
function deciderOf(p: Permission): Decider {
  if (p.state !== "decided") return "nobody";
  if (p.ruleId) return "rule";
  return p.mode ? "mode" : "user";
}

/** requestText returns the command or site of a request, or "" if it has none. */
function requestText(p: Permission): string {
  const text = visibleText(p.command ?? "");
  if (text !== "" && p.sandbox === "site") return messages.sandbox.card.connects(text);
  if (text !== "" && p.sandbox === "leaves") return messages.sandbox.card.runsOutside(text);
  return text;
}

/** decisionText describes how a request was decided. */
function decisionText(p: Permission, rule: string): string {
  if (p.state === "open") return t.open;
  if (p.ruleId && p.decision === "rejected") return t.byRuleNo(rule);
  if (p.ruleId && p.decision === "always_allowed") return t.byRule(rule);
  if (p.mode) return t.byMode(messages.chat.modes[p.mode]);
  return p.decision ? t.byUser[p.decision] : "";
}

/** Audit lists all requests with their outcomes, newest first. */
export function Audit() {
  const state = useStore();
  const [list, setList] = createSignal<Permission[]>([]);
  const [more, setMore] = createSignal(true);
  const [loading, setLoading] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const [chat, setChat] = createSignal("");
  const [who, setWho] = createSignal<Decider | "">("");
  const [wanted, setWanted] = createSignal(pageSize);
  const shown = createMemo(() =>
    list().filter((p) => (chat() === "" || p.chatId === chat()) && (who() === "" || deciderOf(p) === who())),
  );
  const chats = createMemo(() =>
    Object.values(state.chats)
      .sort((a, b) => b.updatedAt - a.updatedAt)
      .map((each) => ({ value: each.id, label: titleOf(each) })),
  );
  /** Loads pages until enough requests match or the maximum number of pages is reached. */
  const fill = async () => {
    setFailure("");
    if (loading()) return;
    setLoading(true);
    try {
      for (let pages = 0; more() && shown().length < wanted() && pages < maxPages; pages++) {
        const page = await actions.audit(list().at(-1)?.createdAt ?? 0, pageSize);
        const known = new Set(list().map((p) => p.id));
        setMore(page.length === pageSize);
        setList([...list(), ...page.filter((p) => !known.has(p.id))]);
      }
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setLoading(false);
  };
  createEffect(
    on([chat, who], () => {
      setWanted(pageSize);
      void fill();
    }),
  );
  const older = () => {
    setWanted(shown().length + pageSize);
    void fill();
  };
  const rule = (p: Permission) => {
    const made = state.rules[p.ruleId ?? ""];
    return made ? ruleName(made) : "";
  };
  return (
    <>
      <div class="row wrap set-filters">
        <Select
          label={t.auditChat}
          value={chat()}
          choices={[{ value: "", label: t.auditEveryChat }, ...chats()]}
          onChange={setChat}
        />
        <Select<Decider | "">
          label={t.auditDecision}
          value={who()}
          choices={[
            { value: "", label: t.auditEveryDecision },
            ...(["user", "rule", "mode", "nobody"] as const).map((value) => ({
              value,
              label: t.auditBy[value],
            })),
          ]}
          onChange={setWho}
        />
      </div>
      <Show
        when={shown().length > 0}
        fallback={
          <Show when={!loading() && failure() === ""}>
            <p class="subtle">{list().length > 0 ? t.auditNoMatch : t.auditNone}</p>
          </Show>
        }
      >
        <table class="tbl" aria-label={t.audit}>
          <thead>
            <tr>
              <th>{t.when}</th>
              <th>{t.chat}</th>
              <th>{t.request}</th>
              <th>{t.decision}</th>
            </tr>
          </thead>
          <tbody>
            <For each={shown()}>
              {(p) => (
                <tr>
                  <td class="subtle num nowrap">{moment(p.createdAt, Date.now())}</td>
                  <td class="muted">{titleOf(state.chats[p.chatId])}</td>
                  <td>
                    <span class={p.command ? "mono rule-command sel" : "sel"}>
                      {requestText(p) || requestTitle(p, state.chats[p.chatId]?.folder ?? "")}
                    </span>
                    <For each={[...new Set(p.files?.map((file) => file.path))]}>
                      {(path) => (
                        <div class="mono rule-command sel">
                          {named(path, state.chats[p.chatId]?.folder ?? "")}
                        </div>
                      )}
                    </For>
                  </td>
                  <td class="muted">{decisionText(p, rule(p))}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </Show>
      <Failure text={failure()} />
      <Show when={(more() && list().length > 0) || failure() !== ""}>
        <div class="row set-after">
          <Button large disabled={loading()} onClick={failure() === "" ? older : () => void fill()}>
            {failure() === "" ? t.auditMore : messages.chat.tryAgain}
          </Button>
        </div>
      </Show>
    </>
  );
}
