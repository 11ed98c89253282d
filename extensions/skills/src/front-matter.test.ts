import { expect, test } from "bun:test";
import { readFrontMatter } from "./front-matter.ts";

test("readFrontMatter accepts empty, unterminated-body and missing front matter", async () => {
  expect(await readFrontMatter("---\n---\nBody")).toEqual({ kind: "parsed", keys: new Map(), body: "Body" });
  expect(await readFrontMatter("---\na: b\n---")).toMatchObject({ kind: "parsed", body: "" });
  for (const body of ["", "Body", " ---\na: b\n---\n", "----\n"])
    expect(await readFrontMatter(body)).toEqual({ kind: "none", body });
});

test("readFrontMatter returns strings as written and the body unchanged", async () => {
  const text = "---\nname: 007\ndescription: Use it: [x]\nargument-hint: [issue] [priority]\n---\nBody\n---\n";

  const front = await readFrontMatter(text);

  expect(front).toMatchObject({ kind: "parsed", body: "Body\n---\n" });
  expect(front.kind === "parsed" && Object.fromEntries(front.keys)).toEqual({
    name: "007",
    description: "Use it: [x]",
    "argument-hint": "[issue] [priority]",
  });
});

test("readFrontMatter names the file's line with the error", async () => {
  expect(await readFrontMatter("---\nname: x\ndescription: 'never ends\n---\nBody")).toMatchObject({
    kind: "wrong",
    reason: expect.stringContaining('line 3 of its front matter: the value of its key "description"'),
  });
});
