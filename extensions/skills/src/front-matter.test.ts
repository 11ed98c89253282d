import { expect, test } from "bun:test";
import { readFrontMatter } from "./front-matter.ts";

test("readFrontMatter takes an empty one, one at the end of the text, and a text without any", async () => {
  expect(await readFrontMatter("---\n---\nBody")).toEqual({ kind: "parsed", keys: new Map(), body: "Body" });
  expect(await readFrontMatter("---\na: b\n---")).toMatchObject({ kind: "parsed", body: "" });
  for (const body of ["", "Body", " ---\na: b\n---\n", "----\n"])
    expect(await readFrontMatter(body)).toEqual({ kind: "none", body });
});

test("readFrontMatter returns the texts of a skill as they are written, and the body as it is", async () => {
  const text = "---\nname: 007\ndescription: Use it: [x]\nargument-hint: [issue] [priority]\n---\nBody\n---\n";

  const front = await readFrontMatter(text);

  expect(front).toMatchObject({ kind: "parsed", body: "Body\n---\n" });
  expect(front.kind === "parsed" && Object.fromEntries(front.keys)).toEqual({
    name: "007",
    description: "Use it: [x]",
    "argument-hint": "[issue] [priority]",
  });
});

test("readFrontMatter names the line of the file with the mistake", async () => {
  expect(await readFrontMatter("---\nname: x\ndescription: 'never ends\n---\nBody")).toMatchObject({
    kind: "wrong",
    reason: expect.stringContaining('line 3 of its front matter: the value of its key "description"'),
  });
});
