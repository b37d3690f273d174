import Box from "lucide-solid/icons/box";
import CircleCheck from "lucide-solid/icons/circle-check";
import CircleX from "lucide-solid/icons/circle-x";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import { createEffect, createSignal, For, type JSX, Match, on, Show, Switch } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { shortPath, tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { isOffered } from "../../state/sandbox";
import { go } from "../../state/screen";
import { useStore } from "../../state/store";
import { ProviderCopilot, type Settings } from "../../state/types";
import { accountName } from "../account/accountName";
import { canInstall, InstallButtons, InstallProgress } from "../settings/Install";
import { ProviderForm } from "../settings/ProviderForm";
import { newProvider } from "../settings/presets";
import { StorageBanner } from "../shell/StorageBanner";
import { Button } from "../ui/Button";
import { Command } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Switch as OnOff } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { Logo } from "../ui/Logo";
import { CheckAgain } from "./CheckAgain";
import { createFolderFacts, FolderField } from "./FolderField";
import { SignInStep } from "./SignInStep";
import "./firstrun.css";

const t = messages.firstRun;
const tFound = messages.account.found;

type StepState = "done" | "now" | "todo";

function Step(props: {
  number: number;
  state: StepState;
  glyph?: JSX.Element;
  title: string;
  fact?: JSX.Element;
  /** A problem, shown in every state of the step. */
  problem?: string;
  children?: JSX.Element;
}) {
  return (
    <li class={`step ${props.state}`} aria-current={props.state === "now" ? "step" : undefined}>
      <span class="gl">
        <Show
          when={props.glyph}
          fallback={
            <Show
              when={props.state === "done"}
              fallback={
                <span class="num-c" classList={{ on: props.state === "now" }}>
                  {props.number}
                </span>
              }
            >
              <Icon of={CircleCheck} size="lg" class="c-ok" />
            </Show>
          }
        >
          {props.glyph}
        </Show>
      </span>
      <h2 tabindex="-1">{props.title}</h2>
      <span class="r trunc">{props.fact}</span>
      <Show when={props.problem}>
        <p class="bd c-bad" role="alert">
          {props.problem}
        </p>
      </Show>
      <Show when={props.state === "now"}>
        <div class="bd">{props.children}</div>
      </Show>
    </li>
  );
}

/**
 * CLIHelp explains how to fix a Copilot CLI that can't be used and offers to do so. Set `besideCheck` if
 * a button that checks again is already shown.
 */
export function CLIHelp(props: { besideCheck?: boolean }) {
  const state = useStore();
  const [failure, setFailure] = createSignal("");
  const attempt = (work: Promise<unknown>) => {
    setFailure("");
    work.catch((thrown) => setFailure(thrown.message));
  };
  const chooseFile = async () => {
    const cliPath = await actions.pickFile();
    if (cliPath === "") return;
    await actions.saveSettings({ ...unwrap(state.settings), cliPath });
    await actions.checkCLI();
  };
  const tooOld = () => state.cli.state === "too_old";
  return (
    <>
      <p>
        <Switch fallback={canInstall() ? t.cli.missingBodyHere : t.cli.missingBody}>
          <Match when={tooOld()}>
            {canInstall() ? t.cli.tooOldBodyHere(state.cli.min) : t.cli.tooOldBody(state.cli.min)}
          </Match>
          <Match when={state.cli.state === "broken"}>
            {canInstall() ? t.cli.brokenBodyHere : t.cli.brokenBody}
          </Match>
        </Switch>
      </p>
      <Command text={tooOld() ? messages.common.updateCommand : messages.common.installCommand} />
      <Show when={state.cli.state === "broken" && state.cli.message}>
        <pre class="out tail sel searched">{state.cli.message}</pre>
      </Show>
      <Show when={(state.cli.searched ?? []).length > 0 && state.cli.state === "missing"}>
        <p class="searched-cap">{t.cli.searched}</p>
        <ul class="searched mono sel" aria-label={t.cli.searched}>
          <For each={state.cli.searched}>{(place) => <li class="wrap-any">{tilde(place)}</li>}</For>
        </ul>
      </Show>
      <div class="row wrap">
        <InstallButtons large onFailure={setFailure} />
        <Show when={!props.besideCheck}>
          <CheckAgain large look={canInstall() ? undefined : "primary"} onFailure={setFailure} />
        </Show>
        <Button large onClick={() => attempt(chooseFile())}>
          {messages.common.chooseFile}
        </Button>
      </div>
      <InstallProgress />
      <Failure text={failure()} />
    </>
  );
}

/** FirstRun guides the user through the steps before the first chat: CLI, model or agent, and folder. */
export function FirstRun() {
  const state = useStore();
  const [answers, setAnswers] = createSignal("");
  const [own, setOwn] = createSignal(false);
  // Whether the sign-in step offers a sign-in found on this computer.
  const [offersFound, setOffersFound] = createSignal(false);
  const [folder, setFolder] = createSignal("");
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  const facts = createFolderFacts(folder);
  const found = () => state.cli.state === "found";
  const step = () => (!found() ? 1 : answers() === "" ? 2 : 3);
  const stepState = (n: number): StepState => (n < step() ? "done" : n === step() ? "now" : "todo");
  const canStart = () => step() === 3 && folder() !== "" && facts.latest?.exists === true && !busy();

  let steps!: HTMLOListElement;
  // The button that led to another step is removed with its step, so the focus moves to the first text field
  // of the new step or, if there is none, to the heading, which is then announced.
  createEffect(
    on(
      [step, own],
      () =>
        queueMicrotask(() => {
          if (document.activeElement !== document.body) return;
          const now = steps.querySelector("[aria-current=step]");
          const field = now?.querySelector<HTMLElement>("input:not([type=checkbox]):not([type=radio])");
          (field ?? now?.querySelector<HTMLElement>("h2"))?.focus();
        }),
      { defer: true },
    ),
  );

  const [usesSandbox, setUsesSandbox] = createSignal(true);
  const offersSandbox = () => step() === 3 && isOffered(state, answers());
  const finish = (changed: Partial<Settings> = {}) =>
    actions.saveSettings({ ...unwrap(state.settings), ...changed, setupDone: true });
  /**
   * Runs `work`, which completes the first run, and shows the error if it fails. The screen is busy while
   * `work` runs.
   */
  const leave = async (work: () => Promise<void>) => {
    setFailure("");
    setBusy(true);
    try {
      await work();
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setBusy(false);
    }
  };
  const start = () =>
    leave(async () => {
      const chat = await actions.createChat(facts.latest?.path ?? folder(), answers());
      const { sandbox } = unwrap(state.settings);
      const uses = offersSandbox() && usesSandbox();
      if (uses && !chat.sandbox?.on) await actions.applySandbox(chat.id, { on: true });
      go({ name: "chat", id: chat.id });
      await finish(uses ? { sandbox: { ...sandbox, newChats: true } } : {});
    });
  const practise = () =>
    leave(async () => {
      const chat = await actions.startPractice();
      go({ name: "chat", id: chat.id });
      await finish();
    });

  const cliTitle = () =>
    ({
      checking: t.cli.checking,
      found: t.cli.found,
      missing: t.cli.missing,
      too_old: t.cli.tooOld(state.cli.version ?? ""),
      broken: t.cli.broken,
    })[state.cli.state];
  const withCopilot = () => answers() === ProviderCopilot;
  const account = () => state.account;
  const signInTitle = () => {
    if (stepState(2) !== "done") {
      if (own()) return messages.account.ways.own;
      return offersFound() ? messages.account.continueWith : messages.account.signIn;
    }
    if (!withCopilot()) {
      const model = state.providers[answers()]?.model;
      return model ? t.signIn.ownTitle(model) : messages.settings.pages.model;
    }
    if (account().state === "own") return account().login ? tFound.titleOwn : tFound.titleOwnUnsure;
    return tFound.title(accountName(account()));
  };
  /** The user's own model. It is checked after it has been saved. */
  const ownModel = () => (withCopilot() ? undefined : state.providers[answers()]);
  const signInGlyph = () => {
    const model = stepState(2) === "done" ? ownModel() : undefined;
    if (!model || (model.checkedAt && !model.check)) return undefined;
    if (!model.checkedAt) return <Icon of={LoaderCircle} class="spin subtle" />;
    return <Icon of={CircleX} size="lg" class="c-bad" />;
  };
  const signInFact = () => {
    if (!withCopilot()) return "";
    if (account().state === "valid") return tFound.checked;
    return account().state === "own" ? messages.account.notChecked : tFound.unchecked;
  };
  const change = (
    <button
      type="button"
      class="link"
      onClick={() => {
        setAnswers("");
        setOwn(false);
      }}
    >
      {t.signIn.change}
    </button>
  );

  return (
    <main class="fr" aria-labelledby="fr-t">
      <div>
        {/* If nothing can be read from a damaged database, the first run appears and this banner explains why. */}
        <StorageBanner />
        <Logo class="mark" />
        <h1 id="fr-t">{t.title}</h1>
        <p class="lead">{t.lead}</p>
        <ol ref={steps} class="steps" aria-label={t.setup}>
          <Step
            number={1}
            state={stepState(1)}
            title={cliTitle()}
            glyph={
              found() ? undefined : state.cli.state === "checking" ? (
                <Icon of={LoaderCircle} class="spin subtle" />
              ) : (
                <Icon of={CircleX} size="lg" class="c-bad" />
              )
            }
            fact={
              <Show when={found()}>
                <span class="mono" title={tilde(state.cli.path ?? "")}>
                  {t.cli.foundAt(state.cli.version ?? "", shortPath(state.cli.path ?? "", 36))}
                </span>
              </Show>
            }
          >
            <Show when={state.cli.state !== "checking"}>
              <CLIHelp />
            </Show>
          </Step>
          <Step
            number={2}
            state={stepState(2)}
            title={signInTitle()}
            glyph={signInGlyph()}
            problem={stepState(2) === "done" ? ownModel()?.check : undefined}
            fact={
              <Show when={stepState(2) === "done"}>
                {signInFact()} {change}
              </Show>
            }
          >
            <Show
              when={own()}
              fallback={
                <SignInStep
                  onSignedIn={() => setAnswers(ProviderCopilot)}
                  onOwnModel={() => setOwn(true)}
                  onFound={setOffersFound}
                />
              }
            >
              <p>{t.signIn.ownBody}</p>
              <ProviderForm
                provider={newProvider()}
                save={t.signIn.ownSave}
                cancel={t.signIn.back}
                onSaved={(provider) => setAnswers(provider.id)}
                onCancel={() => setOwn(false)}
              />
            </Show>
          </Step>
          <Step
            number={3}
            state={stepState(3)}
            title={t.folder.title}
            fact={stepState(3) === "todo" ? t.folder.fact : undefined}
          >
            <p>{t.folder.body}</p>
            <FolderField value={folder()} onFolder={setFolder} onConfirm={() => canStart() && start()} />
            <Show when={offersSandbox()}>
              <div class="fr-box">
                <Icon of={Box} />
                <div>
                  <strong>{messages.sandbox.firstRun.label}</strong>
                  <span>{messages.sandbox.firstRun.fact}</span>
                </div>
                <OnOff label={messages.sandbox.firstRun.label} on={usesSandbox()} onChange={setUsesSandbox} />
              </div>
            </Show>
          </Step>
        </ol>
        <Show when={withCopilot() && account().key === "memory" && account().source === "stored"}>
          <p class="fr-note" role="note">
            <Icon of={TriangleAlert} size="sm" class="c-attn" />
            <span>{messages.account.memory}</span>
          </p>
        </Show>
        <Failure text={failure()} />
        <Show when={!found() && state.cli.state !== "checking"}>
          <p class="fr-off" id="fr-off">
            {t.practiceOff}
          </p>
        </Show>
        <div class="end">
          <Button large look="ghost" disabled={busy()} onClick={() => leave(() => finish())}>
            {t.later}
          </Button>
          <span class="grow" />
          <Button
            large
            disabled={!found() || busy()}
            aria-describedby={found() ? undefined : "fr-off"}
            onClick={practise}
          >
            {t.practice}
          </Button>
          <Button large look="primary" disabled={!canStart()} onClick={start}>
            {t.start}
          </Button>
        </div>
      </div>
    </main>
  );
}
