import { Dialog as Kobalte } from "@kobalte/core/dialog";
import {
  createEffect,
  createSignal,
  createUniqueId,
  ErrorBoundary,
  Index,
  lazy,
  Match,
  on,
  onMount,
  Show,
  Suspense,
  Switch,
} from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { isOpenable } from "../../lib/markdown";
import { actions } from "../../state/actions";
import {
  agentDialog,
  closeAgentSignIn,
  commandLine,
  openAgentSignIn,
  usableMethods,
} from "../../state/agentSignIn";
import { useStore } from "../../state/store";
import type { AuthMethod, AuthVar } from "../../state/types";
import { SignInOptions } from "../account/SignIn";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Failure } from "../ui/Failure";
import { createOpener } from "../ui/opener";
import "./agentsignin.css";

const t = messages.agentSignIn;

const Terminal = lazy(() => import("./Terminal"));

interface StepProps {
  profileId: string;
  method: AuthMethod;
  onLink: (address: string) => void;
}

/** createSignInRun returns the state of a method's sign-in and functions that start and cancel it. */
function createSignInRun(props: StepProps) {
  const state = useStore();
  const signIn = () => state.agentSignIns[props.profileId];
  const [failure, setFailure] = createSignal("");
  // Whether the sign-in started here and its first event is still on its way.
  const [isStarting, setStarting] = createSignal(false);
  const isMine = () => signIn()?.methodId === props.method.id;
  const isRunning = () => isStarting() || (isMine() && signIn()?.state === "running");
  createEffect(on([() => signIn()?.state, () => signIn()?.since], () => setStarting(false), { defer: true }));
  const report = (thrown: Error) => {
    setStarting(false);
    setFailure(thrown.message);
  };
  return {
    signIn,
    isRunning,
    setFailure,
    failure: () => failure() || (isMine() && signIn()?.state === "failed" && !isStarting() ? why() : ""),
    start: (values: Record<string, string>) => {
      setFailure("");
      setStarting(true);
      actions.signInAgent(props.profileId, props.method.id, values).catch(report);
    },
    cancel: () => {
      setFailure("");
      actions.cancelAgentSignIn(props.profileId).catch(report);
    },
  };
  function why() {
    return signIn()?.message ?? t.failed(state.profiles[props.profileId]?.name ?? "");
  }
}

/** Variables asks for the values of a method's environment variables. */
function Variables(props: StepProps) {
  const id = createUniqueId();
  const run = createSignInRun(props);
  const vars = () => props.method.vars ?? [];
  const values = new Map<string, string>();
  const label = (each: AuthVar) => each.label || each.name;
  const submit = () => {
    if (run.isRunning()) return;
    const missing = vars().find((each) => !each.optional && !each.set && !values.get(each.name));
    if (missing) {
      run.setFailure(t.env.need(label(missing)));
      document.getElementById(`${id}-${missing.name}`)?.focus();
      return;
    }
    run.start(Object.fromEntries([...values].filter(([, value]) => value !== "")));
  };
  return (
    <form
      aria-label={props.method.name}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Index each={vars()}>
        {(each) => (
          <div class="auth-field">
            <label for={`${id}-${each().name}`}>
              {each().optional ? t.env.optional(label(each())) : label(each())}
            </label>
            <input
              id={`${id}-${each().name}`}
              class="input mono sel"
              type={each().secret ? "password" : "text"}
              autocomplete="off"
              spellcheck={false}
              aria-describedby={`${id}-${each().name}-fact`}
              onInput={(event) => values.set(each().name, event.currentTarget.value)}
            />
            <div class="ds" id={`${id}-${each().name}-fact`}>
              <Show when={label(each()) !== each().name}>
                <span class="mono">{each().name}</span>{" "}
              </Show>
              <Show when={each().set}>{t.env.keep}</Show>
            </div>
          </div>
        )}
      </Index>
      <p class="subtle">{t.env.stored}</p>
      <Failure text={run.failure()} />
      <div class="dialog-acts">
        <Show when={props.method.link}>
          {(link) => (
            <Button large look="ghost" onClick={() => props.onLink(link())}>
              {t.env.link}
            </Button>
          )}
        </Show>
        <Button large onClick={() => (run.isRunning() ? run.cancel() : closeAgentSignIn())}>
          {messages.common.cancel}
        </Button>
        {/* The button isn't disabled while it is busy, because a disabled button would lose the focus. */}
        <Button large look="primary" type="submit" aria-disabled={run.isRunning()}>
          {run.isRunning() ? t.settings.running : t.env.submit}
        </Button>
      </div>
    </form>
  );
}

/** InTerminal shows the command of a method and, once the user has started it, its terminal. */
function InTerminal(props: StepProps & { onStop: () => void }) {
  const run = createSignInRun(props);
  // The terminal stays after its program has ended, so that its last output can be read.
  const [terminalId, setTerminalId] = createSignal("");
  let buttons: HTMLDivElement | undefined;
  createEffect(() => {
    const id = run.signIn()?.terminalId;
    if (id && run.isRunning()) setTerminalId(id);
  });
  return (
    <>
      <Show
        when={terminalId()}
        keyed
        fallback={
          <>
            <p class="muted">{t.terminal.before}</p>
            <section class="auth-command mono sel" aria-label={t.terminal.command}>
              {visibleText(commandLine(props.method))}
            </section>
          </>
        }
      >
        {(id) => (
          <ErrorBoundary fallback={<Failure text={t.terminal.loadFailed} />}>
            <Suspense fallback={<p role="status">{t.terminal.loading}</p>}>
              <Terminal
                profileId={props.profileId}
                terminalId={id}
                live={run.isRunning()}
                onLeave={() => buttons?.querySelector("button")?.focus()}
                onLink={props.onLink}
                onFailure={run.setFailure}
              />
            </Suspense>
          </ErrorBoundary>
        )}
      </Show>
      <Show when={terminalId() !== "" && !run.isRunning()}>
        <p role="status">{t.terminal.ended}</p>
      </Show>
      <Failure text={run.failure()} />
      <div ref={buttons} class="dialog-acts">
        <Show
          when={run.isRunning()}
          fallback={
            <>
              <Button large onClick={closeAgentSignIn}>
                {terminalId() === "" ? messages.common.cancel : t.terminal.close}
              </Button>
              <Button large look="primary" onClick={() => run.start({})}>
                {terminalId() === "" ? t.terminal.run : messages.chat.tryAgain}
              </Button>
            </>
          }
        >
          <Button large onClick={() => props.onStop()}>
            {t.terminal.stop}
          </Button>
        </Show>
      </div>
    </>
  );
}

/** ByAgent starts a sign-in that the agent does itself, unless it runs or has failed, and shows its progress. */
function ByAgent(props: StepProps) {
  const run = createSignInRun(props);
  onMount(() => {
    if (!run.isRunning() && run.failure() === "") run.start({});
  });
  return (
    <>
      <p role="status">{run.isRunning() ? t.runningBrowser : ""}</p>
      <Failure text={run.failure()} />
      <div class="dialog-acts">
        <Button large onClick={() => (run.isRunning() ? run.cancel() : closeAgentSignIn())}>
          {run.isRunning() ? messages.common.cancel : t.terminal.close}
        </Button>
        <Show when={!run.isRunning()}>
          <Button large look="primary" onClick={() => run.start({})}>
            {messages.chat.tryAgain}
          </Button>
        </Show>
      </div>
    </>
  );
}

/** AgentSignInDialog signs in to a custom agent. Only one instance of it exists in the window. */
export function AgentSignInDialog() {
  const state = useStore();
  let content: HTMLDivElement | undefined;
  const opener = createOpener();
  const [isStopping, setStopping] = createSignal(false);
  const [link, setLink] = createSignal("");
  const [announcement, setAnnouncement] = createSignal("");
  const profileId = () => agentDialog()?.profileId ?? "";
  const name = () => state.profiles[profileId()]?.name ?? "";
  const signIn = () => state.agentSignIns[profileId()];
  const method = () => signIn()?.methods?.find((each) => each.id === agentDialog()?.methodId);
  const isInTerminal = () => method()?.kind === "terminal";
  const runsInTerminal = () =>
    isInTerminal() && signIn()?.state === "running" && signIn()?.methodId === method()?.id;

  const close = () => (runsInTerminal() ? setStopping(true) : closeAgentSignIn());
  const stop = () => {
    setStopping(false);
    actions
      .cancelAgentSignIn(profileId())
      .catch((thrown) => actions.log("warn", `sign-in: ${thrown.message}`));
    closeAgentSignIn();
  };
  const openLink = (address: string) => {
    if (isOpenable(address) && !address.startsWith("mailto:")) setLink(address);
  };
  const choose = (chosen: AuthMethod) => {
    openAgentSignIn(profileId(), chosen.id);
    content?.focus();
  };
  // A sign-in that succeeds while its dialog is open closes the dialog.
  createEffect(
    on([() => profileId(), () => signIn()?.state], ([id, now], before) => {
      if (id === "") return;
      setAnnouncement("");
      if (!before || before[0] !== id || before[1] === now || now !== "done") return;
      const text = t.signedIn(name());
      setStopping(false);
      closeAgentSignIn();
      setAnnouncement(text);
    }),
  );
  return (
    <>
      <Kobalte open={agentDialog() !== undefined} onOpenChange={(open) => !open && close()}>
        <Kobalte.Portal>
          <Kobalte.Overlay class="dialog-scrim" />
          <div class="dialog-place">
            <Kobalte.Content
              ref={content}
              class="dialog agent-sign-in"
              classList={{ "with-terminal": isInTerminal() }}
              onInteractOutside={(event) => event.preventDefault()}
              onEscapeKeyDown={(event) => {
                // Escape belongs to the program in the terminal.
                if ((document.activeElement as Element | null)?.closest(".terminal-host"))
                  event.preventDefault();
              }}
              onOpenAutoFocus={(event) => {
                event.preventDefault();
                opener.opened();
                const first = content?.querySelector<HTMLElement>("input");
                (first ?? content)?.focus();
              }}
              onCloseAutoFocus={(event) => {
                event.preventDefault();
                opener.closed(() => document.querySelector<HTMLElement>(".main textarea, .set h1")?.focus());
              }}
            >
              <Kobalte.Title class="dialog-title">{t.title(name())}</Kobalte.Title>
              <Show
                when={method()}
                keyed={false}
                fallback={
                  <>
                    <p class="muted">{t.choose}</p>
                    <SignInOptions
                      ways={usableMethods(signIn()).map((each) => ({
                        label: each.name,
                        fact: each.description ?? "",
                        onChoose: () => choose(each),
                      }))}
                    />
                    <div class="dialog-acts">
                      <Button large onClick={closeAgentSignIn}>
                        {messages.common.cancel}
                      </Button>
                    </div>
                  </>
                }
              >
                {(each) => (
                  <>
                    <p class="auth-text">
                      <strong>{each().name}</strong>
                      <Show when={each().description && each().description !== each().name}>
                        <span class="muted"> {each().description}</span>
                      </Show>
                    </p>
                    <Switch fallback={<ByAgent profileId={profileId()} method={each()} onLink={openLink} />}>
                      <Match when={each().kind === "env_var"}>
                        <Variables profileId={profileId()} method={each()} onLink={openLink} />
                      </Match>
                      <Match when={each().kind === "terminal"}>
                        <InTerminal
                          profileId={profileId()}
                          method={each()}
                          onLink={openLink}
                          onStop={() => setStopping(true)}
                        />
                      </Match>
                    </Switch>
                  </>
                )}
              </Show>
            </Kobalte.Content>
          </div>
        </Kobalte.Portal>
      </Kobalte>
      <ConfirmDialog
        open={isStopping()}
        title={t.terminal.stopTitle}
        body={t.terminal.stopBody}
        confirm={t.terminal.stopConfirm}
        cancel={t.terminal.stopKeep}
        onConfirm={stop}
        onClose={() => setStopping(false)}
      />
      <ConfirmDialog
        open={link() !== ""}
        title={messages.chat.openLink.title}
        body={messages.chat.openLink.body(visibleText(link()))}
        confirm={messages.chat.openLink.confirm(false)}
        onConfirm={() => {
          const address = link();
          setLink("");
          actions.openURL(address).catch((thrown) => actions.log("warn", `open a link: ${thrown.message}`));
        }}
        onClose={() => setLink("")}
      />
      <p class="sr" aria-live="polite">
        {announcement()}
      </p>
    </>
  );
}
