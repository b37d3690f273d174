// Reads the output of `go test -json` from tests that ran under Wine and prints the failures. It exits
// with 1 if a test failed or none passed.
//
// Wine 8 can't remove folders the way Go removes temporary test folders, so every test with a temporary
// folder fails when it ends. A test without any other failure counts as passed.
import { createInterface } from "node:readline";

const framing = /^\s*(=== |--- |PASS$|FAIL|ok\s|exit status)/;
const folder = /TempDir RemoveAll cleanup: .*(Invalid function|The directory is not empty|being used by another process)/;

const tests = new Map(); // by package and name: { out, failed }
const packages = new Map();
const key = (e) => `${e.Package} ${e.Test ?? ""}`;
const of = (e) => {
  if (!tests.has(key(e))) tests.set(key(e), { name: e.Test, package: e.Package, out: [], state: "" });
  return tests.get(key(e));
};

for await (const line of createInterface({ input: process.stdin })) {
  let e;
  try {
    e = JSON.parse(line);
  } catch {
    console.log(line);
    continue;
  }
  if (e.Action === "output" && e.Test) of(e).out.push(e.Output);
  else if (e.Action === "output" || e.Action === "build-output") {
    const p = e.Package ?? e.ImportPath;
    packages.set(p, (packages.get(p) ?? "") + e.Output);
  } else if (["pass", "fail", "skip"].includes(e.Action)) of(e).state = e.Action;
}

const counts = { pass: 0, skip: 0, folder: 0 };
const failed = new Set();
for (const t of tests.values()) {
  if (!t.name) continue;
  const printed = t.out.filter((l) => !framing.test(l) && l.trim() !== "");
  if (t.state === "pass" || t.state === "skip") {
    counts[t.state]++;
    if (t.state === "skip") console.log(`skipped: ${t.name}: ${printed.join(" ").trim()}`);
    continue;
  }
  const inner = [...tests.values()].some(
    (o) => o.package === t.package && o.name?.startsWith(`${t.name}/`) && o.state === "fail",
  );
  const errors = printed.filter((l) => !folder.test(l) && /^\s+\S+\.go:\d+: |^panic: |^fatal error: /.test(l));
  if (t.state === "fail" && errors.length === 0 && (inner || printed.some((l) => folder.test(l)))) counts.folder++;
  else {
    failed.add(t.package);
    console.log(`✗ ${t.package} ${t.name}\n${printed.slice(0, 60).join("")}`);
  }
}
for (const t of tests.values()) {
  if (t.name || t.state !== "fail") continue;
  const of = [...tests.values()].filter((o) => o.name && o.package === t.package);
  const printed = packages.get(t.package) ?? "";
  if (of.length === 0 || /^panic: |test timed out|build failed/m.test(printed)) {
    failed.add(t.package);
    console.log(`✗ ${t.package}\n${printed.slice(0, 4000)}`);
  }
}
console.log(`${counts.pass + counts.folder} passed, ${counts.skip} skipped`);
// If nothing passed, nothing was tested.
process.exit(failed.size > 0 || counts.pass + counts.folder === 0 ? 1 : 0);
