import { createResource } from "solid-js";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { words } from "../../words";
import { CopyButton } from "../ui/CopyButton";
import { tilde } from "../ui/path";
import { Row } from "./parts";

const w = words.settings.about;

/** About names the app, its version, and where it keeps things. */
export function About() {
  const state = useStore();
  const [report] = createResource(() => actions.doctor().catch(() => undefined));
  return (
    <>
      <p class="muted set-lead">{w.line}</p>
      <Row first label={w.version}>
        <span class="sel num">{report.latest?.version ?? ""}</span>
      </Row>
      <Row label={w.cli} fact={<span class="mono wrap-any sel">{tilde(state.cli.path ?? "")}</span>}>
        <span class="sel num">{state.cli.version ?? w.cliNone}</span>
      </Row>
      <Row
        label={w.data}
        fact={
          <>
            <span class="mono wrap-any sel">{tilde(state.storage.path)}</span>
            <br />
            {w.dataFact}
          </>
        }
      >
        <CopyButton large text={state.storage.path} label={w.copy} />
      </Row>
      <Row label={w.licence}>
        <span class="muted">{w.licenceFact}</span>
      </Row>
    </>
  );
}
