import { expect, test } from "bun:test";
import fc from "fast-check";
import { toolName } from "./tool-name.ts";

const server = fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/).filter((name) => !/__|_$/.test(name));

test("toolName keeps a name that all vendors accept", () => {
  expect(toolName("files", "read_file")).toBe("files__read_file");
  expect(toolName("a", "x".repeat(61))).toBe(`a__${"x".repeat(61)}`);
});

test("toolName maps any name to a valid one, deterministically", () => {
  fc.assert(
    fc.property(server, fc.string({ unit: "binary", maxLength: 300 }), (name, tool) => {
      const result = toolName(name, tool);
      expect(result).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(result).toStartWith(`${name}__`);
      expect(toolName(name, tool)).toBe(result);
    }),
  );
});

test("toolName returns distinct names for distinct tools", () => {
  const name = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.constantFrom("a.b", "a_b", "a b", "x".repeat(70), "x".repeat(71)),
  );
  fc.assert(
    fc.property(server, name, server, name, (server1, tool1, server2, tool2) => {
      fc.pre(server1 !== server2 || tool1 !== tool2);
      expect(toolName(server1, tool1)).not.toBe(toolName(server2, tool2));
    }),
  );
});
