// Opens files in the user's editor.

import { toAppError } from "../bridge";
import { messages } from "../i18n";
import { actions } from "./actions";
import { notify } from "./notices";
import { settingRows, showSetting } from "./settingRows";

const setting = settingRows.find(({ id }) => id === "agent.editor");

/**
 * openInEditor opens a file, at the given line unless it is 0. It calls `onFailure` with "" first, and
 * with a message if opening the file fails. If the reason is that no editor is set, a notice with a link
 * to the setting is shown instead.
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
