export * from "../../state/inspector";
