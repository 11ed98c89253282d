import { expect, test } from "bun:test";
import { addExtensionRequestSchema, swapExtensionRequestSchema } from "./extension-routes.ts";

test("addExtensionRequestSchema and swapExtensionRequestSchema reject an empty path", () => {
  for (const schema of [addExtensionRequestSchema, swapExtensionRequestSchema])
    expect(["/", ""].map((path) => schema.safeParse({ path }).success)).toEqual([true, false]);
});
