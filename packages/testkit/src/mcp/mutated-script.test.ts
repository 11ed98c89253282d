import { expect, test } from "bun:test";
import { mutatedMcpScript } from "./mutated-script.ts";

const seeds = Array.from({ length: 500 }, (_, seed) => seed);

test("mutatedMcpScript is reproducible by seed", () => {
  const scripts = seeds.map((seed) => JSON.stringify(mutatedMcpScript(seed)));

  expect(seeds.map((seed) => JSON.stringify(mutatedMcpScript(seed)))).toEqual(scripts);
  expect(new Set(scripts).size).toBeGreaterThan(450);
});

test("mutatedMcpScript expects tools and texts of most servers", () => {
  const all = seeds.map((seed) => mutatedMcpScript(seed));

  expect(all.filter(({ tools }) => tools.includes("echo")).length).toBeGreaterThan(150);
  expect(all.filter(({ texts }) => texts.length > 0).length).toBeGreaterThan(150);
  expect(all.filter(({ isSilent }) => isSilent).length).toBeLessThan(250);
});
