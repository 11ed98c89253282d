import type { AuditedStep } from "@incipit/schema";
import { expect, test } from "bun:test";
import { AuditWorld } from "./testing/audit-world.ts";

interface Change {
  readonly template: string;
  readonly files: Readonly<Record<string, readonly [string | undefined, string | undefined]>>;
  readonly changes: readonly string[];
  readonly changesOfRebuild?: readonly string[];
}

const table: Readonly<Record<string, Change>> = {
  "behind text that JSON escapes": {
    template: 'Say "hello"\n\t\\ \u0001 é 🎉 [file:a] end',
    files: { a: ["one", "two"] },
    changes: ["[file:a]"],
  },
  "that is shorter than before": {
    template: "On [file:a].",
    files: { a: ["feature-2", "feature"] },
    changes: ["[file:a]"],
  },
  "that is longer than before, at the end": {
    template: "On [file:a]",
    files: { a: ["feature", "feature-2"] },
    changes: ["[file:a]"],
  },
  "that chooses another branch": {
    template: "Rules. [if file:a]There are notes.[else]No notes.[endif] End",
    files: { a: [undefined, "x"] },
    changes: ["[file:a]"],
    changesOfRebuild: ["template"],
  },
  "and another one, the first in the text first": {
    template: "[file:b] and [file:a] and [file:same]",
    files: { a: ["1", "2"], b: ["1", "2"], same: ["1", "1"] },
    changes: ["[file:b]", "[file:a]"],
    changesOfRebuild: ["[file:b]"],
  },
};

async function lastStep(
  change: Change,
  cause: "turn" | "rebuild",
  hasRestarts: boolean,
): Promise<AuditedStep | undefined> {
  const refresh = cause === "turn" ? "turn" : "compaction";
  await using world = await AuditWorld.begin({ refresh, hasRestarts, template: change.template });
  for (const [name, [before]] of Object.entries(change.files)) await world.write(name, before);
  await world.let("turn");
  for (const [name, [, after]] of Object.entries(change.files)) await world.write(name, after);
  if (cause === "rebuild") await world.let("rebuild");
  await world.let("turn");
  return (await world.audit()).at(-1);
}

for (const [name, change] of Object.entries(table)) {
  test(`the audit names a value ${name}`, async () => {
    for (const hasRestarts of [false, true]) {
      const refreshed = await lastStep(change, "turn", hasRestarts);
      const rebuilt = await lastStep(change, "rebuild", hasRestarts);

      expect(refreshed?.prefix).toMatchObject({ changes: change.changes, promptReason: "turn-refresh" });
      const changes = change.changesOfRebuild ?? change.changes;
      expect(rebuilt?.prefix).toMatchObject({ changes, promptReason: "rebuild" });
    }
  }, 300_000);
}

test("the audit reports an edited template", async () => {
  await using world = await AuditWorld.begin({ refresh: "turn", hasRestarts: false });
  for (const happening of ["turn", "set-template", "turn"] as const) await world.let(happening);

  expect((await world.audit()).at(-1)).toMatchObject({
    reason: "prompt-rebuilt",
    prefix: { changes: ["template"] },
  });
});
