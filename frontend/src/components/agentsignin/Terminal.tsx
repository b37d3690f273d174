// The terminal of an agent's sign-in. It is loaded only when it is shown.

import { FitAddon } from "@xterm/addon-fit";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { type ITheme, Terminal as Xterm } from "@xterm/xterm";
import { createEffect, createUniqueId, onCleanup, onMount } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { createInput, readOutput } from "../../state/agentTerminal";
import { cleanPaste } from "./terminalInput";
import { defineTerminalRules } from "./terminalRules";
import "@xterm/xterm/css/xterm.css";
import "./terminal.css";

const t = messages.agentSignIn.terminal;

/** Maximum number of lines that scroll out of view and stay readable. */
const scrollback = 5000;

const colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** themeOf returns the terminal's colors from the design tokens. */
function themeOf(host: HTMLElement): ITheme {
  const style = getComputedStyle(host);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const theme: Record<string, string> = {
    background: token("--bg-inset"),
    foreground: token("--fg"),
    cursor: token("--fg"),
    cursorAccent: token("--bg-inset"),
    selectionBackground: token("--selection"),
  };
  for (const color of colors) {
    theme[color] = token(`--ansi-${color}`);
    theme[`bright${color[0]?.toUpperCase()}${color.slice(1)}`] = token(`--ansi-${color}`);
  }
  return theme;
}

/** contrastOf returns the minimum contrast between the text and its background, which programs can't undercut. */
const contrastOf = () => (document.documentElement.dataset.contrast === "high" ? 7 : 4.5);

/**
 * ignoreRequests makes the terminal ignore requests of the program that reach outside of it or make it unreadable: the
 * window's title (0, 1, 2), the working directory (7), notifications (9, 99, 777), the clipboard (52), and changes of
 * the colors (4, 10 to 12 and 104 to 112). Questions about the colors are answered.
 */
function ignoreRequests(terminal: Xterm): void {
  for (const code of [0, 1, 2, 7, 9, 52, 99, 104, 110, 111, 112, 777]) {
    terminal.parser.registerOscHandler(code, () => true);
  }
  for (const code of [4, 10, 11, 12]) {
    // A request may contain several parts: "10;#f00;?" sets one color and asks for another.
    terminal.parser.registerOscHandler(
      code,
      (data) => !data.split(";").every((part) => /^(\?|\d+)$/.test(part)),
    );
  }
}

export interface TerminalProps {
  profileId: string;
  terminalId: string;
  /** Whether the program still runs and accepts input. */
  live: boolean;
  /** Called when the user leaves the terminal with the keyboard. */
  onLeave: () => void;
  /** Called with the address of a link that the user clicked. */
  onLink: (address: string) => void;
  onFailure: (why: string) => void;
}

/** Terminal shows the output of an agent's sign-in program and passes the user's input to it. */
export function Terminal(props: TerminalProps) {
  const hint = createUniqueId();
  let host!: HTMLElement;
  onMount(() => {
    defineTerminalRules();
    const { profileId, terminalId } = props;
    const failed = (thrown: Error) => {
      if (props.live) props.onFailure(thrown.message);
    };
    const font = getComputedStyle(host);
    Xterm.strings.promptLabel = t.input;
    Xterm.strings.tooMuchOutput = t.tooMuch;
    const terminal = new Xterm({
      fontFamily: font.fontFamily,
      fontSize: Number.parseFloat(font.fontSize) || 12,
      lineHeight: 1.2,
      theme: themeOf(host),
      minimumContrastRatio: contrastOf(),
      scrollback,
      screenReaderMode: true,
      linkHandler: { activate: (_event, address) => props.onLink(address) },
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    terminal.loadAddon(new WebLinksAddon((_event, address) => props.onLink(address)));
    ignoreRequests(terminal);

    terminal.attachCustomKeyEventHandler((event) => {
      const key = event.key.toLowerCase();
      if (event.ctrlKey && key === "tab") {
        event.preventDefault();
        if (event.type === "keydown") props.onLeave();
        return false;
      }
      if (key === "tab" && !event.ctrlKey) {
        if (!props.live) return false; // the browser moves the focus
        event.preventDefault(); // also for Shift+Tab, which xterm leaves to the browser too
      }
      if (event.ctrlKey && event.shiftKey && key === "c") {
        event.preventDefault();
        if (event.type === "keydown" && terminal.hasSelection()) void actions.copy(terminal.getSelection());
        return false;
      }
      // The browser's paste event follows.
      return !(event.ctrlKey && !event.altKey && key === "v");
    });
    const onPaste = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      if (props.live) terminal.paste(cleanPaste(event.clipboardData?.getData("text/plain") ?? ""));
    };
    host.addEventListener("paste", onPaste, true);

    // Output that a terminal of this window or of an earlier one has shown contains questions that are answered.
    let isReplaying = false;
    const input = createInput(profileId, failed);
    terminal.onData((data) => {
      if (!isReplaying && props.live) input(data);
    });

    let size = "";
    const refit = () => {
      fit.fit();
      const now = `${terminal.cols} ${terminal.rows}`;
      if (size === now || !props.live) return;
      size = now;
      actions.resizeAgentTerminal(profileId, terminal.cols, terminal.rows).catch(failed);
    };
    const resized = new ResizeObserver(refit);
    const restyled = new MutationObserver(() => {
      terminal.options.theme = themeOf(host);
      terminal.options.minimumContrastRatio = contrastOf();
      terminal.options.fontSize = Number.parseFloat(getComputedStyle(host).fontSize) || 12;
      refit();
    });

    let stop = () => {};
    let isDisposed = false;
    const begin = () => {
      if (isDisposed) return;
      terminal.open(host);
      terminal.textarea?.setAttribute("aria-describedby", hint);
      host.querySelector(".live-region")?.classList.add("sr");
      refit();
      resized.observe(host);
      restyled.observe(document.documentElement, { attributes: true });
      terminal.focus();
      stop = readOutput(profileId, terminalId, {
        write: (bytes) => terminal.write(bytes),
        replay: (shown, fresh) => {
          isReplaying = true;
          terminal.reset();
          terminal.write(shown, () => (isReplaying = false));
          terminal.write(fresh);
        },
        failed,
      });
    };
    // The size of a character is measured when the terminal opens, so its font must be loaded.
    document.fonts.load(`${font.fontSize} ${font.fontFamily}`).then(begin, begin);
    createEffect(() => (terminal.options.disableStdin = !props.live));
    onCleanup(() => {
      isDisposed = true;
      stop();
      resized.disconnect();
      restyled.disconnect();
      host.removeEventListener("paste", onPaste, true);
      terminal.dispose();
    });
  });
  return (
    <>
      <section ref={host} class="terminal-host" aria-label={t.screen} />
      <p id={hint} class="subtle">
        {t.leave}
      </p>
    </>
  );
}

export default Terminal;
