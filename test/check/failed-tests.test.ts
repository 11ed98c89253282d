import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { failedTests, secondTries } from "./failed-tests.ts";

async function outputOf(files: Readonly<Record<string, string>>): Promise<string> {
  await using folder = await createTempFolder();
  for (const [name, tests] of Object.entries(files))
    await Bun.write(join(folder.path, name), `import { expect, test } from "bun:test";\n${tests}`);
  const child = Bun.spawn([process.execPath, "test", "--retry=1", "--parallel=2", "--no-isolate"], {
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

test("secondTries names tests that passed on retry, and failedTests has their first failure", async () => {
  const output = await outputOf({
    "one.test.ts": `
      let times = 0;
      for (const mode of ["", "concurrent"])
        (mode === "" ? test : test.concurrent)("is late at first " + mode, async () => {
          times += 1;
          expect(times % 2).toBe(0);
        });
    `,
    "two.test.ts": `test("goes well", () => {});`,
  });

  expect(secondTries(output)).toEqual([
    expect.stringMatching(/^\(pass\) is late at first {1,2}\(attempt 2\)/),
    expect.stringMatching(/^\(pass\) is late at first concurrent \(attempt 2\)/),
  ]);
  expect(failedTests(output).join("\n")).toContain("Expected: 0");
  expect(output).toMatch(/^ 3 pass\n 0 fail/m);
});
