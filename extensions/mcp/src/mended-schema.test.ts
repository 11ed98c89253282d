import { expect, test } from "bun:test";
import { mendedInputSchema } from "./mended-schema.ts";

test("mendedInputSchema keeps dependencies of a property named like a keyword", () => {
  const schema = {
    type: "object",
    properties: { type: { type: "string" }, size: { type: "integer" } },
    dependentRequired: { type: ["size"] },
    dependentSchemas: { type: { required: ["size"] } },
    dependencies: { type: ["size"] },
  };

  expect(mendedInputSchema(schema)).toEqual(schema);
});
