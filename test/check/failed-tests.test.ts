import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { failedTests } from "./failed-tests.ts";

async function outputOf(files: Readonly<Record<string, string>>): Promise<string> {
  await using folder = await createTempFolder();
  for (const [name, tests] of Object.entries(files))
    await Bun.write(join(folder.path, name), `import { expect, test } from "bun:test";\n${tests}`);
  const child = Bun.spawn([process.execPath, "test", "--parallel=2", "--no-isolate"], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", NO_COLOR: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return `${stdout}${stderr}`;
}

test("failedTests returns errors and names of failed tests only", async () => {
  const said = failedTests(
    await outputOf({
      "one.test.ts": `
        test("counts", () => { expect(1 + 1).toBe(3); });
        test.skip("is left out", () => {});
        test("throws", () => { throw new Error("the port is taken"); });
      `,
      "two.test.ts": `test("goes well", () => { console.error("all is well"); });`,
    }),
  );
  const [counts, throws, ...names] = said;

  expect(counts).toMatch(/Expected: 3\nReceived: 2/);
  expect(counts).toContain("one.test.ts:");
  expect(throws).toContain("error: the port is taken");
  expect(names).toEqual([expect.stringMatching(/^\(fail\) counts/), expect.stringMatching(/^\(fail\) throws/)]);
  expect(said.join("\n")).not.toContain("all is well");
});

test("failedTests returns nothing when every test passed", async () => {
  expect(failedTests(await outputOf({ "one.test.ts": `test("goes well", () => {});` }))).toEqual([]);
});
