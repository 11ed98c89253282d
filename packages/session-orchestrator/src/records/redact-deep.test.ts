import { Redactor } from "@incipit/redaction";
import { expect, test } from "bun:test";
import { redactDeep } from "./wire-records.ts";

test("[attack:secrets-in-names] redactDeep redacts keys and values, and keeps keys distinct", () => {
  const redactor = Redactor.ofValues(["planted-key-4711a", "planted-key-4712b"]);
  const counts = new Map<string, number>();
  const told = {
    properties: { "planted-key-4711a": { type: "string" }, "planted-key-4712b": 2, other: ["planted-key-4711a"] },
  };

  const left = redactDeep(redactor, told, counts);

  expect(left).toEqual({
    properties: {
      "[redacted:secret]": { type: "string" },
      "[redacted:secret]-2": 2,
      other: ["[redacted:secret]"],
    },
  });
  expect([...counts]).toEqual([["secret", 3]]);
  expect(redactDeep(Redactor.ofValues([]), told, counts)).toEqual(told);
});
