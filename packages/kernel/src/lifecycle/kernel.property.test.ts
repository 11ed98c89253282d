import { expect, test } from "bun:test";
import fc from "fast-check";
import { KernelRun } from "../testing/kernel-run.ts";
import type { Code, Member, Start, Step } from "../testing/kernel-step.ts";

const memberCount = 4;
const member = fc.nat(memberCount - 1);

const start: fc.Arbitrary<Start> = fc.constantFrom("ok", "ok", "ok", "slow", "throw", "reject", "late", "missing");

const code: fc.Arbitrary<Code> = fc.record({
  starts: fc.array(start, { maxLength: 3 }),
  isProviding: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

const dependency = fc.constantFrom("none", "required", "optional");

const members: fc.Arbitrary<readonly Member[]> = fc.tuple(
  ...Array.from({ length: memberCount }, (_, index) =>
    fc.record({
      isExclusive: fc.boolean(),
      dependsOn: fc.array(dependency, { minLength: index, maxLength: index }),
    }),
  ),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("add"), member, code }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("swap"), member, code }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("load", "load", "unload", "remove", "swap-anew", "swap-anew"),
      member,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("call"),
      member,
      call: fc.constantFrom("short", "long", "chain", "items", "open"),
      isKept: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("end-call"), index: fc.nat(30) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("advance"), ms: fc.constantFrom(1, 500, 2_000, 5_000, 60_000) }),
  },
);

/** Microtasks before the next step, so that operations interleave in all states. */
const ticks = fc.oneof(fc.nat(3), fc.nat(40));

/** Equals `sampleCount` of `testkit`, which depends on the kernel. */
const runCount = (process.env["CHECK_SEED"] ?? "") === "" ? 10_000 : 2_000;

test("[swap-loses-nothing] random operations and calls close each scope once and lose no call", async () => {
  const property = fc.asyncProperty(
    members,
    fc.array(fc.tuple(step, ticks), { maxLength: 24, size: "max" }),
    fc.boolean(),
    async (graph, steps, isRested) => {
      const run = new KernelRun(graph);
      // Start with all members, as a host does.
      for (const [index] of graph.entries())
        await run.take({ kind: "add", member: index, code: { starts: [], isProviding: true } });
      for (const [next, count] of steps) {
        await run.take(next);
        for (let tick = 0; tick < count; tick += 1) await Promise.resolve();
      }
      if (isRested) await run.rest();
      await run.close();
      expect(run.violations).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: runCount });
}, 1_800_000);
