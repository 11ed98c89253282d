import type { ModelMessage } from "@incipit/schema";
import { expect, test } from "bun:test";
import { PartHashes } from "./step-audit.ts";

test("PartHashes hashes each message once, and all again after a change before the newest", () => {
  const hashed: string[] = [];
  const message = (text: string): ModelMessage => ({
    role: "user",
    get parts() {
      hashed.push(text);
      return [{ type: "text" as const, text }];
    },
  });
  const hashes = new PartHashes();
  const [one, two, three] = [message("one"), message("two"), message("three")];
  const system = { tools: [], systemPrompt: ["Be brief."] };

  const first = hashes.of({ ...system, messages: [one] });
  const second = hashes.of({ ...system, messages: [one, two] });
  expect(hashed).toEqual(["one", "two"]);
  expect(second.parts[2] === first.parts[2]).toBe(true);
  expect(second.parts.map(({ part }) => part)).toEqual(["tools", "system", "message:0", "message:1"]);

  const edited = hashes.of({ ...system, messages: [one, three] });
  expect(hashed).toEqual(["one", "two", "one", "three"]);
  expect(edited.parts).toEqual(new PartHashes().of({ ...system, messages: [one, three] }).parts);
  expect(edited.sizeBytes).toBe(edited.parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
});
