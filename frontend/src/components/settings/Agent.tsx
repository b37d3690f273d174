import CircleCheck from "lucide-solid/icons/circle-check";
import CircleX from "lucide-solid/icons/circle-x";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createEffect, createMemo, createResource, createSignal, createUniqueId, on, Show } from "solid-js";
import { words } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { type IfLost, ProviderCopilot } from "../../state/types";
import { LookAgain } from "../firstrun/CheckAgain";
import { CLIHelp } from "../firstrun/FirstRun";
import { Button } from "../ui/Button";
import { Select, Switch } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { Agents } from "./CustomAgents";
import { createSave, Row } from "./parts";

const w = words.settings.agent;

/** Maximum number of agent exits per minute. */
const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** Minutes of inactivity after which an agent is stopped; 0 means never. */
const idle = [0, 5, 15, 30, 60];
/** Minutes after which a turn is stopped; 0 means never. */
const limits = [0, 10, 30, 60, 120, 240];

/** withChosen adds the current value to the choices if it is missing. */
function withChosen(choices: number[], chosen: number): number[] {
  return choices.includes(chosen) ? choices : [...choices, chosen].sort((a, b) => a - b);
}

/** Agent selects the Copilot CLI and the location of its sessions. */
export function Agent() {
  const state = useStore();
  const id = createUniqueId();
  const { save, failureOf, setFailure } = createSave();
  const [cliFailure, setCLIFailure] = createSignal("");
  const [program, setProgram] = createSignal("");
  const [home, setHome] = createSignal("");
  const [editor, setEditor] = createSignal("");
  // A change of another setting must not overwrite typed text.
  const savedProgram = createMemo(() => state.settings.cliPath ?? "");
  const savedHome = createMemo(() => state.settings.copilotHome ?? "");
  const savedEditor = createMemo(() => state.settings.editor ?? "");
  createEffect(on(savedProgram, (path) => setProgram(path)));
  createEffect(on(savedHome, (path) => setHome(path)));
  createEffect(on(savedEditor, (command) => setEditor(command)));

  const [modes] = createResource(() => actions.declared(ProviderCopilot));
  const declared = () => (modes.state === "ready" && modes()?.modes) || [];
  const modeChoices = () => {
    const known = declared().map(({ id, name }) => ({ value: id, label: name }));
    const chosen = state.settings.agentMode ?? "";
    const isKnown = chosen === "" || known.some(({ value }) => value === chosen);
    const short = chosen.slice(chosen.lastIndexOf("#") + 1);
    const gone = { value: chosen, label: modes.loading ? short : w.modeGone(short) };
    return [{ value: "", label: w.modeOwn }, ...known, ...(isKnown ? [] : [gone])];
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
    if (how === "found") return w.found(version, min);
    if (how === "too_old") return w.tooOld(version, min);
    if (how === "missing") return words.firstRun.cli.missing;
    return how === "broken" ? w.broken : w.checking;
  };
  return (
    <>
      <Row first label={w.cli} fact={fact()} failure={cliFailure()}>
        <div class="row">
          <Show
            when={state.cli.state === "found"}
            fallback={
              <span class={`row said ${state.cli.state === "checking" ? "subtle" : "c-bad"}`}>
                <Icon
                  of={state.cli.state === "checking" ? LoaderCircle : CircleX}
                  size="sm"
                  class={state.cli.state === "checking" ? "spin" : ""}
                />
                <span>{state.cli.state === "checking" ? w.checking : w.notReady}</span>
              </span>
            }
          >
            <span class="row said c-ok">
              <Icon of={CircleCheck} size="sm" />
              <span>{w.ready}</span>
            </span>
          </Show>
          <LookAgain large onFailure={setCLIFailure} />
        </div>
      </Row>
      <Show when={state.cli.state !== "found" && state.cli.state !== "checking"}>
        <div class="set-help">
          <CLIHelp besideLook />
        </div>
      </Show>
      <Row
        label={<label for={`${id}-program`}>{w.program}</label>}
        fact={w.programFact}
        failure={failureOf("cliPath")}
      >
        <div class="row">
          <input
            id={`${id}-program`}
            class="input mono sel"
            placeholder={
              state.settings.cliPath || !state.cli.path ? "" : words.common.byDefault(tilde(state.cli.path))
            }
            spellcheck={false}
            autocomplete="off"
            value={program()}
            onInput={(event) => setProgram(event.currentTarget.value)}
            onChange={(event) => void saveProgram(event.currentTarget.value.trim())}
          />
          <Button large onClick={() => void pick("cliPath", actions.pickFile, saveProgram)}>
            {words.common.chooseFile}
          </Button>
        </div>
      </Row>
      <Row
        label={<label for={`${id}-home`}>{w.home}</label>}
        fact={w.homeFact}
        failure={failureOf("copilotHome")}
      >
        <div class="row">
          <input
            id={`${id}-home`}
            class="input mono sel"
            placeholder={w.homeDefault}
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
            {words.common.chooseFolder}
          </Button>
          <Button
            large
            aria-label={w.homeOpen}
            onClick={() => {
              setFailure("");
              actions.openSessionFolder().catch((thrown) => setFailure(thrown.message, "copilotHome"));
            }}
          >
            {w.open}
          </Button>
        </div>
      </Row>
      <h2>{w.sessions}</h2>
      <Row label={w.restore} fact={w.restoreFact} failure={failureOf("restoreOnOpen")}>
        <Switch
          label={w.restore}
          on={state.settings.restoreOnOpen}
          onChange={(restoreOnOpen) => void save({ restoreOnOpen })}
        />
      </Row>
      <Row label={w.ifLost} fact={w.ifLostFact[state.settings.ifLost]} failure={failureOf("ifLost")}>
        <Select<IfLost>
          label={w.ifLost}
          value={state.settings.ifLost}
          choices={[
            { value: "recap", label: w.ifLostChoices.recap },
            { value: "fresh", label: w.ifLostChoices.fresh },
          ]}
          onChange={(ifLost) => void save({ ifLost })}
        />
      </Row>
      <Row label={w.attempts} fact={w.attemptsFact} failure={failureOf("attempts")}>
        <Select
          class="number"
          label={w.attempts}
          value={String(state.settings.attempts)}
          choices={attempts.map((n) => ({ value: String(n), label: String(n) }))}
          onChange={(n) => void save({ attempts: Number(n) })}
        />
      </Row>
      <h2>{w.defaults}</h2>
      <Row
        label={w.mode}
        failure={failureOf("agentMode")}
        fact={modes.loading || declared().length > 0 ? w.modeFact : w.modeUnknown}
      >
        <Select
          label={w.mode}
          value={state.settings.agentMode ?? ""}
          choices={modeChoices()}
          onChange={(agentMode) => void save({ agentMode })}
        />
      </Row>
      <h2>{w.limits}</h2>
      <Row label={w.stopAfter} fact={w.stopAfterFact} failure={failureOf("stopAfterMinutes")}>
        <Select
          label={w.stopAfter}
          value={String(state.settings.stopAfterMinutes ?? 0)}
          choices={withChosen(limits, state.settings.stopAfterMinutes ?? 0).map((n) => ({
            value: String(n),
            label: w.minutes(n),
          }))}
          onChange={(n) => void save({ stopAfterMinutes: Number(n) })}
        />
      </Row>
      <Row label={w.idle} fact={w.idleFact} failure={failureOf("idleMinutes")}>
        <Select
          label={w.idle}
          value={String(state.settings.idleMinutes)}
          choices={withChosen(idle, state.settings.idleMinutes).map((n) => ({
            value: String(n),
            label: w.minutes(n),
          }))}
          onChange={(n) => void save({ idleMinutes: Number(n) })}
        />
      </Row>
      <h2>{w.files}</h2>
      <Row
        label={<label for={`${id}-editor`}>{w.editor}</label>}
        fact={w.editorFact}
        failure={failureOf("editor")}
      >
        <input
          id={`${id}-editor`}
          class="input mono sel"
          placeholder={w.editorPlaceholder}
          spellcheck={false}
          autocomplete="off"
          value={editor()}
          onInput={(event) => setEditor(event.currentTarget.value)}
          onChange={(event) => void save({ editor: event.currentTarget.value.trim() })}
        />
      </Row>
      <Agents />
    </>
  );
}
