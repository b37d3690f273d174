// A reporter of Node's test runner: the names of tests that failed, one a line, each
// with its file. A suite that failed because of its tests is not named.

import { basename } from "node:path";

export default async function* failed(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.details?.error?.failureType === "subtestsFailed") continue;
    yield `${basename(data.file ?? "")} ${data.name}\n`;
  }
}
