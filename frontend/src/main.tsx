import "./styles/index.css";
import { render } from "solid-js/web";
import { App } from "./App";
import { loadTranslations } from "./i18n/translate";
import { actions } from "./state/actions";
import { start } from "./state/store";

// Uncaught errors are logged in the app, for the doctor page.
window.addEventListener("error", (event) => {
  // Browsers report this error when an observer changes the element that it observes; the error is harmless.
  const harmless = event.message.startsWith("ResizeObserver loop");
  actions.log(harmless ? "debug" : "error", `window: ${event.message} (${event.filename}:${event.lineno})`);
});
window.addEventListener("unhandledrejection", (event) => {
  const reason: unknown = event.reason;
  actions.log(
    "error",
    `window: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
  );
});

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
render(() => <App />, root);
// Messages from Go are translated on arrival; if the translations can't be loaded, they stay in English.
loadTranslations()
  .catch((thrown) => actions.log("error", `translations: ${thrown.message}`))
  .finally(start);
// An earlier page might have been editing queued messages; such edits are over.
actions.endEdit("");
