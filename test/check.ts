/** Runs every check of the repository, one after the other, and ends with `N passed, N failed`. */
import { Glob } from "bun";
import { dirname, join } from "node:path";

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** Longest run; absent: none. */
  readonly timeoutMs?: number;
}

const root = join(import.meta.dir, "..");
const turbo = ["turbo", "run", "--output-logs=errors-only", "--concurrency=2", "--continue=always"];

const checks: readonly Check[] = [
  // Before the checks that read its types.
  { name: "real model", command: [process.execPath, "run", "real-model"] },
  { name: "versions", command: ["sherif", "--fail-on-warnings"] },
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "typecheck", command: [...turbo, "typecheck"] },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "boundaries", command: ["turbo", "boundaries"] },
  { name: "unused", command: ["knip"] },
  {
    name: "test",
    command: [
      "turbo",
      "run",
      "--output-logs=full",
      "--log-order=grouped",
      "--concurrency=2",
      "--continue=always",
      "test",
    ],
  },
];

/** An example that hangs is wrong, too. */
const exampleTimeoutMs = 60_000;

/** Each example proves what it shows, end to end. */
const examples: readonly Check[] = [...new Glob("examples/*/check.ts").scanSync({ cwd: root })]
  .toSorted()
  .map((path) => ({ name: dirname(path), command: [process.execPath, path], timeoutMs: exampleTimeoutMs }));
const noExamples: Check = { name: "examples", command: ["false"] };

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/** Adds up the summaries that `bun test` prints, one for each package. */
function countTests(output: string): Outcome {
  const sum = (pattern: RegExp): number =>
    [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);
  return { passed: sum(/(?:^|: )\s*(\d+) pass$/gm), failed: sum(/(?:^|: )\s*(\d+) fail$/gm) };
}

async function run(check: Check): Promise<Outcome> {
  const startedAt = performance.now();
  const child = Bun.spawn([...check.command], {
    cwd: root,
    ...(check.timeoutMs === undefined ? {} : { timeout: check.timeoutMs, killSignal: "SIGKILL" }),
    stdout: "pipe",
    stderr: "pipe",
    env: {
      ...process.env,
      PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
      TURBO_TELEMETRY_DISABLED: "1",
      DO_NOT_TRACK: "1",
    },
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  // oxlint-disable-next-line no-control-regex -- colour codes would hide the summaries
  const output = `${stdout}${stderr}`.replaceAll(/\u001B\[[0-9;]*m/g, "");
  process.stdout.write(`${exitCode === 0 ? "ok  " : "FAIL"} ${check.name} (${seconds} s)\n`);
  if (exitCode !== 0) process.stdout.write(`${output}\n`);
  if (check.name !== "test") return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const tests = countTests(output);
  if (exitCode === 0 && tests.passed > 0 && tests.failed === 0) return tests;
  return { passed: tests.passed, failed: Math.max(1, tests.failed) };
}

let passed = 0;
let failed = 0;
for (const check of [...checks, ...(examples.length === 0 ? [noExamples] : examples)]) {
  const outcome = await run(check);
  passed += outcome.passed;
  failed += outcome.failed;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
