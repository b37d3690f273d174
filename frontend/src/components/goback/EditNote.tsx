// The strip above the composer while an earlier message is edited.

import Pencil from "lucide-solid/icons/pencil";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { timeOf } from "../../lib/format";
import { cancelEditing, editedMessage, editStartsRecap } from "../../state/goBack";
import { Icon } from "../ui/Icon";
import "./goback.css";

const t = messages.goBack;

/** EditNote describes what happens when the edited message is sent. */
export function EditNote(props: { chatId: string; onCancel(): void }) {
  return (
    <Show when={editedMessage(props.chatId)}>
      {(item) => (
        <p class="edit-note" role="status">
          <Icon of={Pencil} size="sm" />
          <span class="grow">
            {t.editing(timeOf(item().createdAt))}{" "}
            <Show when={editStartsRecap(props.chatId)}>{t.recapAfterEdit}</Show>
          </span>
          <button
            type="button"
            class="hb"
            aria-label={t.cancelEditingName}
            onClick={() => {
              cancelEditing(props.chatId);
              props.onCancel();
            }}
          >
            {t.cancelEditing}
          </button>
        </p>
      )}
    </Show>
  );
}
