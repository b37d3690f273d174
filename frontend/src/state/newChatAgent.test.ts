import { expect, test } from "vitest";
import { applyEvents, chatEvent, resetState, signedIn, signedOut } from "../testing";
import { newChatAgent } from "./newChatAgent";
import { defaultSettings } from "./state";
import { raw } from "./store";
import type { Chat, Event } from "./types";

const gemini: Event = { profile: { id: "g", name: "Gemini", command: "gemini", createdAt: 2 } };
const own: Event = {
  provider: {
    id: "o",
    name: "Ollama",
    baseUrl: "http://localhost:11434/v1",
    model: "qwen3:8b",
    createdAt: 1,
  },
};
const chat = (id: string, updatedAt: number, more: Partial<Chat>): Event =>
  chatEvent(id, { updatedAt, turnState: "done", ...more });
const newChatAgentAfter = (...events: Event[]) => {
  resetState(...events);
  return newChatAgent(raw());
};

test("the agent that answered last is the default, even if another chat is newer", () => {
  const chats = [chat("a", 1, { providerId: "g" }), chat("b", 2, { turnState: "failed" })];
  expect(newChatAgentAfter(signedIn(), gemini, ...chats)).toEqual({ agent: "g", mainId: "" });
});

test("Copilot is not the default while signed out", () => {
  const chats = [chat("a", 1, { providerId: "g" }), chat("b", 2, {})];
  expect(newChatAgentAfter(signedIn(), gemini, ...chats).agent).toBe("copilot");
  applyEvents(signedOut());
  expect(newChatAgent(raw()).agent).toBe("g");
});

test("an agent that needs its own sign-in is not the default", () => {
  const chats = [chat("a", 1, {}), chat("b", 2, { providerId: "g" })];
  expect(newChatAgentAfter(signedIn(), gemini, ...chats).agent).toBe("g");
  applyEvents({ connection: { chatId: "b", state: "needs_login", attempt: 0 } as never });
  expect(newChatAgent(raw()).agent).toBe("copilot");
});

test("signed out and without chats, the configured one is the default", () => {
  expect(newChatAgentAfter(signedOut())).toEqual({ agent: "copilot", mainId: "" });
  expect(newChatAgentAfter(signedOut(), gemini, own)).toEqual({ agent: "o", mainId: "" });
});

test("a removed model is not the default", () => {
  expect(newChatAgentAfter(signedIn(), chat("a", 1, { providerId: "gone" })).agent).toBe("copilot");
});

test("practice is the default only for a signed-out user who has used nothing else", () => {
  const practised = chat("p", 3, { providerId: "practice" });
  expect(newChatAgentAfter(signedOut(), practised).agent).toBe("practice");
  expect(newChatAgentAfter(signedIn(), practised).agent).toBe("copilot");
  expect(newChatAgentAfter(signedOut(), gemini, practised).agent).toBe("g");
});

test("practice is not the default in another folder that the user requested", () => {
  newChatAgentAfter(signedOut(), chat("p", 3, { providerId: "practice", folder: "/data/practice" }));
  expect(newChatAgent(raw(), "/code/orbit-api").agent).toBe("copilot");
  expect(newChatAgent(raw(), "/data/practice").agent).toBe("practice");
});

test("the main AI from the settings takes precedence over the last agent", () => {
  const chats = [chat("a", 1, { mainId: "o" })];
  expect(newChatAgentAfter(signedOut(), own, ...chats)).toEqual({ agent: "copilot", mainId: "o" });
  const second: Event = { provider: { ...(own.provider as never as object), id: "p" } as never };
  const settings: Event = { settings: { ...defaultSettings, mainId: "p" } };
  expect(newChatAgentAfter(signedOut(), own, second, settings, ...chats).mainId).toBe("p");
});
