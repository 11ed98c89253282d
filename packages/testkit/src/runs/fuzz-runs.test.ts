import { expect, test } from "bun:test";
import { fuzzRuns } from "./fuzz-runs.ts";

test("fuzzRuns reads the number of generated cases and the first seed", () => {
  expect(fuzzRuns({}, 150)).toEqual({ firstSeed: 1, count: 150 });
  expect(fuzzRuns({ FUZZ_RUNS: "", FUZZ_SEED: "" }, 150)).toEqual({ firstSeed: 1, count: 150 });
  expect(fuzzRuns({ FUZZ_RUNS: "20000", FUZZ_SEED: "7" }, 150)).toEqual({ firstSeed: 7, count: 20_000 });
  expect(() => fuzzRuns({ FUZZ_RUNS: "many" }, 150)).toThrow('FUZZ_RUNS is "many"');
});
