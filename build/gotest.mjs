// node build/gotest.mjs FLAGS… -- PACKAGES… runs `go test` with these flags on
// these packages. It prints a line for each package, the output of what failed,
// and last the tests that were skipped, each with its reason.
//
// Where VOXPILOT_FLAKY names a file, what failed is run once more. What passes
// then is flaky: its names are added to the file, one a line, and the run passes.

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
 * goTest runs `go test -json` and prints what it does. It returns the failures, by
 * package: the names of its top-level tests that failed, for a run of their own, and
 * all names; and whether something could not be built.
 */
async function goTest(flags, packages) {
  const child = spawn("go", ["test", "-json", ...flags, ...packages], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = new Promise((resolve) => child.once("close", resolve));
  const output = new Map(); // by package and test, until it has passed
  const running = new Map(); // tests by package
  const failed = new Map();
  const skipped = [];
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
      const said = output.get(key) ?? "";
      output.delete(key);
      if (action === "skip") skipped.push(`${short(name)} ${test}: ${reason(said)}`);
      if (action === "fail") {
        process.stdout.write(said);
        of(name).top.add(test.split("/")[0]);
        of(name).all.push(test);
      }
    } else if (test === "" && action === "fail") {
      const each = of(name);
      // A test that was running when the process ended has no end of its own.
      for (const test of running.get(name) ?? []) {
        process.stdout.write(output.get(`${name} ${test}`) ?? "");
        each.all.push(test);
        each.top.clear(); // nobody knows what else was not run: all of it is run again
        each.whole = true;
      }
      if (each.all.length === 0) each.whole = true;
      process.stdout.write(output.get(key) ?? "");
    } else if (test === "" && (action === "pass" || action === "skip")) {
      const said = (output.get(key) ?? "").split("\n").filter((line) => /^(ok|\?)\s/.test(line));
      console.log(said.join("\n") || `ok  \t${name}\t${seconds}s`);
      output.delete(key);
    }
  }
  return { status: await exit, failed, skipped, built };
}

/** The reason that a test gives for being skipped. */
function reason(said) {
  const lines = said.split("\n").filter((line) => !/^\s*(=== |--- )/.test(line) && line.trim() !== "");
  return lines.map((line) => line.trim().replace(/^\S+\.go:\d+: /, "")).join(" ") || "no reason given";
}

/** The names of what failed: without the tests whose subtests did. */
function names(name, { all }) {
  const leaves = all.filter((test) => !all.some((other) => other.startsWith(`${test}/`)));
  return leaves.length === 0 ? [short(name)] : leaves.map((test) => `${short(name)} ${test}`);
}

const first = await goTest(flags, packages);
for (const line of first.skipped) console.log(`skipped: ${line}`);
const failures = [...first.failed].flatMap(([name, each]) => names(name, each));
for (const name of failures) console.log(`failed: ${name}`);

const flaky = process.env.VOXPILOT_FLAKY;
if (first.status === 0 || first.failed.size === 0 || !first.built || !flaky) process.exit(first.status ?? 1);

for (const [name, each] of first.failed) {
  const only = each.whole ? [] : ["-run", `^(${[...each.top].join("|")})$`];
  console.log(`once more: ${short(name)} ${each.whole ? "" : [...each.top].join(" ")}`);
  const again = await goTest([...flags, "-count=1", ...only], [name]);
  if (again.status !== 0) {
    for (const [name, each] of again.failed)
      for (const what of names(name, each)) console.log(`failed again: ${what}`);
    process.exit(1);
  }
}
appendFileSync(flaky, `${failures.join("\n")}\n`);
