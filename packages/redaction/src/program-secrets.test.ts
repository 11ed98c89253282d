import { expect, test } from "bun:test";
import { ProgramSecrets } from "./program-secrets.ts";

test("[attack:secrets-in-tool-server-output] ProgramSecrets redacts values in any encoding and names an unset variable", () => {
  const values: Readonly<Record<string, string>> = { LONG: "a-key/of-8+1", SHORT: "a-key-2" };
  const secrets = new ProgramSecrets({ get: (name) => values[name] });
  const text = `a a-key/of-8+1 b ${encodeURIComponent("a-key/of-8+1")} c a-key-2`;

  expect(secrets.redact(text)).toBe(text);
  expect([secrets.read("LONG"), secrets.read("SHORT")]).toEqual(["a-key/of-8+1", "a-key-2"]);
  expect(secrets.redact(text)).toBe("a [redacted:secret] b [redacted:secret] c a-key-2");
  expect(() => secrets.read("NONE")).toThrow('the variable "NONE" is not set');
});
