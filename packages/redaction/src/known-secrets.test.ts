import { expect, test } from "bun:test";
import { findKnownSecrets } from "./known-secrets.ts";

test("findKnownSecrets returns the range and kind of each secret, in text order", () => {
  const text =
    "postgres://app:hunter22@db, AKIAIOSFODNN7EXAMPLE and\n-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----";

  expect(findKnownSecrets(text).map(({ kind, start, end }) => [kind, text.slice(start, end).slice(0, 10)])).toEqual(
    [
      ["url-password", "hunter22"],
      ["aws-key", "AKIAIOSFOD"],
      ["private-key", "-----BEGIN"],
    ],
  );
  expect(findKnownSecrets("nothing of the kind")).toEqual([]);
});
