import { expect, test } from "bun:test";
import { hostDefaults } from "./create-host.ts";

test("hostDefaults fills in missing values and freezes the result", () => {
  const profile = { name: "coder", model: "offline/x" };
  const given = { model: "offline/echo", cwd: "/work", profiles: [profile] };

  const defaults = hostDefaults(given);

  expect(defaults).toEqual({ ...given, promptRefresh: "compaction" });
  for (const told of [defaults, defaults.profiles, ...defaults.profiles]) expect(Object.isFrozen(told)).toBe(true);
  expect(Object.isFrozen(profile)).toBe(false);
  expect(hostDefaults({ model: "offline/echo" })).toEqual({
    model: "offline/echo",
    cwd: process.cwd(),
    promptRefresh: "compaction",
    profiles: [],
  });
});
