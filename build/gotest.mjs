// node build/gotest.mjs FLAGS… -- PACKAGES… runs `go test` with the flags on the
// packages. It prints a line for each package, the output of failed tests and, at the
// end, the slowest tests, and the skipped tests with their reasons.
//
// If VOXPILOT_FLAKY names a file, failed tests run again. Those that pass the second
// time are flaky: their names are added to the file, one per line, and the run passes.

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const split = process.argv.indexOf("--");
const flags = process.argv.slice(2, split);
const packages = process.argv.slice(split + 1);
if (split < 0 || packages.length === 0) {
  console.error("usage: node build/gotest.mjs FLAGS… -- PACKAGES…");
  process.exit(2);
}

const module = "github.com/voxpilot/voxpilot";
const short = (path) => (path === module ? "." : path.replace(`${module}/`, "./"));

/**
 * goTest runs `go test -json` and prints its progress. For each package with failures it returns the
 * failed top-level tests, which can be run again, and the names of all failed tests. It also returns the
 * exit status, the skipped tests, the durations of top-level tests, and whether everything could be built.
 */
async function goTest(flags, packages) {
  const child = spawn("go", ["test", "-json", ...flags, ...packages], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = new Promise((resolve) => child.once("close", resolve));
  const output = new Map(); // by package and test, until it passes
  const running = new Map(); // tests by package
  const failed = new Map();
  const skipped = [];
  const durations = [];
  let built = true;
  const of = (name) => {
    if (!failed.has(name)) failed.set(name, { top: new Set(), all: [] });
    return failed.get(name);
  };

  for await (const line of createInterface({ input: child.stdout })) {
    let event;
    try {
      event = JSON.parse(line);
    } catch {
      console.log(line);
      continue;
    }
    const { Action: action, Package: name = "", Test: test = "", Output: text = "", Elapsed: seconds } = event;
    const key = `${name} ${test}`;
    if (action === "build-output") process.stdout.write(text);
    else if (action === "build-fail") built = false;
    else if (action === "output") output.set(key, (output.get(key) ?? "") + text);
    else if (action === "run") {
      if (!running.has(name)) running.set(name, new Set());
      running.get(name).add(test);
    } else if (test !== "" && (action === "pass" || action === "skip" || action === "fail")) {
      running.get(name)?.delete(test);
      const printed = output.get(key) ?? "";
      output.delete(key);
      if (action !== "skip" && !test.includes("/")) durations.push({ seconds, name: `${short(name)} ${test}` });
      if (action === "skip") skipped.push(`${short(name)} ${test}: ${reason(printed)}`);
      if (action === "fail") {
        process.stdout.write(printed);
        of(name).top.add(test.split("/")[0]);
        of(name).all.push(test);
      }
    } else if (test === "" && action === "fail") {
      const each = of(name);
      // A test that was running when the process exited has no result.
      for (const test of running.get(name) ?? []) {
        process.stdout.write(output.get(`${name} ${test}`) ?? "");
        each.all.push(test);
        each.top.clear(); // other tests may not have run, so the whole package runs again
        each.whole = true;
      }
      if (each.all.length === 0) each.whole = true;
      process.stdout.write(output.get(key) ?? "");
    } else if (test === "" && (action === "pass" || action === "skip")) {
      const lines = (output.get(key) ?? "").split("\n").filter((line) => /^(ok|\?)\s/.test(line));
      console.log(lines.join("\n") || `ok  \t${name}\t${seconds}s`);
      output.delete(key);
    }
  }
  return { status: await exit, failed, skipped, durations, built };
}

/** reason returns the reason that a test printed when it was skipped. */
function reason(printed) {
  const lines = printed.split("\n").filter((line) => !/^\s*(=== |--- )/.test(line) && line.trim() !== "");
  return lines.map((line) => line.trim().replace(/^\S+\.go:\d+: /, "")).join(" ") || "no reason given";
}

/**
 * names returns one line for each failed test in `all`, with its package and name, leaving out tests
 * whose subtests failed. If `all` is empty, it returns only the package.
 */
function names(name, { all }) {
  const leaves = all.filter((test) => !all.some((other) => other.startsWith(`${test}/`)));
  return leaves.length === 0 ? [short(name)] : leaves.map((test) => `${short(name)} ${test}`);
}

const first = await goTest(flags, packages);
const slowest = first.durations.filter(({ seconds }) => seconds >= 10).sort((a, b) => b.seconds - a.seconds);
for (const { seconds, name } of slowest.slice(0, 15)) console.log(`slow: ${Math.round(seconds)} s ${name}`);
for (const line of first.skipped) console.log(`skipped: ${line}`);
const failures = [...first.failed].flatMap(([name, each]) => names(name, each));
for (const name of failures) console.log(`failed: ${name}`);

const flaky = process.env.VOXPILOT_FLAKY;
if (first.status === 0 || first.failed.size === 0 || !first.built || !flaky) process.exit(first.status ?? 1);

let failedAgain = false;
for (const [name, each] of first.failed) {
  const only = each.whole ? [] : ["-run", `^(${[...each.top].join("|")})$`];
  console.log(`retrying: ${short(name)} ${each.whole ? "" : [...each.top].join(" ")}`);
  const again = await goTest([...flags, "-count=1", ...only], [name]);
  if (again.status === 0) continue;
  failedAgain = true;
  for (const [name, each] of again.failed)
    for (const test of names(name, each)) console.log(`failed again: ${test}`);
}
if (failedAgain) process.exit(1);
appendFileSync(flaky, `${failures.join("\n")}\n`);
