import { expect, test } from "bun:test";
import { World } from "../support/world.ts";
import { isCi } from "./shells.ts";

const checkers = {
  mandoc: ["mandoc", "-Tlint", "-W", "error"],
  groff: ["groff", "-man", "-ww", "-z", "-Tutf8"],
} as const;

async function page(): Promise<string> {
  await using world = await World.start();
  const { exitCode, stdout, stderr } = await world.run(["man"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

async function checked(command: readonly string[], input: string): Promise<string> {
  const child = Bun.spawn([...command], { stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" });
  return (await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])).join("");
}

test("incipit man prints commands, options and exit codes without accidental roff requests", async () => {
  const text = await page();

  expect(text).toStartWith('.TH INCIPIT 1 "" "incipit ');
  for (const name of ["NAME", "SYNOPSIS", "COMMANDS", "OPTIONS", "EXIT STATUS"])
    expect(text).toContain(`.SH ${name}\n`);
  expect(text).toContain("\\fBincipit conversations archive|unarchive ID...\\fR");
  expect(text).toContain("\\fB\\-o, \\-\\-output FILE\\fR");
  expect(text).toContain(".TP\n.B 130\ninterrupted");
  expect(text).toMatch(/^[ -~\n]*$/);
  const requests = new Set([...text.matchAll(/^\.(\w+)/gm)].map(([, name = ""]) => name));
  expect([...requests].toSorted()).toEqual(["B", "BR", "SH", "SS", "TH", "TP", "br"]);
}, 60_000);

for (const [name, command] of Object.entries(checkers))
  test.skipIf(!isCi && Bun.which(name) === null)(`${name} accepts the manual page`, async () => {
    expect(await checked(command, await page())).toBe("");
  });
