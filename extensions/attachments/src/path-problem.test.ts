import { expect, test } from "bun:test";
import fc from "fast-check";
import { pathProblem } from "./path-problem.ts";

const part = fc.stringMatching(/^[a-zA-Z0-9 _-][a-zA-Z0-9 ._-]{0,10}$/);
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

test("pathProblem accepts relative paths, with or without ./", () => {
  const property = fc.property(path, fc.constantFrom("", "./"), (below, before) => {
    expect(pathProblem(before + below)).toBeUndefined();
  });
  fc.assert(property);
});

test('pathProblem rejects "..", absolute, hidden and home paths, and URLs', () => {
  const property = fc.property(path, path, (one, other) => {
    for (const bad of [
      `${one}/../${other}`,
      `../${one}`,
      `${one}/..`,
      `/${one}`,
      `~/${one}`,
      `~${one}`,
      `c:/${one}`,
      `https://${one}`,
      `file:${one}`,
      `data:${one}`,
      `${one}\\${other}`,
      `.${one}`,
      `${one}/.${other}`,
      `.incipit/${one}`,
      `.incipit/inbox/.${one}`,
      `${one}\u0000`,
      `${one}\u001b[2J`,
    ])
      expect({ bad, why: pathProblem(bad) }).toEqual({ bad, why: expect.any(String) });
  });
  fc.assert(property);
});

test("pathProblem accepts files of the inbox", () => {
  expect(pathProblem(".incipit/inbox/2026-11-23-photo.png")).toBeUndefined();
  expect(pathProblem("./.incipit/inbox/2026-11-23-photo.png")).toBeUndefined();
});
