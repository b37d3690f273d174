import Lock from "lucide-solid/icons/lock";
import LockOpen from "lucide-solid/icons/lock-open";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import { createEffect, createMemo, createSignal, createUniqueId, on, Show } from "solid-js";
import { words } from "../../i18n";
import { nowFor } from "../../lib/coarseClock";
import { actions } from "../../state/actions";
import { askSignOut, openSignIn } from "../../state/dialogs";
import { useStore } from "../../state/store";
import type { TokenSource } from "../../state/types";
import { Avatar } from "../account/Avatar";
import { hasSomeone, whoOf } from "../account/who";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Select } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { moment } from "../ui/when";
import { MainAI } from "./Orchestrator";
import { createSave, Row } from "./parts";

const w = words.account;

/** Account shows the user's GitHub account, its source and where its token is stored. */
export function Account() {
  const { save, failure, setFailure } = createSave();
  return (
    <>
      <Who />
      <Check onFailure={setFailure} />
      <Kept />
      <Used save={save} />
      <Failure text={failure()} />
      <MainAI />
      <ByCode save={save} />
    </>
  );
}

type Save = ReturnType<typeof createSave>["save"];

function Who() {
  const state = useStore();
  const account = () => state.account;
  const someone = () => hasSomeone(account());
  return (
    <div class="sr-row first">
      <div class="lb who">
        <Avatar account={account()} large />
        <div>
          <div class="strong trunc" title={account().login}>
            {whoOf(account())}
          </div>
          <div class="ds">{w.state(account())}</div>
        </div>
      </div>
      <div class="row">
        <Show
          when={someone()}
          fallback={
            <Button large look="primary" onClick={openSignIn}>
              {w.signIn}
            </Button>
          }
        >
          <Button large look="ghost" onClick={openSignIn}>
            {w.another}
          </Button>
          <Button large onClick={askSignOut}>
            {w.signOut}
          </Button>
        </Show>
      </div>
    </div>
  );
}

function Check(props: { onFailure: (why: string) => void }) {
  const state = useStore();
  const account = () => state.account;
  const [busy, setBusy] = createSignal(false);
  const [asked, setAsked] = createSignal(false);
  const last = () => {
    const { state: how, checkedAt = 0 } = account();
    if (how === "own") return w.checkOwn;
    if (!hasSomeone(account())) return w.checkNobody;
    const said =
      checkedAt === 0
        ? w.checkNever
        : w.checkLast(w.ago(nowFor(checkedAt) - checkedAt), w.checked(account()));
    return w.checkFact(said);
  };
  /**
   * The app's additional message: the state of an external sign-in, or the reason why GitHub couldn't be
   * reached.
   */
  const says = () => {
    const { state: how, source, message } = account();
    return source === "stored" && (how === "expired" || how === "locked") ? "" : message;
  };
  // The line includes the time; screen readers get the result of a check once.
  const heard = createMemo(() =>
    asked() && account().checkedAt ? `${w.check}: ${w.checked(account())}` : "",
  );
  const check = async () => {
    props.onFailure("");
    setBusy(true);
    setAsked(true);
    try {
      await actions.checkAccount();
    } catch (thrown) {
      props.onFailure(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Row
      label={w.check}
      fact={
        <>
          {last()}
          <Show when={says()}>
            {(message) => (
              <>
                <br />
                <span class="c-attn sel">{message()}</span>
              </>
            )}
          </Show>
          <span class="sr" aria-live="polite">
            {heard()}
          </span>
        </>
      }
    >
      <Button large disabled={busy()} onClick={() => void check()}>
        {busy() ? w.checking : w.checkNow}
      </Button>
    </Row>
  );
}

function Kept() {
  const state = useStore();
  const account = () => state.account;
  const stored = () => account().source === "stored";
  const mark = () => {
    if (account().state === "locked") return { icon: LockOpen, look: "c-attn", text: w.lockedTag };
    if (!stored()) return { icon: undefined, look: "subtle", text: w.elsewhere };
    if (account().key === "memory") return { icon: TriangleAlert, look: "c-attn", text: w.untilQuit };
    if (account().key === "missing") return { icon: TriangleAlert, look: "c-bad", text: w.gone };
    return { icon: Lock, look: "c-ok", text: w.protected };
  };
  return (
    <Show when={hasSomeone(account()) || account().state === "locked"}>
      <Row label={w.kept} fact={<span class="wrap-any">{w.keptIn(account())}</span>}>
        <span class={`row said ${mark().look}`}>
          <Show when={mark().icon}>{(icon) => <Icon of={icon()} size="sm" />}</Show>
          <span>{mark().text}</span>
        </span>
      </Row>
      <Show when={account().expiresAt}>
        {(at) => (
          <Row label={w.until}>
            <span class="subtle num">{moment(at(), nowFor(at()))}</span>
          </Row>
        )}
      </Show>
    </Show>
  );
}

/** Used selects one of the sign-ins found on this computer. */
function Used(props: { save: Save }) {
  const state = useStore();
  const pinned = () => state.settings.signIn;
  const sources = createMemo(() => {
    const found = state.account.found ?? [];
    const chosen = pinned();
    return chosen && !found.includes(chosen) ? [...found, chosen] : found;
  });
  const name = (source: TokenSource) => {
    const known = w.name(source, state.account);
    return state.account.found?.includes(source) ? known : w.notThere(known);
  };
  const choose = async (signIn: TokenSource | "") => {
    if (!(await props.save({ signIn: signIn === "" ? undefined : signIn }))) return;
    actions.checkAccount().catch((thrown) => actions.log("warn", `check: ${thrown.message}`));
  };
  return (
    <Show when={sources().length > 1 || pinned()}>
      <Row label={w.used} fact={w.usedFact}>
        <Select<TokenSource | "">
          label={w.used}
          value={pinned() ?? ""}
          choices={[
            { value: "", label: w.automatic },
            ...sources().map((source) => ({ value: source, label: name(source) })),
          ]}
          onChange={(source) => void choose(source)}
        />
      </Row>
    </Show>
  );
}

/** ByCode sets the OAuth app of the sign-in by code, if it isn't the built-in one. */
function ByCode(props: { save: Save }) {
  const state = useStore();
  const id = createUniqueId();
  const saved = createMemo(() => state.settings.clientId ?? "");
  const [typed, setTyped] = createSignal("");
  createEffect(on(saved, (clientId) => setTyped(clientId)));
  // A typed client ID enables the sign-in by code too.
  const builtIn = () => state.account.deviceFlow === true && saved() === "";
  const none = () => state.account.deviceFlow !== true;
  const keep = async (clientId: string) => {
    if (clientId === saved()) return;
    if (!(await props.save({ clientId: clientId === "" ? undefined : clientId }))) return;
    actions.checkAccount().catch((thrown) => actions.log("warn", `check: ${thrown.message}`));
  };
  return (
    <>
      <h2>{w.byCode}</h2>
      <Row label={<label for={id}>{w.clientId}</label>} fact={none() ? w.clientIdFactNone : w.clientIdFact}>
        <input
          id={id}
          class="input mono sel"
          placeholder={builtIn() ? w.clientIdPlaceholder : w.clientIdPlaceholderNone}
          spellcheck={false}
          autocomplete="off"
          value={typed()}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => void keep(event.currentTarget.value.trim())}
        />
      </Row>
    </>
  );
}
