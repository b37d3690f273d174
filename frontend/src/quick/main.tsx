import "../styles/index.css";
import { render } from "solid-js/web";
import { loadTranslations } from "../i18n/translate";
import { preventPageDrops } from "../lib/dragAndDrop";
import { Quick } from "./Quick";

const root = document.getElementById("root");
if (!root) throw new Error("quick.html has no #root");
preventPageDrops();
// Without translations, messages from Go are in English.
const show = () => render(() => <Quick />, root);
loadTranslations().then(show, show);
