import { expect, test } from "bun:test";
import { staticVariables } from "@incipit/schema";
import { createGitRepository, createTempFolder, FakeClock } from "@incipit/testkit";
import { compileTemplate } from "../parser.ts";
import { resolveVariables } from "../resolver.ts";
import { defaultLimits } from "../testing/open-variables.ts";
import { realFileSystem, realSpawn } from "../testing/real-drivers.ts";
import type { ResolvedVariable } from "../types.ts";
import { builtInFacts } from "./built-in-variables.ts";

const dayMs = 86_400_000;
const names = staticVariables.map(({ type, name }) => `${type}:${name}`);

function resolveAll(cwd: string, nowMs: number): Promise<ReadonlyMap<string, ResolvedVariable>> {
  return resolveVariables([compileTemplate(names.map((name) => `[${name}]`).join(""))], {
    context: { cwd, model: undefined, conversationId: undefined, hasTools: true },
    sources: {
      fs: realFileSystem,
      spawn: realSpawn(),
      clock: new FakeClock(nowMs),
      contributed: [],
      describeFailure: async (_extension, { error }) => String(error),
      folderTrust: undefined,
      untrusted: "allow",
      limits: defaultLimits(),
    },
    signal: new AbortController().signal,
  });
}

test("builtInFacts() isAlwaysThere matches the variables available in an empty folder", async () => {
  await using folder = await createTempFolder();

  const resolved = await resolveAll(folder.path, 0);

  const have = names.filter((name) => resolved.get(name)?.kind === "value");
  expect(names.filter((name) => builtInFacts(name)?.isAlwaysThere === true)).toEqual(have);
});

test("builtInFacts() changes matches the variables that differ after a day, branch and file change", async () => {
  await using folder = await createTempFolder();
  const repository = await createGitRepository(folder.path);
  const before = await resolveAll(folder.path, 0);

  await repository.switchBranch("other");
  await repository.write("new.txt", "");
  const later = await resolveAll(folder.path, dayMs);

  const valueOf = (variable: ResolvedVariable | undefined): string | undefined =>
    variable?.kind === "value" ? variable.value : undefined;
  const changed = names.filter((name) => valueOf(before.get(name)) !== valueOf(later.get(name)));
  expect(names.filter((name) => (builtInFacts(name)?.changes ?? null) !== null)).toEqual(changed);
});

test("builtInFacts() returns undefined for unknown names, and facts for any path", () => {
  for (const name of ["system:constructor", "system:", "git:log", "weather:today", "none"])
    expect(builtInFacts(name)).toBeUndefined();
  expect(builtInFacts("file:notes/constructor")).toMatchObject({ isAlwaysThere: false });
});
