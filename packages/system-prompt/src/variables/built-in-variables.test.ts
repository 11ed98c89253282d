import { expect, test } from "bun:test";
import { staticVariables } from "@incipit/schema";
import { createGitRepository, createTempFolder, FakeClock } from "@incipit/testkit";
import { compileTemplate } from "../parser.ts";
import { resolveVariables } from "../resolver.ts";
import { defaultLimits } from "../testing/default-limits.ts";
import { realFileSystem, realSpawn } from "../testing/real-drivers.ts";
import type { ResolvedVariable } from "../types.ts";
import { builtInFacts } from "./built-in-variables.ts";

const dayMs = 86_400_000;
const names = staticVariables.map(({ type, name }) => `${type}:${name}`);

/** Every built-in variable, as a template finds it that no conversation uses. */
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

test("builtInFacts() says of those variables that they are always there which an empty folder has a value for", async () => {
  await using folder = await createTempFolder();

  const resolved = await resolveAll(folder.path, 0);

  const have = names.filter((name) => resolved.get(name)?.kind === "value");
  expect(names.filter((name) => builtInFacts(name)?.isAlwaysThere === true)).toEqual(have);
});

test("builtInFacts() says of those variables that they change which are others a day, a branch and a file later", async () => {
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

test("builtInFacts() knows nothing of names that are no variable, and of any path", () => {
  for (const name of ["system:constructor", "system:", "git:log", "weather:today", "none"])
    expect(builtInFacts(name)).toBeUndefined();
  expect(builtInFacts("file:notes/constructor")).toMatchObject({ isAlwaysThere: false });
});
