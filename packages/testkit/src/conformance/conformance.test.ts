import { expect, test } from "bun:test";
import { join } from "node:path";

interface Results {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** All tests of the honest subject, and for each broken one the test in its name. */
const asked = String.raw`honest|: (.+) \1$`;

/** One broken subject per promise. */
async function runFixture(name: string): Promise<ReadonlyMap<string, Results>> {
  const child = Bun.spawn([process.execPath, "test", `./${join("src/fixtures", name)}`, "-t", asked], {
    cwd: join(import.meta.dir, "../.."),
    env: { PATH: process.env["PATH"] ?? "" }, // Some variables shorten the output.
    stdout: "ignore",
    stderr: "pipe",
  });
  const output = await new Response(child.stderr).text();
  const results = new Map<string, { readonly passed: string[]; readonly failed: string[] }>();
  for (const [, result, subject = "", promise = ""] of output.matchAll(
    /^\((pass|fail)\) (?:agent|provider|tool|prompt variables|prompt segment) (?:broken: )?(.*?) > (.*?)(?: \[[\d.]+ms\])?$/gm,
  )) {
    const entry = results.get(subject) ?? { passed: [], failed: [] };
    results.set(subject, entry);
    entry[result === "pass" ? "passed" : "failed"].push(promise);
  }
  return results;
}

for (const name of [
  "broken-agents",
  "broken-providers",
  "broken-tools",
  "broken-prompt-variables",
  "broken-prompt-segments",
]) {
  test(`conformance of ${name} passes an honest subject and detects each broken promise`, async () => {
    const results = await runFixture(`${name}.ts`);
    const honest = results.get("honest");
    const promises = honest?.passed ?? [];

    const unseen = promises.filter((promise) => results.get(promise)?.failed.includes(promise) !== true);

    expect(honest?.failed).toEqual([]);
    expect(promises.length).toBeGreaterThan(4);
    expect(results.size).toBe(promises.length + 1);
    expect(unseen).toEqual([]);
  }, 300_000);
}
