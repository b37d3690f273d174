// The style rules of the terminal. The page's policy forbids style elements, so vite.config.ts replaces those of xterm
// with this element.

/** findSheet returns the terminal's own style sheet, or undefined if it isn't loaded. */
function findSheet(): CSSStyleSheet | undefined {
  return [...document.styleSheets].find((sheet) => {
    try {
      return [...sheet.cssRules].some((rule) => rule.cssText.includes("terminal-rules"));
    } catch {
      return false; // a sheet that is still loading
    }
  });
}

/** TerminalRules adds its text as style rules to the terminal's style sheet while it is in the document. */
class TerminalRules extends HTMLElement {
  #text = "";
  #rule: CSSRule | undefined;

  override get textContent(): string {
    return this.#text;
  }

  override set textContent(text: string | null) {
    this.#text = text ?? "";
    if (this.isConnected) this.#replace(this.#text);
  }

  connectedCallback(): void {
    this.#replace(this.#text);
  }

  disconnectedCallback(): void {
    this.#replace("");
  }

  #replace(text: string): void {
    const sheet = this.#rule?.parentStyleSheet ?? findSheet();
    if (!sheet) return;
    if (this.#rule) {
      const at = [...sheet.cssRules].indexOf(this.#rule);
      if (at >= 0) sheet.deleteRule(at);
      this.#rule = undefined;
    }
    if (text === "") return;
    // One rule that contains all the others.
    const at = sheet.insertRule(`@media all { ${text} }`, sheet.cssRules.length);
    this.#rule = sheet.cssRules[at];
  }
}

/** defineTerminalRules registers the element before a terminal is created. */
export function defineTerminalRules(): void {
  if (!customElements.get("terminal-rules")) customElements.define("terminal-rules", TerminalRules);
}
