import { expect, test } from "bun:test";
import { staticVariables } from "./system-prompt-variable.ts";

test("staticVariables has the host's own variables", () => {
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
