// All settings with their pages and labels. The settings search and the palette lead to them; a test
// compares the pages with this list.

import { createSignal } from "solid-js";
import { languages, messages } from "../i18n";
import { go, type SettingsPage } from "./screen";

/** SettingRow is a setting as it appears in the settings search. */
export interface SettingRow {
  id: string;
  page: SettingsPage;
  /** The setting's label on its page, also used to find its row there. */
  label: string;
  fact?: string;
  /** The labels of its options. */
  choices?: readonly string[];
}

/** choicesOf holds the option labels by setting ID. */
const choicesOf: Readonly<Record<string, readonly string[]>> = {
  "permissions.mode": [messages.chat.modes.ask, messages.chat.modes.accept_edits],
  "permissions.rules": [messages.settings.permissions.allow, messages.settings.permissions.never, "deny"],
  "sandbox.whenBlocked": Object.values(messages.sandbox.settings.whenBlockedChoices),
  "sandbox.reach": [messages.sandbox.network, ...Object.values(messages.sandbox.settings.reachChoices)],
  "appearance.theme": [messages.settings.appearance.light, messages.settings.appearance.dark],
  "appearance.motion": [messages.settings.appearance.full, messages.settings.appearance.reduced],
  "appearance.language": languages.map(({ name }) => name),
  "appearance.textSize": Object.values(messages.settings.appearance.textSizes),
};

const { sandbox: x, account: a, settings: s, desktop: d, updates: u, orchestrator: m, language } = messages;
const t = messages.trust.settings;

/**
 * rows returns the settings of a page. A fact is the sentence below a label; it is included only if it
 * doesn't depend on state.
 */
function rows(
  page: SettingsPage,
  list: Record<string, string | [label: string, fact: string]>,
): SettingRow[] {
  return Object.entries(list).map(([id, row]) => ({
    id: `${page}.${id}`,
    page,
    label: typeof row === "string" ? row : row[0],
    fact: typeof row === "string" ? undefined : row[1],
    choices: choicesOf[`${page}.${id}`],
  }));
}

/** settingRows holds all settings in page order. */
export const settingRows: readonly SettingRow[] = [
  ...rows("account", {
    check: a.check,
    kept: a.storedIn,
    used: [a.signInToUse, a.usedFact],
    mainAI: m.title,
    provider: [m.provider, m.providerFact],
    byCode: a.codeSignIn,
    clientId: [a.clientId, a.clientIdFact],
  }),
  ...rows("agent", {
    cli: s.agent.cli,
    program: s.agent.program,
    home: [s.agent.home, s.agent.homeFact],
    restore: [s.agent.restore, s.agent.restoreFact],
    ifLost: s.agent.ifLost,
    searchSessions: [s.agent.searchSessions, s.agent.searchSessionsFact],
    attempts: [s.agent.attempts, s.agent.attemptsFact],
    mode: [s.agent.mode, s.agent.modeFact],
    stopAfter: [s.agent.stopAfter, s.agent.stopAfterFact],
    idle: [s.agent.idle, s.agent.idleFact],
    editor: [s.agent.editor, s.agent.editorFact],
    undoDays: [s.agent.undoDays, s.agent.undoFact],
    undoSize: [s.agent.undoSize, s.agent.undoSizeFact],
    nameChat: [s.agent.nameChat, s.agent.nameChatFact],
    agents: [s.customAgents.title, s.customAgents.lead],
  }),
  ...rows("model", { add: s.model.add }),
  ...rows("permissions", {
    mode: s.permissions.mode,
    outside: [s.permissions.outside, s.permissions.outsideFact],
    rules: s.permissions.rules,
    trusted: [t.title, t.fact],
    audit: s.permissions.audit,
  }),
  ...rows("sandbox", {
    here: x.settings.here,
    newChats: [x.settings.newChats, x.settings.newChatsFact],
    whenBlocked: x.settings.whenBlocked,
    write: [x.settings.write, x.settings.writeFact],
    hidden: [x.settings.hidden, x.settings.hiddenFact],
    environment: [x.settings.environment, x.settings.environmentFact],
    reach: x.settings.reach,
    sites: [x.settings.sites, x.settings.sitesFact],
    ports: [x.settings.ports, x.settings.portsFact],
  }),
  ...rows("appearance", {
    theme: s.appearance.theme,
    contrast: [s.appearance.contrast, s.appearance.contrastFact],
    motion: [s.appearance.motion, s.appearance.motionFact],
    language: [language.label, language.fact],
    textSize: s.appearance.textSize,
    codeFont: [s.appearance.codeFont, s.appearance.codeFontFact],
    collapse: [s.appearance.collapse, s.appearance.collapseFact],
    thoughts: [s.appearance.thoughts, s.appearance.thoughtsFact],
    wrap: [s.appearance.wrap, s.appearance.wrapFact],
    split: [s.appearance.split, s.appearance.splitFact],
  }),
  ...rows("desktop", {
    startAtLogin: [d.startAtLogin, d.startAtLoginFact],
    tray: [d.tray, d.trayFact],
    shortcut: [d.shortcut, d.shortcutFact],
    muted: [d.muted, d.mutedFact],
    needsYou: d.needsYou,
    finished: d.finished,
    failed: d.failed,
    signIn: d.signIn,
    quiet: [d.quiet, d.quietFact],
  }),
  ...rows("about", {
    version: s.about.version,
    updates: u.title,
    look: [u.checkDaily, u.checkDailyFact],
    data: s.about.data,
    licence: s.about.license,
    project: [s.about.project, s.about.projectFact],
  }),
];

/**
 * matchingRows returns the settings whose texts contain every typed word. Matches in labels come before
 * matches in facts and choices.
 */
export function matchingRows(text: string): SettingRow[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (typed.length === 0) return [];
  const has = (where: string) => typed.every((word) => where.toLowerCase().includes(word));
  const rank = (row: SettingRow): number => {
    if (has(row.label)) return row.label.toLowerCase().startsWith(typed[0] as string) ? 0 : 1;
    if (has(`${row.label} ${s.pages[row.page]}`)) return 2;
    return has(`${row.label} ${s.pages[row.page]} ${row.fact ?? ""} ${row.choices?.join(" ") ?? ""}`) ? 3 : 4;
  };
  return settingRows
    .map((row) => ({ row, at: rank(row) }))
    .filter(({ at }) => at < 4)
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
}

const [wantedRow, setWantedRow] = createSignal<SettingRow>();

/** wantedRow is the setting to scroll to, or undefined once it is shown. */
export { wantedRow };

/** showSetting opens the settings page that contains a setting, and makes the page scroll to the setting's row. */
export function showSetting(row: SettingRow): void {
  go({ name: "settings", page: row.page }, () => setWantedRow({ ...row }));
}

/** confirmRowShown records that the requested setting has been shown. */
export function confirmRowShown(): void {
  setWantedRow(undefined);
}
