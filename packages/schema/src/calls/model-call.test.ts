import { expect, test } from "bun:test";
import { modelCallSchema } from "./model-call.ts";

test("modelCallSchema has each status of a call", () => {
  expect(modelCallSchema.shape.status.options).toEqual([
    "running",
    "completed",
    "failed",
    "cancelled",
    "interrupted",
  ]);
});
