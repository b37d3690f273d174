import { expect, test } from "vitest";
import { headersToText, textToHeaders } from "./headers";

test("headers are parsed one per line and displayed as typed", () => {
  const text = "X-Team: blue\nAuthorization: Bearer a:b";
  expect(textToHeaders(`\n${text}\n`)).toEqual({
    headers: { "X-Team": "blue", Authorization: "Bearer a:b" },
  });
  expect(headersToText({ "X-Team": "blue", Authorization: "Bearer a:b" })).toBe(text);
});

test("an invalid header line is named", () => {
  expect(textToHeaders("X-Team: blue\nhello there")).toEqual({ bad: "hello there" });
  expect(textToHeaders("X Team: blue")).toEqual({ bad: "X Team: blue" });
});
