// Signing in, with a code or by other means, in the first run and in the sign-in dialog.

import ExternalLink from "lucide-solid/icons/external-link";
import { createEffect, createSignal, createUniqueId, For, on, onCleanup, onMount, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { isSignedIn } from "../../state/account";
import { actions } from "../../state/actions";
import { isComposing } from "../../state/keys";
import { useStore } from "../../state/store";
import type { Account, SignIn as SignInEvent, TokenSource } from "../../state/types";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Code, Status, signInFailure } from "./Code";
import { TokenForm } from "./TokenForm";
import "./account.css";

const t = messages.account;

/** SignInOption is an alternative way to sign in. */
export interface SignInOption {
  label: string;
  fact: string;
  onChoose: () => void;
}

/** refusal returns the reason why the account's sign-in isn't accepted. Views that offer to sign in again show it. */
export function refusal(account: Account): string {
  const expired = account.state === "expired";
  if (expired && account.source === "gh" && account.found?.includes("gh")) return t.expiredGH;
  if (expired && account.source === "stored") return t.expired;
  return account.message || t.stateSentence(t.state(account));
}

/** SignInOptions lists alternatives, one per line. */
export function SignInOptions(props: { ways: readonly SignInOption[] }) {
  const id = createUniqueId();
  return (
    <ul class="ways-line" aria-label={t.ways.title}>
      <For each={props.ways}>
        {(way, at) => (
          <li>
            <button
              type="button"
              class="link"
              aria-describedby={`${id}-${at()}`}
              onClick={() => way.onChoose()}
            >
              {way.label}
            </button>{" "}
            <span class="subtle" aria-hidden="true">
              ·
            </span>{" "}
            <span class="subtle" id={`${id}-${at()}`}>
              {way.fact}
            </span>
          </li>
        )}
      </For>
    </ul>
  );
}

export interface SignInProps {
  /** Called once the user has signed in or has chosen an existing sign-in that is valid. */
  onDone: () => void;
  /** Alternatives that need no account. */
  otherOptions?: SignInOption[];
  /** Whether the focus moves to each new step even before any user input. */
  focus?: boolean;
}

type View = "code" | "token" | "cli" | "ways";

/** SignIn guides the user through signing in. Unmounting it cancels an unfinished sign-in. */
export function SignIn(props: SignInProps) {
  const state = useStore();
  let root!: HTMLDivElement;
  const id = createUniqueId();
  const running = () => state.signIn.state === "starting" || state.signIn.state === "waiting";
  const first = (): View => {
    if (running()) return state.signIn.cli ? "cli" : "code";
    return state.account.deviceFlow && state.account.state !== "locked" ? "code" : "ways";
  };
  const [view, setView] = createSignal<View>(first());
  const [failure, setFailure] = createSignal("");
  // Whether a sign-in was requested but its first event hasn't arrived yet. The previous sign-in's state is
  // hidden until then.
  const [asking, setAsking] = createSignal(false);
  const [wanted, setWanted] = createSignal<TokenSource>();
  const [touched, setTouched] = createSignal(false);
  const isMine = () => (view() === "cli") === (state.signIn.cli === true);
  const now = (): SignInEvent =>
    !isMine() || (asking() && !running()) ? { state: "starting" } : state.signIn;

  let finished = false;
  const finish = () => {
    if (finished) return;
    finished = true;
    props.onDone();
  };

  const begin = (work: () => Promise<void>) => {
    setFailure("");
    setAsking(true);
    work().catch((thrown) => {
      setAsking(false);
      setFailure(thrown.message);
    });
  };
  const code = () => begin(actions.signIn);
  const cli = () => begin(actions.signInByCLI);
  const open = (url: string) => {
    setFailure("");
    actions.openURL(url).catch((thrown) => setFailure(thrown.message));
  };
  const giveUp = () => {
    setAsking(false);
    if (running()) actions.cancelSignIn().catch((thrown) => setFailure(thrown.message));
  };

  let begun = running();
  createEffect(
    on(
      () => state.signIn,
      (heard) => {
        if (running()) begun = true;
        if (heard.state !== "none") setAsking(false);
        if (heard.state === "done" && begun) finish();
      },
      { defer: true },
    ),
  );
  const before = isSignedIn(state.account);
  createEffect(() => {
    if (running() || !isSignedIn(state.account)) return;
    // The chosen existing sign-in is valid or, if none was chosen, the user is now signed in.
    if (wanted() ? state.account.source === wanted() : !before) finish();
  });
  onMount(() => {
    if (view() === "code" && !running()) code();
  });
  onCleanup(() => {
    if (running())
      actions.cancelSignIn().catch((thrown) => actions.log("warn", `sign-in: ${thrown.message}`));
  });

  /**
   * show switches to another view and moves the focus there. If the view starts a sign-in, that sign-in
   * replaces any earlier one.
   */
  const show = (next: View) => {
    setTouched(true);
    if (next === "token" || next === "ways") giveUp();
    setFailure("");
    setWanted(undefined);
    setView(next);
    if (next === "code") code();
    if (next === "cli") cli();
    queueMicrotask(() => {
      if (root.contains(document.activeElement)) return;
      root.querySelector<HTMLElement>("input, button:not([disabled])")?.focus();
    });
  };
  const back = () => show(state.account.deviceFlow && state.account.state !== "locked" ? "code" : "ways");
  /** use makes an existing sign-in the only one that VoxPilot uses. */
  const use = (source: TokenSource) => {
    giveUp();
    setFailure("");
    setWanted(source);
    actions
      .saveSettings({ ...unwrap(state.settings), signIn: source })
      .then(() => actions.checkAccount())
      .catch((thrown) => setFailure(thrown.message));
  };
  const refused = () => {
    const account = state.account;
    const is = wanted() && account.source === wanted() && !isSignedIn(account) && account.state !== "unknown";
    return is ? refusal(account) : "";
  };

  const found = (source: TokenSource) => state.account.found?.includes(source) === true;
  const newByCLI = (fact: string): SignInOption => ({
    label: t.ways.withCLI,
    fact,
    onChoose: () => show("cli"),
  });
  const byCLI = (): SignInOption =>
    found("cli")
      ? { label: t.ways.cli, fact: t.ways.cliFound, onChoose: () => use("cli") }
      : newByCLI(t.ways.cliFact);
  // Without a client ID, VoxPilot can't request a code, but the CLI can.
  const isBare = () => !state.account.deviceFlow && state.account.state !== "locked";
  const isLed = () => view() === "ways" && isBare() && state.cli.state === "found";
  const ways = (): SignInOption[] => [
    ...(state.account.deviceFlow && view() === "ways"
      ? [{ label: t.ways.code, fact: t.ways.codeFact, onChoose: () => show("code") }]
      : []),
    ...(state.cli.state === "found" && !isLed() ? [byCLI()] : []),
    ...(isLed() && found("cli") ? [newByCLI(t.ways.cliAnother)] : []),
    ...(found("gh") ? [{ label: t.ways.gh, fact: t.ways.ghFact, onChoose: () => use("gh") }] : []),
    { label: t.ways.token, fact: t.ways.tokenFact, onChoose: () => show("token") },
    ...(props.otherOptions ?? []),
  ];

  // In the view for signing in through the CLI, Escape goes back, which cancels the sign-in. In a dialog,
  // Escape closes the dialog instead, with the same effect.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
    if (view() !== "cli" || root.closest("[role=dialog]")) return;
    event.preventDefault();
    back();
  };
  window.addEventListener("keydown", onKeyDown);
  onCleanup(() => window.removeEventListener("keydown", onKeyDown));

  return (
    <div class="signin" ref={root}>
      <Show when={view() === "code"}>
        <Show when={!signInFailure(now()) && !failure()}>
          <Code signIn={now()} focus={props.focus || touched()} />
        </Show>
        <Show when={!failure()}>
          <Status signIn={now()} />
        </Show>
        <Failure text={failure()} />
        <Show when={signInFailure(now()) || failure()}>
          <div class="row wrap">
            <Button
              large
              look="primary"
              onClick={() => {
                setTouched(true);
                code();
              }}
            >
              {t.code.again}
            </Button>
          </div>
        </Show>
      </Show>
      <Show when={view() === "token"}>
        <TokenForm onDone={finish} onBack={back} />
      </Show>
      <Show when={view() === "cli"}>
        <Show when={now().code} fallback={<p>{t.cli.body}</p>}>
          <Code signIn={now()} focus />
        </Show>
        <Show when={now().output}>
          {(text) => (
            <section aria-label={t.cli.output}>
              <pre class="out tail sel signin-output" tabindex="0">
                {text()}
              </pre>
            </section>
          )}
        </Show>
        <Show when={!now().code && now().url}>
          {(url) => (
            <div class="row wrap">
              <Button large look="primary" icon={ExternalLink} onClick={() => open(url())}>
                {t.cli.open}
              </Button>
              <CopyButton large text={url()} label={t.cli.copy} />
            </div>
          )}
        </Show>
        <Show when={!failure()}>
          <Status signIn={now()} starting={t.cli.starting} waiting={t.cli.waiting} />
        </Show>
        <Failure text={failure()} />
        <div class="row wrap">
          <Show when={signInFailure(now()) || failure()}>
            <Button large look="primary" onClick={cli}>
              {t.cli.again}
            </Button>
          </Show>
          <Button large aria-keyshortcuts="Escape" onClick={back}>
            {running() ? t.cli.cancel : t.token.back}
          </Button>
        </div>
      </Show>
      <Show when={view() === "ways"}>
        <Show when={isBare() && !(isLed() && found("cli"))} fallback={<p>{t.ways.first}</p>}>
          <p>{isLed() ? t.ways.noCode : t.ways.noCodeNoCLI}</p>
        </Show>
        <Show when={isLed()}>
          <div class="row wrap cli-sign-in">
            <Button large look="primary" aria-describedby={`${id}-cli`} onClick={() => byCLI().onChoose()}>
              {byCLI().label}
            </Button>
            <span class="subtle" id={`${id}-cli`}>
              {byCLI().fact}
            </span>
          </div>
        </Show>
        <ul class="ways" aria-label={t.ways.title}>
          <For each={ways()}>
            {(way, at) => (
              <li>
                <button
                  type="button"
                  class="way"
                  aria-labelledby={`${id}-way-${at()}`}
                  aria-describedby={`${id}-fact-${at()}`}
                  onClick={() => way.onChoose()}
                >
                  <strong id={`${id}-way-${at()}`}>{way.label}</strong>
                  <span id={`${id}-fact-${at()}`}>{way.fact}</span>
                </button>
              </li>
            )}
          </For>
        </ul>
        <Failure text={failure()} />
      </Show>
      <Show when={view() === "code"}>
        <SignInOptions ways={ways()} />
      </Show>
      <Failure text={refused()} />
    </div>
  );
}
