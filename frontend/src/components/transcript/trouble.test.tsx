import { screen as page, render } from "@solidjs/testing-library";
import { beforeEach, expect, test } from "vitest";
import { know, standIn, standInForBrowser } from "../ui/testing";
import { Trouble } from "./Message";

beforeEach(() => {
  standInForBrowser();
  standIn();
  know();
});

test.each([
  ["The model v1.2 failed. Send the message again.", "The model v1.2 failed.", "Send the message again."],
  ["回答已停止。请重新发送消息。", "回答已停止。", "请重新发送消息。"],
  ["Nothing ends this", "Nothing ends this", ""],
])("the first sentence of why a turn failed stands out: %s", (text, first, rest) => {
  render(() => <Trouble chatId="c" turnId="t" text={text} card />);
  const banner = page.getByRole("alert", { name: first.replace(/[.。]$/, "") });
  expect(banner.querySelector("strong")?.textContent).toBe(first);
  expect(banner.querySelector(".sel")?.textContent).toBe(rest);
});
