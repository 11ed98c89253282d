import { expect, test } from "bun:test";
import { modelCallSchema } from "./model-call.ts";

test("modelCallSchema keeps each way in which a call can end", () => {
  expect(modelCallSchema.shape.status.options).toEqual([
    "running",
    "completed",
    "failed",
    "cancelled",
    "interrupted",
  ]);
});
