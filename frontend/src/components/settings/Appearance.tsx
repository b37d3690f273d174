import { For, Show } from "solid-js";
import { languages, words } from "../../i18n";
import { drawsChinese } from "../../lib/fonts";
import { isMac } from "../../lib/platform";
import { useStore } from "../../state/store";
import { type TextSize, textSizeOf, textSizes } from "../../state/textSize";
import { Failure } from "../ui/Failure";
import { Radios, Select, Switch } from "../ui/fields";
import { createSave, Row } from "./parts";
import "./appearance.css";

const w = words.settings.appearance;

/** Preview text as bars; each class sets the length of one. */
function Pane(props: { lines: readonly string[] }) {
  return (
    <i>
      <For each={props.lines}>{(line) => <b class={line} />}</For>
    </i>
  );
}

function Preview(props: { theme: "l" | "d" }) {
  return (
    <span class={`pv ${props.theme}`}>
      <Pane lines={["w100", "w70"]} />
      <Pane lines={["w80", "w100", "w55"]} />
    </span>
  );
}

/** Appearance sets theme, contrast, motion, text size and transcript options. */
export function Appearance() {
  const state = useStore();
  const { save, failureOf } = createSave();
  return (
    <>
      <Radios
        label={w.theme}
        class="row thms"
        itemClass="thm"
        value={state.settings.theme}
        choices={[
          { value: "system", label: w.system },
          { value: "light", label: w.light },
          { value: "dark", label: w.dark },
        ]}
        onChange={(theme) => void save({ theme })}
      >
        {(choice) => (
          <>
            <Show
              when={choice.value === "system"}
              fallback={<Preview theme={choice.value === "light" ? "l" : "d"} />}
            >
              <span class="pv s">
                <Preview theme="l" />
                <Preview theme="d" />
              </span>
            </Show>
            <span class="strong-medium">{choice.label}</span>
          </>
        )}
      </Radios>
      <Failure text={failureOf("theme")} />
      <Row first label={w.contrast} failure={failureOf("contrast")} fact={w.contrastFact}>
        <Radios
          label={w.contrast}
          class="seg"
          value={state.settings.contrast}
          choices={[
            { value: "system", label: w.system },
            { value: "normal", label: w.normal },
            { value: "more", label: w.more },
          ]}
          onChange={(contrast) => void save({ contrast })}
        />
      </Row>
      <Row label={w.motion} failure={failureOf("motion")} fact={w.motionFact}>
        <Radios
          label={w.motion}
          class="seg"
          value={state.settings.motion}
          choices={[
            { value: "system", label: w.system },
            { value: "full", label: w.full },
            { value: "reduced", label: w.reduced },
          ]}
          onChange={(motion) => void save({ motion })}
        />
      </Row>
      <Row
        label={words.language.label}
        failure={failureOf("language")}
        fact={
          drawsChinese() ? (
            words.language.fact
          ) : (
            <>
              {words.language.fact} {words.language.noChinese}{" "}
              <span class="sel">{words.language.installChinese}</span>
            </>
          )
        }
      >
        <Select
          label={words.language.label}
          value={state.settings.language ?? ""}
          choices={[
            { value: "", label: words.language.system },
            ...languages.map(({ id, name }) => ({ value: id as string, label: name })),
          ]}
          onChange={(language) => void save({ language })}
        />
      </Row>
      <Row
        label={w.textSize}
        failure={failureOf("textSize")}
        fact={w.textSizeFact(isMac ? "⌘+" : "Ctrl +", isMac ? "⌘−" : "Ctrl −")}
      >
        <Select<TextSize>
          class="brief"
          label={w.textSize}
          value={textSizeOf(state.settings.textSize)}
          choices={textSizes.map((value) => ({ value, label: w.textSizes[value] }))}
          onChange={(textSize) => void save({ textSize })}
        />
      </Row>
      <Row label={w.codeFont} failure={failureOf("codeFont")} fact={w.codeFontFact}>
        <Select
          label={w.codeFont}
          value={state.settings.codeFont ?? ""}
          choices={[
            { value: "", label: "JetBrains Mono" },
            { value: "system", label: w.codeFontSystem },
          ]}
          onChange={(codeFont) => void save({ codeFont })}
        />
      </Row>
      <h2>{w.transcript}</h2>
      <Row label={w.collapse} failure={failureOf("keepOpen")} fact={w.collapseFact}>
        <Switch
          label={w.collapse}
          on={!state.settings.keepOpen}
          onChange={(on) => void save({ keepOpen: !on })}
        />
      </Row>
      <Row label={w.thoughts} failure={failureOf("showThoughts")} fact={w.thoughtsFact}>
        <Switch
          label={w.thoughts}
          on={state.settings.showThoughts}
          onChange={(showThoughts) => void save({ showThoughts })}
        />
      </Row>
      <Row label={w.wrap} fact={w.wrapFact} failure={failureOf("wrapDiff")}>
        <Switch
          label={w.wrap}
          on={!!state.settings.wrapDiff}
          onChange={(wrapDiff) => void save({ wrapDiff })}
        />
      </Row>
      <Row label={w.split} failure={failureOf("splitDiff")} fact={w.splitFact}>
        <Switch
          label={w.split}
          on={!!state.settings.splitDiff}
          onChange={(splitDiff) => void save({ splitDiff })}
        />
      </Row>
    </>
  );
}
