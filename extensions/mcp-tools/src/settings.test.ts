import { expect, test } from "bun:test";
import { settingsSchema } from "./settings.ts";

test("settingsSchema takes a program of one letter, and none without a name", () => {
  const isTaken = (command: string): boolean =>
    settingsSchema.safeParse({ cwd: "/work", servers: { x: { kind: "stdio", command } } }).success;

  expect(["R", "npx", ""].map(isTaken)).toEqual([true, true, false]);
});
