import * as kernel from "@incipit/kernel";
import * as contract from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { CORE_EXTENSIONS } from "./core-extensions.ts";
import { describeGrant, questionsOf } from "@incipit/host/grants";

function idsOf(suffix: "Handle" | "Point"): readonly string[] {
  return Object.entries({ ...kernel, ...contract }).flatMap(([name, value]) =>
    name.endsWith(suffix) && typeof value === "object" && "id" in value ? [value.id] : [],
  );
}

test("servicePowers and pointPowers cover exactly the importable handles and points", () => {
  expect(Object.keys(contract.servicePowers).toSorted()).toEqual(idsOf("Handle").toSorted());
  expect(Object.keys(contract.pointPowers).toSorted()).toEqual(idsOf("Point").toSorted());
  const known = contract.contracts.map(({ id }) => id);
  const ofKernel = ["extension-control@1", "storage-driver@1"];
  expect([...known, ...ofKernel].toSorted()).toEqual([...idsOf("Handle"), ...idsOf("Point")].toSorted());
});

test("providing a core service needs a grant, and every point used has known powers", () => {
  for (const { manifest } of CORE_EXTENSIONS) {
    for (const service of manifest.provides ?? [])
      if (Object.hasOwn(contract.servicePowers, service))
        expect(questionsOf({ provides: [service] })).toHaveLength(1);
    for (const point of [...(manifest.contributes ?? []), ...(manifest.reads ?? [])])
      expect(Object.keys(contract.pointPowers)).toContain(point);
  }
});

test("describeGrant lists sensitive permissions first, and third-party contracts by id", () => {
  const grant = {
    env: ["ACME_KEY"],
    uses: ["acme.weather@1", "conversations@1"],
    contributes: ["tools@1", "acme.words@2"],
    reads: ["tools@1"],
  };

  expect(describeGrant(grant)).toEqual([
    "reads the variable ACME_KEY",
    "may read, change and delete every conversation, and send turns (uses conversations@1)",
    "may run every tool (reads tools@1)",
    "uses acme.weather@1",
    "adds tools for models (adds to tools@1)",
    "adds to acme.words@2",
  ]);
  expect(questionsOf(grant)).toHaveLength(3);
});

test("the guide describes each service and point with the text of the grant question", async () => {
  const guide = await Bun.file(join(import.meta.dir, "../../../docs/guide/grants.md")).text();
  const cell = (power: contract.ContractPower): string => ("ask" in power ? `**${power.ask}**` : power.tell);

  for (const [id, { uses, provides }] of Object.entries(contract.servicePowers))
    expect(guide).toContain(`| \`${id}\` | ${cell(uses)} | ${cell(provides)} |`);
  for (const [id, { contributes, reads }] of Object.entries(contract.pointPowers))
    expect(guide).toContain(`| \`${id}\` | ${cell(contributes)} | ${cell(reads)} |`);
});
