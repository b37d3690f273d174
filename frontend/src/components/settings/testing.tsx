// Shared helpers for the tests of the settings.

import { screen as page, render } from "@solidjs/testing-library";
import { go, type SettingsPage } from "../../state/screen";
import { defaultSettings } from "../../state/state";
import type { Event, Provider, Settings } from "../../state/types";
import { SettingsScreen } from "./SettingsScreen";

export const settings: Settings = { ...defaultSettings, setupDone: true, sidebarWidth: 300 };

export const provider = (id: string, more: Partial<Provider> = {}): Provider => ({
  id,
  name: id,
  baseUrl: "http://localhost:11434/v1",
  model: "qwen3:8b",
  createdAt: 1,
  ...more,
});

export const rule = (id: string, createdAt: number): Event => ({
  rule: { id, effect: "allow", scope: { kind: "command", folder: "/f", command: id }, createdAt },
});

export const button = (name: string) => page.getByRole("button", { name });

/** open shows a page of the settings. */
export function open(at: SettingsPage) {
  go({ name: "new" });
  go({ name: "settings", page: at });
  return render(() => <SettingsScreen />);
}
