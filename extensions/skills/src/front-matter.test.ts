import { expect, test } from "bun:test";
import fc from "fast-check";
import { readFrontMatter } from "./front-matter.ts";

test("readFrontMatter gives every value as a text, with lists and tables of texts", async () => {
  const text =
    "---\nname: 007\nyes: yes\nempty:\nhint: [a, b]\nmore: { x: 1.0 }\nlong: >\n  one\n  two\n---\nBody\n---\n";

  const front = await readFrontMatter(text);

  expect(front).toMatchObject({ kind: "parsed", body: "Body\n---\n" });
  expect(front.kind === "parsed" && Object.fromEntries(front.keys)).toEqual({
    name: "007",
    yes: "yes",
    empty: "",
    hint: ["a", "b"],
    more: new Map([["x", "1.0"]]),
    long: "one two\n",
  });
});

test("readFrontMatter takes an empty one, one at the end of the text, and a text without any", async () => {
  expect(await readFrontMatter("---\n---\nBody")).toEqual({ kind: "parsed", keys: new Map(), body: "Body" });
  expect(await readFrontMatter("---\na: b\n---")).toMatchObject({ kind: "parsed", body: "" });
  for (const body of ["", "Body", " ---\na: b\n---\n", "----\n"])
    expect(await readFrontMatter(body)).toEqual({ kind: "none", body });
});

test("readFrontMatter puts quotes around texts that are no YAML without them, and around no others", async () => {
  const keysOf = async (yaml: string): Promise<unknown> => {
    const front = await readFrontMatter(`---\n${yaml}\n---\n`);
    return front.kind === "parsed" ? Object.fromEntries(front.keys) : front;
  };

  expect(await keysOf("a: when: always\nb: 'quoted: text'\nc: |\n  x: y: z")).toEqual({
    a: "when: always",
    b: "quoted: text",
    c: "x: y: z\n",
  });
  expect(await keysOf("argument-hint: [issue] [priority]")).toEqual({ "argument-hint": "[issue] [priority]" });
  expect(await keysOf("a: [x, y]")).toEqual({ a: ["x", "y"] });
  expect(await keysOf("a: 'never ends")).toMatchObject({ kind: "wrong" });
});

test("readFrontMatter never throws, whatever stands there, and gives the text behind it as it is", async () => {
  const line = fc.string({ unit: fc.constantFrom(...Array.from("ab:[]{}&*!|>'\"#%-? \t,\\~")) });
  const property = fc.asyncProperty(fc.array(line), fc.string(), async (lines, body) => {
    const yaml = lines.filter((one) => !/^---[ \t]*$/.test(one)).join("\n");
    const front = await readFrontMatter(`---\n${yaml}\n---\n${body}`);
    expect(["parsed", "wrong"]).toContain(front.kind);
    if (front.kind === "parsed") expect(front.body).toBe(body);
  });
  await fc.assert(property);
});
