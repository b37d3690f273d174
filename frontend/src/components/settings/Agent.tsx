import CircleCheck from "lucide-solid/icons/circle-check";
import CircleX from "lucide-solid/icons/circle-x";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createEffect, createMemo, createResource, createSignal, createUniqueId, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { type IfLost, ProviderCopilot } from "../../state/types";
import { CheckAgain } from "../firstrun/CheckAgain";
import { CLIHelp } from "../firstrun/FirstRun";
import { Button } from "../ui/Button";
import { Select, Switch } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { CustomAgents } from "./CustomAgents";
import { createSave, Row } from "./parts";

const t = messages.settings.agent;

/** Choices for how often an agent may exit within a minute before VoxPilot gives up restarting it. */
const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** Choices for the number of minutes of inactivity after which an agent is stopped; 0 means never. */
const idle = [0, 5, 15, 30, 60];
/** Choices for the number of minutes after which a turn is stopped; 0 means never. */
const limits = [0, 10, 30, 60, 120, 240];

/** Choices for the maximum age in days of undo recordings; undoGB holds the choices for their total size in GB. */
const undoDays = [1, 7, 30, 90, 365];
const undoGB = [1, 2, 5, 10, 20, 50, 100];

/** withChosen adds `chosen`, the current value, to the choices if it isn't one of them. */
function withChosen(choices: number[], chosen: number): number[] {
  return choices.includes(chosen) ? choices : [...choices, chosen].sort((a, b) => a - b);
}

/** Agent is the page about the Copilot CLI, restarts and limits of agents, undo, and the user's editor. */
export function Agent() {
  const state = useStore();
  const id = createUniqueId();
  const { save, failureOf, setFailure } = createSave();
  const [cliFailure, setCLIFailure] = createSignal("");
  const [program, setProgram] = createSignal("");
  const [home, setHome] = createSignal("");
  const [editor, setEditor] = createSignal("");
  // A change to another setting must not overwrite the path being typed.
  const savedProgram = createMemo(() => state.settings.cliPath ?? "");
  const savedHome = createMemo(() => state.settings.copilotHome ?? "");
  const savedEditor = createMemo(() => state.settings.editor ?? "");
  createEffect(on(savedProgram, (path) => setProgram(path)));
  createEffect(on(savedHome, (path) => setHome(path)));
  createEffect(on(savedEditor, (command) => setEditor(command)));

  const [modes] = createResource(() => actions.declaredOptions(ProviderCopilot));
  const declared = () => (modes.state === "ready" && modes()?.modes) || [];
  const modeChoices = () => {
    const known = declared().map(({ id, name }) => ({ value: id, label: name }));
    const chosen = state.settings.agentMode ?? "";
    const isKnown = chosen === "" || known.some(({ value }) => value === chosen);
    const short = chosen.slice(chosen.lastIndexOf("#") + 1);
    const gone = { value: chosen, label: modes.loading ? short : t.modeUnavailable(short) };
    return [{ value: "", label: t.modeOwn }, ...known, ...(isKnown ? [] : [gone])];
  };

  const saveProgram = async (cliPath: string) => {
    if (cliPath === (state.settings.cliPath ?? "")) return;
    if (!(await save({ cliPath }))) return;
    actions.checkCLI().catch((thrown) => setFailure(thrown.message, "cliPath"));
  };
  const pick = async (
    of: "cliPath" | "copilotHome",
    dialog: () => Promise<string>,
    then: (path: string) => void,
  ) => {
    setFailure("");
    try {
      const path = await dialog();
      if (path !== "") then(path);
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown), of);
    }
  };
  const fact = () => {
    const { state: how, version = "", min } = state.cli;
    if (how === "found") return t.found(version, min);
    if (how === "too_old") return t.tooOld(version, min);
    if (how === "missing") return messages.firstRun.cli.missing;
    return how === "broken" ? t.broken : t.checking;
  };
  return (
    <>
      <Row first label={t.cli} fact={fact()} failure={cliFailure()}>
        <div class="row">
          <Show
            when={state.cli.state === "found"}
            fallback={
              <span class={`row status ${state.cli.state === "checking" ? "subtle" : "c-bad"}`}>
                <Icon
                  of={state.cli.state === "checking" ? LoaderCircle : CircleX}
                  size="sm"
                  class={state.cli.state === "checking" ? "spin" : ""}
                />
                <span>{state.cli.state === "checking" ? t.checking : t.notReady}</span>
              </span>
            }
          >
            <span class="row status c-ok">
              <Icon of={CircleCheck} size="sm" />
              <span>{t.ready}</span>
            </span>
          </Show>
          <CheckAgain large onFailure={setCLIFailure} />
        </div>
      </Row>
      <Show when={state.cli.state !== "found" && state.cli.state !== "checking"}>
        <div class="set-help">
          <CLIHelp besideCheck />
        </div>
      </Show>
      <Row
        label={<label for={`${id}-program`}>{t.program}</label>}
        fact={t.programFact}
        failure={failureOf("cliPath")}
      >
        <div class="row">
          <input
            id={`${id}-program`}
            class="input mono sel"
            placeholder={
              state.settings.cliPath || !state.cli.path
                ? ""
                : messages.common.byDefault(tilde(state.cli.path))
            }
            spellcheck={false}
            autocomplete="off"
            value={program()}
            onInput={(event) => setProgram(event.currentTarget.value)}
            onChange={(event) => void saveProgram(event.currentTarget.value.trim())}
          />
          <Button large onClick={() => void pick("cliPath", actions.pickFile, saveProgram)}>
            {messages.common.chooseFile}
          </Button>
        </div>
      </Row>
      <Row
        label={<label for={`${id}-home`}>{t.home}</label>}
        fact={t.homeFact}
        failure={failureOf("copilotHome")}
      >
        <div class="row">
          <input
            id={`${id}-home`}
            class="input mono sel"
            placeholder={t.homeDefault}
            spellcheck={false}
            autocomplete="off"
            value={home()}
            onInput={(event) => setHome(event.currentTarget.value)}
            onChange={(event) => void save({ copilotHome: event.currentTarget.value.trim() })}
          />
          <Button
            large
            onClick={() =>
              void pick("copilotHome", actions.pickFolder, (copilotHome) => void save({ copilotHome }))
            }
          >
            {messages.common.chooseFolder}
          </Button>
          <Button
            large
            aria-label={t.homeOpen}
            onClick={() => {
              setFailure("");
              actions.openSessionFolder().catch((thrown) => setFailure(thrown.message, "copilotHome"));
            }}
          >
            {t.open}
          </Button>
        </div>
      </Row>
      <h2>{t.sessions}</h2>
      <Row label={t.restore} fact={t.restoreFact} failure={failureOf("restoreOnOpen")}>
        <Switch
          label={t.restore}
          on={state.settings.restoreOnOpen}
          onChange={(restoreOnOpen) => void save({ restoreOnOpen })}
        />
      </Row>
      <Row label={t.ifLost} fact={t.ifLostFact[state.settings.ifLost]} failure={failureOf("ifLost")}>
        <Select<IfLost>
          label={t.ifLost}
          value={state.settings.ifLost}
          choices={[
            { value: "recap", label: t.ifLostChoices.recap },
            { value: "fresh", label: t.ifLostChoices.fresh },
          ]}
          onChange={(ifLost) => void save({ ifLost })}
        />
      </Row>
      <Row label={t.searchSessions} fact={t.searchSessionsFact} failure={failureOf("searchSessions")}>
        <Switch
          label={t.searchSessions}
          on={state.settings.searchSessions ?? false}
          onChange={(searchSessions) => void save({ searchSessions })}
        />
      </Row>
      <Row label={t.attempts} fact={t.attemptsFact} failure={failureOf("attempts")}>
        <Select
          class="number"
          label={t.attempts}
          value={String(state.settings.attempts)}
          choices={attempts.map((n) => ({ value: String(n), label: String(n) }))}
          onChange={(n) => void save({ attempts: Number(n) })}
        />
      </Row>
      <h2>{t.defaults}</h2>
      <Row
        label={t.mode}
        failure={failureOf("agentMode")}
        fact={modes.loading || declared().length > 0 ? t.modeFact : t.modeUnknown}
      >
        <Select
          label={t.mode}
          value={state.settings.agentMode ?? ""}
          choices={modeChoices()}
          onChange={(agentMode) => void save({ agentMode })}
        />
      </Row>
      <h2>{t.limits}</h2>
      <Row label={t.stopAfter} fact={t.stopAfterFact} failure={failureOf("stopAfterMinutes")}>
        <Select
          label={t.stopAfter}
          value={String(state.settings.stopAfterMinutes ?? 0)}
          choices={withChosen(limits, state.settings.stopAfterMinutes ?? 0).map((n) => ({
            value: String(n),
            label: t.minutes(n),
          }))}
          onChange={(n) => void save({ stopAfterMinutes: Number(n) })}
        />
      </Row>
      <Row label={t.idle} fact={t.idleFact} failure={failureOf("idleMinutes")}>
        <Select
          label={t.idle}
          value={String(state.settings.idleMinutes)}
          choices={withChosen(idle, state.settings.idleMinutes).map((n) => ({
            value: String(n),
            label: t.minutes(n),
          }))}
          onChange={(n) => void save({ idleMinutes: Number(n) })}
        />
      </Row>
      <h2>{t.files}</h2>
      <Row
        label={<label for={`${id}-editor`}>{t.editor}</label>}
        fact={t.editorFact}
        failure={failureOf("editor")}
      >
        <input
          id={`${id}-editor`}
          class="input mono sel"
          placeholder={t.editorPlaceholder}
          spellcheck={false}
          autocomplete="off"
          value={editor()}
          onInput={(event) => setEditor(event.currentTarget.value)}
          onChange={(event) => void save({ editor: event.currentTarget.value.trim() })}
        />
      </Row>
      <Row label={t.undoDays} fact={t.undoFact} failure={failureOf("undoDays")}>
        <Select
          label={t.undoDays}
          value={String(state.settings.undoDays)}
          choices={withChosen(undoDays, state.settings.undoDays).map((n) => ({
            value: String(n),
            label: t.days(n),
          }))}
          onChange={(n) => void save({ undoDays: Number(n) })}
        />
      </Row>
      <Row label={t.undoSize} fact={t.undoSizeFact} failure={failureOf("undoGb")}>
        <Select
          label={t.undoSize}
          value={String(state.settings.undoGb)}
          choices={withChosen(undoGB, state.settings.undoGb).map((n) => ({
            value: String(n),
            label: t.gigabytes(n),
          }))}
          onChange={(n) => void save({ undoGb: Number(n) })}
        />
      </Row>
      <Row label={t.nameChat} fact={t.nameChatFact} failure={failureOf("nameChat")}>
        <Switch
          label={t.nameChat}
          on={state.settings.nameChat ?? false}
          onChange={(nameChat) => void save({ nameChat })}
        />
      </Row>
      <CustomAgents />
    </>
  );
}
