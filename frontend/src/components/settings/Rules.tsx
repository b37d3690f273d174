import Globe from "lucide-solid/icons/globe";
import Pencil from "lucide-solid/icons/pencil";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, For, on, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { folderName, tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { isRemovingAll, setRemovingAll } from "../../state/confirmRemoveAll";
import { useStore } from "../../state/store";
import type { Rule, RuleKind } from "../../state/types";
import { Button, IconButton } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { date, moment } from "../ui/time";
import { FormDialog } from "./FormDialog";
import { createFocusReturn, FilterField } from "./parts";
import { RuleForm } from "./RuleForm";

const t = messages.settings.permissions;

/** Minimum number of rules for which the search field is shown. */
const minSearchableRules = 5;

const icons: Record<RuleKind, typeof Pencil> = {
  edits: Pencil,
  command: SquareTerminal,
  prefix: SquareTerminal,
  glob: SquareTerminal,
  host: Globe,
  turn: Pencil,
};

/** ruleName returns the scope of a rule as shown in the rule's row. */
export function ruleName(rule: Rule): string {
  const { kind } = rule.scope;
  const command = visibleText(rule.scope.command ?? "");
  if (kind === "turn") return t.turnEdits;
  if (kind === "edits") return command ? t.editsOf(tilde(command)) : t.edits;
  return kind === "prefix" ? t.beginsWith(command) : command;
}

/** duplicates returns the names that occur more than once. */
function duplicates(names: readonly string[]): Set<string> {
  return new Set(names.filter((name, at) => names.indexOf(name) !== at));
}

/** ruleNames returns an unambiguous name for each rule, by rule ID. It is for lists that show nothing but the names. */
export function ruleNames(rules: readonly Rule[]): Map<string, string> {
  const effect = (rule: Rule) => (rule.effect === "deny" ? t.never : t.allow);
  const folder = (rule: Rule) => (rule.scope.folder === "" ? t.everyFolder : tilde(rule.scope.folder));
  const more: ((rule: Rule, name: string) => string)[] = [
    (rule, name) => t.which(name, folder(rule), effect(rule)),
    (rule, name) =>
      t.which(
        name,
        rule.scope.kind === "turn" ? t.turnEdits : t.kinds[rule.scope.kind],
        rule.expiresAt ? moment(rule.expiresAt, Date.now()) : t.neverExpires,
      ),
  ];
  let names = rules.map(ruleName);
  for (const longer of more) {
    const same = duplicates(names);
    names = names.map((name, at) => (same.has(name) ? longer(rules[at] as Rule, name) : name));
  }
  return new Map(rules.map((rule, at) => [rule.id, names[at] as string]));
}

/** Rules lists the user's permission rules, which can be searched, added and removed. */
export function Rules() {
  const state = useStore();
  const rules = createMemo(() => Object.values(state.rules).sort((a, b) => b.createdAt - a.createdAt));
  const [wanted, setWanted] = createSignal("");
  const shown = createMemo(() => {
    const text = wanted().trim().toLowerCase();
    return rules().filter((rule) => `${ruleName(rule)} ${rule.scope.folder}`.toLowerCase().includes(text));
  });
  const names = createMemo(() => ruleNames(rules()));
  const [asking, setAsking] = [isRemovingAll, setRemovingAll];
  onCleanup(() => setRemovingAll(false));
  const [adding, setAdding] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  let body: HTMLTableSectionElement | undefined;
  const back = createFocusReturn();
  // The remove button disappears with its rule, so the focus moves to the next remove button.
  let removed: { id: string; at: number } | undefined;
  createEffect(
    on(shown, () => {
      if (!removed || rules().some((rule) => rule.id === removed?.id)) return;
      const { at } = removed;
      removed = undefined;
      queueMicrotask(() => {
        const buttons = body?.isConnected ? body.querySelectorAll("button") : [];
        const next = buttons[Math.min(at, buttons.length - 1)];
        if (next) next.focus();
        else back.closed("new");
      });
    }),
  );
  const remove = (rule: Rule) => {
    removed = { id: rule.id, at: shown().indexOf(rule) };
    attempt(
      actions.removeRule(rule.id).catch((thrown) => {
        if (removed?.id === rule.id) removed = undefined;
        throw thrown;
      }),
    );
  };
  const done = () => setAdding(false);
  const attempt = (work: Promise<unknown>) => {
    setFailure("");
    work.then(
      () => {
        if (!asking()) return;
        setAsking(false);
        back.closed("new");
      },
      (thrown) => setFailure(thrown.message),
    );
  };
  return (
    <>
      <Show when={rules().length > 0} fallback={<p class="subtle">{t.none}</p>}>
        <Show when={rules().length > minSearchableRules || wanted() !== ""}>
          <FilterField label={t.search} class="set-find" value={wanted()} onInput={setWanted} />
        </Show>
        <Show
          when={shown().length > 0}
          fallback={
            <p class="subtle" role="status">
              {t.noMatch(wanted())}
            </p>
          }
        >
          <table class="tbl" aria-label={t.table}>
            <thead>
              <tr>
                <th>{t.rule}</th>
                <th>{t.folder}</th>
                <th>{t.since}</th>
                <th>{t.until}</th>
                <th>
                  <span class="sr">{t.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody ref={body}>
              <For each={shown()}>
                {(rule) => (
                  <Line rule={rule} name={names().get(rule.id) ?? ""} onRemove={() => remove(rule)} />
                )}
              </For>
            </tbody>
          </table>
        </Show>
      </Show>
      <Failure text={failure()} />
      <div class="row set-after">
        <Button ref={back.opener("new")} large onClick={() => setAdding(true)}>
          {t.add}
        </Button>
        <Show when={rules().length > 0}>
          <Button large look="ghost" onClick={() => setAsking(true)}>
            {t.removeAll}
          </Button>
        </Show>
      </div>
      <FormDialog open={adding()} title={t.add} onClose={done} onClosed={() => back.closed("new")}>
        <RuleForm onDone={done} />
      </FormDialog>
      <ConfirmDialog
        open={asking()}
        title={t.removeAllTitle}
        body={t.removeAllBody}
        confirm={t.removeAllConfirm}
        onConfirm={() => attempt(actions.removeAllRules())}
        onClose={() => setAsking(false)}
      >
        <Failure text={failure()} />
      </ConfirmDialog>
    </>
  );
}

function Line(props: { rule: Rule; name: string; onRemove: () => void }) {
  const scope = () => props.rule.scope;
  const denies = () => props.rule.effect === "deny";
  const expired = () => !!props.rule.expiresAt && props.rule.expiresAt <= Date.now();
  return (
    <tr classList={{ subtle: expired() }}>
      <td>
        <span class="row">
          <Icon of={icons[scope().kind]} size="sm" class="subtle" />
          <span class={scope().kind === "edits" || scope().kind === "turn" ? "" : "mono rule-command sel"}>
            {ruleName(props.rule)}
          </span>
          <Show when={denies()}>
            <span class="tag">{t.never}</span>
          </Show>
        </span>
      </td>
      <td class="muted" title={tilde(scope().folder)}>
        {scope().folder === "" ? t.everyFolder : folderName(scope().folder)}
      </td>
      <td class="subtle num">{date(props.rule.createdAt, Date.now())}</td>
      <td class="subtle num">
        <Show when={props.rule.expiresAt} fallback={t.neverExpires}>
          {(at) => (expired() ? t.expired : moment(at(), Date.now()))}
        </Show>
      </td>
      <td>
        <IconButton small icon={X} label={t.remove(props.name)} onClick={() => props.onRemove()} />
      </td>
    </tr>
  );
}
