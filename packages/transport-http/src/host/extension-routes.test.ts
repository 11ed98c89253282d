import type { ExtensionHealth } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { extensionProblems } from "./extension-routes.ts";

const running: ExtensionHealth = {
  id: "acme.x",
  version: "1.0.0",
  trust: "standard",
  phase: "active",
  generation: 1,
  since: 0,
  provides: [],
  requires: [],
  uses: [],
  contributes: [],
  reads: [],
  waitsFor: [],
  usedBy: [],
  callsInFlight: 0,
  asked: {},
  granted: {},
  refusals: { count: 0, latest: [] },
};

test("extensionProblems reports damaged records in addition to other problems", () => {
  const damage = { count: 2, first: "the record is no text" };
  const damaged = 'Extension "acme.x" has damaged records (2 found): the record is no text';
  const waiting = { phase: "waiting", waitsFor: ["tools@1"] } as const;
  const waits = 'Extension "acme.x" waits for tools@1';
  const failed = 'Extension "acme.x" failed: no reason is known';

  expect(extensionProblems([running])).toEqual([]);
  expect(extensionProblems([{ ...running, damage }])).toEqual([damaged]);
  expect(extensionProblems([{ ...running, ...waiting }])).toEqual([waits]);
  expect(extensionProblems([{ ...running, ...waiting, damage }])).toEqual([waits, damaged]);
  expect(extensionProblems([{ ...running, phase: "failed", damage }])).toEqual([failed, damaged]);
});
