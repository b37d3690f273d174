import { For, Show } from "solid-js";
import { languages, messages } from "../../i18n";
import { hasChineseFont } from "../../lib/fonts";
import { isMac } from "../../lib/platform";
import { useStore } from "../../state/store";
import { type TextSize, textSizeOf, textSizes } from "../../state/textSize";
import { Failure } from "../ui/Failure";
import { Radios, Select, Switch } from "../ui/fields";
import { createSave, Row } from "./parts";
import "./appearance.css";

const t = messages.settings.appearance;

/** Pane is part of a theme preview. It shows bars in place of text; each class sets the length of one bar. */
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

/** Appearance is the settings page for the theme, contrast, motion, language, text and transcript. */
export function Appearance() {
  const state = useStore();
  const { save, failureOf } = createSave();
  return (
    <>
      <Radios
        label={t.theme}
        class="row thms"
        itemClass="thm"
        value={state.settings.theme}
        choices={[
          { value: "system", label: t.system },
          { value: "light", label: t.light },
          { value: "dark", label: t.dark },
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
      <Row first label={t.contrast} failure={failureOf("contrast")} fact={t.contrastFact}>
        <Radios
          label={t.contrast}
          class="seg"
          value={state.settings.contrast}
          choices={[
            { value: "system", label: t.system },
            { value: "normal", label: t.normal },
            { value: "more", label: t.more },
          ]}
          onChange={(contrast) => void save({ contrast })}
        />
      </Row>
      <Row label={t.motion} failure={failureOf("motion")} fact={t.motionFact}>
        <Radios
          label={t.motion}
          class="seg"
          value={state.settings.motion}
          choices={[
            { value: "system", label: t.system },
            { value: "full", label: t.full },
            { value: "reduced", label: t.reduced },
          ]}
          onChange={(motion) => void save({ motion })}
        />
      </Row>
      <Row
        label={messages.language.label}
        failure={failureOf("language")}
        fact={
          hasChineseFont() ? (
            messages.language.fact
          ) : (
            <>
              {messages.language.fact} {messages.language.noChinese}{" "}
              <span class="sel">{messages.language.installChinese}</span>
            </>
          )
        }
      >
        <Select
          label={messages.language.label}
          value={state.settings.language ?? ""}
          choices={[
            { value: "", label: messages.language.system },
            ...languages.map(({ id, name }) => ({ value: id as string, label: name })),
          ]}
          onChange={(language) => void save({ language })}
        />
      </Row>
      <Row
        label={t.textSize}
        failure={failureOf("textSize")}
        fact={t.textSizeFact(isMac ? "⌘+" : "Ctrl +", isMac ? "⌘−" : "Ctrl −")}
      >
        <Select<TextSize>
          class="brief"
          label={t.textSize}
          value={textSizeOf(state.settings.textSize)}
          choices={textSizes.map((value) => ({ value, label: t.textSizes[value] }))}
          onChange={(textSize) => void save({ textSize })}
        />
      </Row>
      <Row label={t.codeFont} failure={failureOf("codeFont")} fact={t.codeFontFact}>
        <Select
          label={t.codeFont}
          value={state.settings.codeFont ?? ""}
          choices={[
            { value: "", label: "JetBrains Mono" },
            { value: "system", label: t.codeFontSystem },
          ]}
          onChange={(codeFont) => void save({ codeFont })}
        />
      </Row>
      <h2>{t.transcript}</h2>
      <Row label={t.collapse} failure={failureOf("keepOpen")} fact={t.collapseFact}>
        <Switch
          label={t.collapse}
          on={!state.settings.keepOpen}
          onChange={(on) => void save({ keepOpen: !on })}
        />
      </Row>
      <Row label={t.thoughts} failure={failureOf("showThoughts")} fact={t.thoughtsFact}>
        <Switch
          label={t.thoughts}
          on={state.settings.showThoughts}
          onChange={(showThoughts) => void save({ showThoughts })}
        />
      </Row>
      <Row label={t.wrap} fact={t.wrapFact} failure={failureOf("wrapDiff")}>
        <Switch
          label={t.wrap}
          on={!!state.settings.wrapDiff}
          onChange={(wrapDiff) => void save({ wrapDiff })}
        />
      </Row>
      <Row label={t.split} failure={failureOf("splitDiff")} fact={t.splitFact}>
        <Switch
          label={t.split}
          on={!!state.settings.splitDiff}
          onChange={(splitDiff) => void save({ splitDiff })}
        />
      </Row>
    </>
  );
}
