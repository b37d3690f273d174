import "../styles/index.css";
import { render } from "solid-js/web";
import { learnToSpeak } from "../i18n/translate";
import { keepPage } from "../lib/dragAndDrop";
import { Quick } from "./Quick";

const root = document.getElementById("root");
if (!root) throw new Error("quick.html has no #root");
keepPage();
// Without translations, messages from Go are in English.
const show = () => render(() => <Quick />, root);
learnToSpeak().then(show, show);
