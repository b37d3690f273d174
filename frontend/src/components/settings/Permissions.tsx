import ChevronRight from "lucide-solid/icons/chevron-right";
import { createSignal } from "solid-js";
import { messages } from "../../i18n";
import { useStore } from "../../state/store";
import type { PermissionMode } from "../../state/types";
import { Failure } from "../ui/Failure";
import { Radios, Switch } from "../ui/fields";
import { Icon } from "../ui/Icon";
import { Audit } from "./Audit";
import { createSave, Row } from "./parts";
import { Rules } from "./Rules";
import { Trusted } from "./Trusted";

const t = messages.settings.permissions;

/** Permission modes that can be the default for new chats. "Allow everything" isn't among them. */
const defaults: readonly { value: PermissionMode; label: string; body: string }[] = [
  { value: "ask", label: messages.chat.modes.ask, body: t.ask },
  { value: "accept_edits", label: messages.chat.modes.accept_edits, body: t.acceptEdits },
];

/** Permissions shows the actions that agents may perform without asking, and the rules. */
export function Permissions() {
  const state = useStore();
  const { save, failure } = createSave();
  const [audit, setAudit] = createSignal(false);
  return (
    <>
      <p class="muted set-lead">{t.lead}</p>
      <Radios
        class="rads"
        itemClass="rad"
        label={t.mode}
        value={state.settings.mode}
        choices={defaults}
        onChange={(mode) => void save({ mode })}
      >
        {(choice) => (
          <>
            <span class="radio" />
            <strong>{choice.label}</strong>
            <span class="ds">{defaults.find((each) => each.value === choice.value)?.body}</span>
          </>
        )}
      </Radios>
      <Row label={t.outside} fact={t.outsideFact}>
        <Switch
          label={t.outside}
          on={state.settings.askOutside}
          onChange={(askOutside) => void save({ askOutside })}
        />
      </Row>
      <Failure text={failure()} />
      <h2 class="tight">{t.rules}</h2>
      <Rules />
      <h2 class="tight">{messages.trust.settings.title}</h2>
      <Trusted />
      <details class="audit" onToggle={(event) => setAudit(event.currentTarget.open)}>
        <summary>
          <Icon of={ChevronRight} size="sm" class="chev" />
          {t.audit}
        </summary>
        {audit() && <Audit />}
      </details>
    </>
  );
}
