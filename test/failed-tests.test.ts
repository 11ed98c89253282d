import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { failedTests } from "./failed-tests.ts";

/** What `bun test` says of these files. */
async function outputOf(files: Readonly<Record<string, string>>): Promise<string> {
  await using folder = await createTempFolder();
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder.path, name), text);
  const child = Bun.spawn([process.execPath, "test", "--parallel=2", "--no-isolate", "."], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"], HOME: folder.path, NO_COLOR: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return `${stdout}${stderr}`;
}

const head = 'import { expect, test } from "bun:test";\n';

test("failedTests gives each test that has failed with its file, as bun test tells it", async () => {
  const output = await outputOf({
    "a.test.ts": `${head}test("holds", () => {});\ntest("[x] breaks, and (fail) is in its name", () => expect(1).toBe(2));\n`,
    "deep/b.test.ts": `${head}test("breaks too", () => { throw new Error("it did"); });\n`,
    "c.test.ts": `${head}test.skip("is left out", () => {});\ntest("holds", () => {});\n`,
  });

  const failed = failedTests(output)?.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  expect(failed).toEqual([
    { file: "a.test.ts", name: "[x] breaks, and (fail) is in its name" },
    { file: "deep/b.test.ts", name: "breaks too" },
  ]);
});

test("failedTests gives nothing when a file could not be read, or the run did not end", async () => {
  const fine = `${head}test("holds", () => {});\n`;
  const outputs = [await outputOf({ "a.test.ts": fine, "b.test.ts": "this is no program" }), "the run was killed"];

  expect(outputs.map((output) => failedTests(output))).toEqual([undefined, undefined]);
});
