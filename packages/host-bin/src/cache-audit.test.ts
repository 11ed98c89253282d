import { sampleOf, sampleCount } from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { AuditWorld, happenings, type AuditWorldOptions, type AuditAction } from "./testing/audit-world.ts";

const runs = Number(process.env["CACHE_AUDIT_RUNS"] ?? sampleCount(3));

async function live(lived: readonly AuditAction[], options: AuditWorldOptions): Promise<readonly unknown[]> {
  await using world = await AuditWorld.begin(options);
  for (const happening of lived) await world.let(happening);
  await world.let("turn");

  const audited = await world.audit();
  const found = world.expected.flatMap(({ id, happening }) => {
    const step = audited.find((each) => each.id === id);
    return step === undefined ? [] : [{ id, happening, reason: step.reason }];
  });
  const ids = new Set<string>(found.map(({ id }) => id));
  expect(found).toMatchObject(world.expected.filter(({ id }) => ids.has(id)));
  const sent = audited.filter(({ verdict }) => verdict !== "unsent");
  const sum = (numbers: readonly (number | null | undefined)[]): number =>
    numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
  const reasons: Record<string, number> = {};
  for (const { reason } of sent) if (reason !== null) reasons[reason] = (reasons[reason] ?? 0) + 1;
  expect(await world.summary()).toMatchObject({
    steps: sent.length,
    held: sent.filter(({ verdict }) => verdict === "held").length,
    broken: sent.filter(({ verdict }) => verdict === "broken").length,
    reasons,
    sharedBytes: sum(sent.map(({ prefix }) => prefix?.sharedBytes)),
    tokens: { input: sum(sent.map(({ usage }) => usage?.inputTokens)) },
    lastStepAt: sent.at(-1)?.startedAt ?? null,
  });
  return audited.map(({ verdict, reason, share, prefix, warning }) => ({
    verdict,
    reason,
    share,
    prefix,
    warning,
  }));
}

async function expectTruth(
  lived: readonly AuditAction[],
  refresh: AuditWorldOptions["refresh"],
): Promise<readonly unknown[]> {
  const [straight, restarted] = [
    await live(lived, { refresh, hasRestarts: false }),
    await live(lived, { refresh, hasRestarts: true }),
  ];
  expect(restarted).toEqual(straight);
  return straight;
}

const lives: readonly (readonly [AuditAction, AuditWorldOptions["refresh"]])[] = [
  ...happenings.map((happening) => [happening, "compaction"] as const),
  ["edit-file", "turn"],
  ["compact", "turn"],
];

const taken = sampleOf(lives.map((life) => life.join(" ")));

for (const [happening, refresh] of lives) {
  test.skipIf(!taken.has(`${happening} ${refresh}`))(
    `the audit names what broke a prefix, with and without a restart: ${happening} (${refresh})`,
    async () => {
      await expectTruth(["turn", "tool-turn", happening, "turn", happening, "turn-of-another-model"], refresh);
    },
    300_000,
  );
}

test("a rebuild after a call with its own system message is audited as a rebuild", async () => {
  const lived = ["turn-with-system-text", "turn", "edit-file", "rebuild", "turn"] as const;
  const last = (await expectTruth(lived, "compaction")).at(-2);

  expect(last).toMatchObject({ reason: "prompt-rebuilt", verdict: "expected" });
}, 300_000);

test("the audit detects a changed endpoint also in the first request of a fork", async () => {
  const found = await expectTruth(["turn", "other-address", "fork", "turn", "retried-turn"], "compaction");

  expect(found.slice(0, 2)).toMatchObject([
    { reason: "provider-changed", verdict: "broken", prefix: { measure: "parts", sharedBytes: 0 } },
    { reason: null, verdict: "held" },
  ]);
}, 300_000);

test("the audit warns with the variable about a refreshed prompt, not about a requested rebuild", async () => {
  for (const hasRestarts of [false, true]) {
    await using rebuilt = await AuditWorld.begin({ refresh: "compaction", hasRestarts });
    await using refreshed = await AuditWorld.begin({ refresh: "turn", hasRestarts });
    for (const world of [rebuilt, refreshed]) {
      for (const happening of ["turn", "edit-file"] as const) await world.let(happening);
      if (world === rebuilt) await world.let("rebuild");
      await world.let("turn");
    }

    const [expected, broken] = [(await rebuilt.audit()).at(-1), (await refreshed.audit()).at(-1)];
    const cause = {
      reason: "prompt-rebuilt",
      prefix: { changes: ["[file:AGENTS.md]"], difference: { part: "system" } },
    };
    expect(expected).toMatchObject({ ...cause, verdict: "expected", warning: null });
    expect(broken).toMatchObject({
      ...cause,
      verdict: "broken",
      warning: { hint: 'set prompt_refresh = "compaction", or take [file:AGENTS.md] out of the template' },
    });
  }
}, 300_000);

test("the audit names the cause of each break for any sequence of actions and restarts", async () => {
  const property = fc.asyncProperty(
    fc.array(fc.constantFrom(...happenings), { minLength: 4, maxLength: 14 }),
    fc.constantFrom("compaction", "turn"),
    async (lived, refresh) => void (await expectTruth(lived, refresh)),
  );
  await fc.assert(property, { numRuns: runs, endOnFailure: true });
}, 300_000);
