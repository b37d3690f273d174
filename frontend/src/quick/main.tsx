import "../styles/index.css";
import { render } from "solid-js/web";
import { loadTranslations } from "../i18n/translate";
import { preventPageDrops } from "../lib/dragAndDrop";
import { Quick } from "./Quick";

const root = document.getElementById("root");
if (!root) throw new Error("quick.html has no #root");
preventPageDrops();
// The page is shown even if the translations can't be loaded; messages from Go are then in English.
const show = () => render(() => <Quick />, root);
loadTranslations().then(show, show);
