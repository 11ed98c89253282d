/**
 * Repetitive tests, such as kills and the cells of a matrix, run in full in CI (`CI=true`) and with `--full`;
 * otherwise each run takes a different share.
 */
import { shareCount } from "@incipit/testkit";
import { Glob } from "bun";
import { dirname, join } from "node:path";
import { nextSeed } from "./check-seed.ts";
import { readTimes, shownTime, writeTimes } from "./check-times.ts";
import { failedTests } from "./failed-tests.ts";

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  readonly timeoutMs?: number;
  readonly isTests?: boolean;
}

const root = join(import.meta.dir, "../..");
const cache = join(root, "node_modules/.cache");

const isFull = process.env["CI"] === "true" || process.argv.includes("--full");
const seed = isFull ? undefined : await nextSeed(cache, process.env["CHECK_SEED"]);

/** One program for all packages, so that shared imports are checked once. */
const typecheck = [process.execPath, "run", "typecheck"];

const timings = join(cache, "test-timings.json");
const agents = "test/acp-agents";
const places = ["apps", "packages", "extensions", "examples", "publish", "test"];

function testCommand(workers: number, ...what: readonly string[]): readonly string[] {
  const shared = [`--parallel=${workers}`, "--no-isolate", "--timings", timings, "--update-timings"];
  return [process.execPath, "test", "--timeout", "300000", ...shared, ...what];
}

/** A manual run takes five minutes on two processors. The deadline ends a hanging test. */
const testTimeoutMs = (isFull ? 120 : 30) * 60_000;

/** Checks in a line run in parallel. */
const checks: readonly (readonly Check[])[] = [
  [{ name: "real model", command: [process.execPath, "run", "real-model"] }],
  [{ name: "frontend tools", command: [process.execPath, "run", "frontend-tools"] }],
  [{ name: "acp tools", command: [process.execPath, "run", "acp-tools"] }],
  [{ name: "mcp servers", command: [process.execPath, "run", "mcp-servers"] }],
  [{ name: "other programs", command: [process.execPath, "run", "other-programs"] }],
  [{ name: "browser", command: [process.execPath, "test/page/install-browser.ts"] }],
  [{ name: "shells", command: [process.execPath, "test/shell/install-shells.ts"] }],
  [{ name: "python client", command: [process.execPath, "test/telegram/install-python-client.ts"] }],
  [
    { name: "typecheck", command: typecheck },
    { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
    { name: "format", command: ["oxfmt", "--check"] },
    { name: "unused", command: ["knip"] },
    { name: "versions", command: ["sherif", "--fail-on-warnings"] },
    { name: "boundaries", command: ["turbo", "boundaries"] },
    // Tests use the build and do not repeat it.
    { name: "build", command: [process.execPath, "run", "build"] },
  ],
  // Third-party agents have deadlines of their own, which a busy machine does not meet.
  [{ name: "test agents", command: testCommand(2, agents), timeoutMs: testTimeoutMs, isTests: true }],
  [
    {
      name: "test",
      command: testCommand(3, "--path-ignore-patterns", `${agents}/**`, ...places),
      timeoutMs: testTimeoutMs,
      isTests: true,
    },
  ],
];

/** A slow example on a busy machine must not fail. */
const exampleTimeoutMs = 300_000;

const examples: readonly Check[] = [...new Glob("examples/*/check.ts").scanSync({ cwd: root })]
  .toSorted()
  .map((path) => ({ name: dirname(path), command: [process.execPath, path], timeoutMs: exampleTimeoutMs }));
const noExamples: Check = { name: "examples", command: ["false"] };
/** While one waits for its host, another can use the processor. */
const examplesAtOnce = 3;

interface Stage {
  readonly line: readonly Check[];
  readonly atOnce: number;
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

function countTests(output: string): Outcome {
  const last = (pattern: RegExp): number => Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);
  return { passed: last(/^\s*(\d+) pass$/gm), failed: last(/^\s*(\d+) fail$/gm) };
}

const failures: string[] = [];

/** Bun does not print passed tests when one of these variables is set. */
const quieting: ReadonlySet<string> = new Set(["AGENT", "CLAUDECODE", "REPL_ID"]);

async function run(check: Check): Promise<Outcome> {
  const startedAt = performance.now();
  const child = Bun.spawn([...check.command], {
    cwd: root,
    ...(check.timeoutMs === undefined ? {} : { timeout: check.timeoutMs, killSignal: "SIGKILL" }),
    stdout: "pipe",
    stderr: "pipe",
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !quieting.has(name))),
      PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
      TURBO_TELEMETRY_DISABLED: "1",
      DO_NOT_TRACK: "1",
      CHECK_BUILT: join(root, "dist/incipit"),
      CHECK_SEED: seed === undefined ? "" : String(seed),
    },
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const tookMs = performance.now() - startedAt;
  times.set(check.name, tookMs);
  // oxlint-disable-next-line no-control-regex -- colour codes would hide the summaries
  const output = `${stdout}${stderr}`.replaceAll(/\u001B\[[0-9;]*m/g, "");
  process.stdout.write(`${exitCode === 0 ? "ok  " : "FAIL"} ${check.name} (${shownTime(tookMs)})\n`);
  if (exitCode !== 0) process.stdout.write(`${output}\n`);
  if (check.timeoutMs !== undefined && tookMs >= check.timeoutMs)
    process.stdout.write(`${check.name} did not end within ${shownTime(check.timeoutMs)}\n`);
  if (check.isTests !== true) return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  failures.push(...failedTests(output));
  const tests = countTests(output);
  if (exitCode === 0 && tests.passed > 0 && tests.failed === 0) return tests;
  return { passed: tests.passed, failed: Math.max(1, tests.failed) };
}

async function runAll({ line, atOnce }: Stage): Promise<readonly Outcome[]> {
  const left = [...line];
  const lanes = Array.from({ length: atOnce }, async () => {
    const outcomes: Outcome[] = [];
    for (let check = left.shift(); check !== undefined; check = left.shift()) outcomes.push(await run(check));
    return outcomes;
  });
  return (await Promise.all(lanes)).flat();
}

const known = await readTimes(cache);
const times = new Map(known);
const knownMs = ({ name }: Check): number => known.get(name) ?? 0;
const longestFirst = (examples.length === 0 ? [noExamples] : examples).toSorted((a, b) => knownMs(b) - knownMs(a));
const stages: readonly Stage[] = [
  ...checks.map((line) => ({ line, atOnce: line.length })),
  { line: longestFirst, atOnce: examplesAtOnce },
];
const expectedMs = stages.reduce((total, { line, atOnce }) => {
  const all = line.map(knownMs);
  return total + Math.max(...all, all.reduce((sum, ms) => sum + ms, 0) / atOnce);
}, 0);
process.stdout.write(
  `${stages.flatMap(({ line }) => line).length} checks; ${known.size === 0 ? "the first run here takes longest" : `about ${shownTime(expectedMs)}, as the last time`}\n`,
);
process.stdout.write(
  seed === undefined
    ? "What repeats runs in full\n"
    : `What repeats runs for a share: 1 of ${shareCount}, CHECK_SEED=${seed} (${shareCount} runs take all of it; --full does at once)\n`,
);
let passed = 0;
let failed = 0;
for (const stage of stages) {
  for (const outcome of await runAll(stage)) {
    passed += outcome.passed;
    failed += outcome.failed;
  }
}
await writeTimes(cache, times);
if (failures.length > 0) process.stdout.write(`\nWhat failed tests said:\n\n${failures.join("\n\n")}\n\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
