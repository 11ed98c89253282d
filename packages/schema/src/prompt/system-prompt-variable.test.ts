import { expect, test } from "bun:test";
import { staticVariables } from "./system-prompt-variable.ts";

test("staticVariables contains the built-in variables", () => {
  expect(staticVariables.map(({ type, name }) => `${type}:${name}`)).toEqual([
    "system:time",
    "system:date",
    "system:os",
    "system:hostname",
    "prompt:cwd",
    "prompt:model",
    "prompt:conversation_id",
    "git:branch",
    "git:status",
    "file:<path>",
  ]);
});
