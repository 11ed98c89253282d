import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import * as z from "zod";
import { acpTool } from "../acp-tools/acp-tools.ts";
import { readSeen } from "./seen.ts";
import { triedTerminals } from "./tried-terminals.ts";

const guide = join(import.meta.dir, "../../docs/guide");
const packageSchema = z.looseObject({ version: z.string(), claudeCodeVersion: z.string().optional() });

async function pageText(): Promise<string> {
  return Bun.file(join(guide, "terminals.md")).text();
}

function cellsOf(row: string): readonly string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function comparedRows(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = page.split("\n").filter((line) => line.startsWith("|"));
  return new Map(
    rows.flatMap((row) => {
      const key = /<!-- (?<key>\w+) -->/.exec(row)?.groups?.["key"];
      return key === undefined ? [] : [[key, cellsOf(row).slice(1)] as const];
    }),
  );
}

test("docs/guide/terminals.md has the pinned versions", async () => {
  const row = (await pageText()).split("\n").find((line) => line.startsWith("| version |")) ?? "";
  const pinned = await Promise.all(
    triedTerminals.map(async ({ versionOf }) => {
      if (versionOf === undefined) return "this one";
      const { version, claudeCodeVersion } = packageSchema.parse(
        await Bun.file(acpTool(`${versionOf.package}/package.json`)).json(),
      );
      return versionOf.field === "version" ? version : claudeCodeVersion;
    }),
  );

  expect<(string | undefined)[]>(cellsOf(row).slice(1)).toEqual(pinned);
});

test("docs/guide/terminals.md has the result of the last trial in each cell", async () => {
  const seen = await readSeen();
  const written = comparedRows(await pageText());

  const said = Object.fromEntries(
    triedTerminals.map(({ name }, column) => [
      name,
      Object.fromEntries(
        [...written].map(([key, cells]) => [key, /^(?:yes|partly|no)\b/.exec(cells[column] ?? "")?.[0]]),
      ),
    ]),
  );

  const verdicts = Object.entries(seen).map(([name, rows]) => [
    name,
    Object.fromEntries(Object.entries(rows).map(([key, { verdict }]) => [key, verdict])),
  ]);
  expect(said).toEqual(Object.fromEntries(verdicts));
});

test("docs/guide/terminals.md names an existing test for each cell of Incipit", async () => {
  const page = await pageText();
  const keys = [...comparedRows(page).keys()];
  const proofs = page.matchAll(/^\| (?<key>\w+) \| \[[^\]]+\]\((?<path>[^)]+)\): (?<name>.+) \|$/gm);

  const named: string[] = [];
  for (const { groups: { key = "", path = "", name = "" } = {} } of proofs) {
    named.push(key);
    const source = await Bun.file(join(dirname(join(guide, "terminals.md")), path)).text();
    expect([key, source.includes(`test("${name}"`) || source.includes(`test(\`${name}`)]).toEqual([key, true]);
  }

  expect(named).toEqual(keys);
  expect(keys.length).toBeGreaterThan(20);
});
