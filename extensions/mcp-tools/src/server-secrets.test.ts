import { expect, test } from "bun:test";
import { ServerSecrets } from "./server-secrets.ts";

test("ServerSecrets hides what it has read, from eight characters on, and names a variable that is not set", () => {
  const values: Readonly<Record<string, string>> = { LONG: "12345678", SHORT: "1234567" };
  const secrets = new ServerSecrets({ get: (name) => values[name] });

  expect([secrets.read("LONG"), secrets.read("SHORT")]).toEqual(["12345678", "1234567"]);
  expect(secrets.redact("a 12345678 b 12345678 c 1234567")).toBe("a [secret] b [secret] c 1234567");
  expect(() => secrets.read("NONE")).toThrow('the variable "NONE" is not set');
});
