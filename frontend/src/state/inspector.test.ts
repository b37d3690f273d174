import { beforeEach, expect, test } from "vitest";
import { stubApp, stubBrowser } from "../testing";
import { inspectorWidth, normalWidth, openInspector, setInspectorTab, setOpen } from "./inspector";

beforeEach(() => {
  stubBrowser();
  stubApp();
  setOpen(false, false);
});

test("the tabs stay after the changes were shown, until the inspector closes", () => {
  openInspector("terminal");
  expect(normalWidth()).toBe(inspectorWidth.normal);
  setInspectorTab("changes");
  expect(normalWidth()).toBe(inspectorWidth.changes);
  setInspectorTab("sessions");
  expect(normalWidth()).toBe(inspectorWidth.changes);
  openInspector("protocol");
  expect(normalWidth()).toBe(inspectorWidth.changes);
  setOpen(false, false);
  openInspector("sessions");
  expect(normalWidth()).toBe(inspectorWidth.normal);
});
