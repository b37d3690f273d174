import "./styles/index.css";
import { render } from "solid-js/web";
import { App } from "./App";
import { learnToSpeak } from "./i18n/translate";
import { actions } from "./state/actions";
import { start } from "./state/store";

// What nobody catches is in the log of the app, where the doctor page shows it.
window.addEventListener("error", (event) => {
  // A browser says so when an observer changes what it observes; nothing is wrong then.
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
// What Go tells is spoken as it comes in; where that cannot be, it is in English.
learnToSpeak()
  .catch((thrown) => actions.log("error", `words: ${thrown.message}`))
  .finally(start);
// What a page before this one was editing is edited no more.
actions.endEdit("");
