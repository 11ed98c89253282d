import { expect, test } from "bun:test";
import { createEnvironment } from "./environment.ts";

const variables = { A_KEY: "a", B_KEY: "b" };
const options = { variables, onGiven: () => undefined };

test("get returns a granted variable and rejects all others, set or unset", () => {
  const env = createEnvironment("acme.reader", ["A_KEY", "UNSET"], options);

  expect(env.get("A_KEY")).toBe("a");
  expect(env.get("UNSET")).toBeUndefined();
  for (const name of ["B_KEY", "a_key", "A_KEY ", "NO_SUCH_KEY"])
    expect(() => env.get(name)).toThrow(
      expect.objectContaining({
        code: "CAPABILITY_DENIED",
        extension: "acme.reader",
        message: `Cannot read variable "${name}" for "acme.reader": granted are "A_KEY", "UNSET"`,
      }),
    );
});

test("get returns only variables, not inherited properties, under a full grant", () => {
  const env = createEnvironment("acme.reader", true, options);

  expect(env.get("B_KEY")).toBe("b");
  for (const name of ["constructor", "toString", "__proto__"]) expect(env.get(name)).toBeUndefined();
});

test("createEnvironment reports named variables immediately, and others when read", () => {
  const given: (readonly [name: string, value: string | undefined])[] = [];
  const onGiven = (name: string, value: string | undefined): void => void given.push([name, value]);

  createEnvironment("acme.reader", ["A_KEY", "UNSET"], { variables, onGiven });
  const all = createEnvironment("acme.reader", true, { variables, onGiven });
  all.get("B_KEY");

  expect(given).toEqual([
    ["A_KEY", "a"],
    ["UNSET", undefined],
    ["B_KEY", "b"],
  ]);
});
