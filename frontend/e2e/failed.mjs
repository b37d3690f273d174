// A reporter for Node's test runner that prints the names of failed tests, one per line, each with its
// file. A suite that fails only because of its tests is omitted.

import { basename } from "node:path";

export default async function* failed(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.details?.error?.failureType === "subtestsFailed") continue;
    yield `${basename(data.file ?? "")} ${data.name}\n`;
  }
}
