import "./quick.css";
import { render } from "solid-js/web";
import { Quick } from "./Quick";

const root = document.getElementById("root");
if (!root) throw new Error("quick.html has no #root");
render(() => <Quick />, root);
