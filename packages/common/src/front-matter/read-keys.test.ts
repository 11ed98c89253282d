import { expect, test } from "bun:test";
import { frontMatterQuirks } from "@incipit/testkit";
import fc from "fast-check";
import { readKeys } from "./read-keys.ts";

const texts = ["name", "description", "argument-hint"];

for (const { id, does, yaml, keys, broken } of frontMatterQuirks)
  test(`readKeys, quirk ${id}: ${does}`, async () => {
    const read = await readKeys(yaml, texts);

    expect(read.kind === "keys" ? Object.fromEntries(read.keys) : read).toMatchObject(
      keys ?? { kind: "broken", line: broken?.line, reason: expect.stringContaining(broken?.says ?? "") },
    );
  });

test("readKeys returns lists, mappings, numbers and resolved aliases as plain data", async () => {
  const read = await readKeys(
    "a: &x [1, true]\nb: *x\nc: { d: { e: null } }\nlong: >\n  one\n  two\nempty:\n",
    texts,
  );

  expect(read.kind === "keys" && Object.fromEntries(read.keys)).toEqual({
    a: [1, true],
    b: [1, true],
    c: { d: { e: null } },
    long: "one two\n",
    empty: null,
  });
});

test("readKeys rejects source beyond its length, depth or alias limits", async () => {
  for (const [source, says] of [
    ["a: b\n".repeat(10_000), "32768"],
    [`a: ${"[".repeat(15_000)}`, "deeply"],
    [`a: &a [${"x,".repeat(200)}]\nb: &b [${"*a,".repeat(200)}]\nc: [${"*b,".repeat(200)}]`, "aliases"],
  ] as const)
    expect(await readKeys(source, texts)).toMatchObject({
      kind: "broken",
      reason: expect.stringContaining(says),
    });
});

test("readKeys never throws, and returns text keys verbatim", async () => {
  const line = fc.string({ unit: fc.constantFrom(...Array.from("ab:[]{}&*!|>'\"#%-?@` \t,\\~")) });
  const property = fc.asyncProperty(fc.array(line), async (lines) => {
    const read = await readKeys(["name: ok", ...lines].join("\n"), texts);
    if (read.kind === "broken") expect(read.line).toBeGreaterThanOrEqual(1);
    else for (const name of texts) expect(["string", "undefined", "object"]).toContain(typeof read.keys.get(name));
  });
  await fc.assert(property);
});
