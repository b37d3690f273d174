// Opens files in the user's editor.

import { toAppError } from "../bridge";
import { messages } from "../i18n";
import { actions } from "./actions";
import { notify } from "./notices";
import { settingRows, showSetting } from "./settingRows";

const setting = settingRows.find(({ id }) => id === "agent.editor");

/**
 * openInEditor opens a file in the user's editor, at the given line unless that is 0. It first calls `onFailure` with
 * "" to clear an earlier message. If opening the file fails, it calls `onFailure` with a message. If it fails because
 * no editor is set, it shows a notice with a link to the setting instead.
 */
export function openInEditor(
  chatId: string,
  path: string,
  line: number,
  onFailure: (message: string) => void,
): void {
  onFailure("");
  actions.openInEditor(chatId, path, line).catch((thrown) => {
    const error = toAppError(thrown);
    if (error.code !== "no_editor" || !setting) {
      onFailure(error.message);
      return;
    }
    const mend = { label: messages.shell.chooseEditor, run: () => showSetting(setting) };
    notify({ id: "editor", text: error.message, failed: true, mend });
  });
}
