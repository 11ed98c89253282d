import { expect, test } from "bun:test";
import fc from "fast-check";
import type { StoredFileChange } from "../store/stored.ts";
import { originOf } from "./undone-files.ts";

type ContentDigest = StoredFileChange["after"];
type Change = Pick<StoredFileChange, "before" | "after">;

const held = (content: string | null): ContentDigest =>
  content === null ? null : { sha256: content, sizeBytes: 1 };
const content = fc.constantFrom("a", "b", "c", null);

test("originOf returns the content before all made changes, skipping others", () => {
  const step = fc.record({ to: content, isMade: fc.boolean() });
  const property = fc.property(content, fc.array(step, { minLength: 1 }), (first, steps) => {
    let present = first;
    const changes: Change[] = [];
    for (const [index, { to, isMade }] of steps.entries()) {
      changes.push({ before: held(present), after: held(isMade ? to : `never ${index}`) });
      if (isMade) present = to;
    }
    const origin = originOf(changes, held(present));
    if (first === present) expect(origin).toEqual({ kind: "unchanged" });
    else expect(origin).toMatchObject({ kind: "origin", change: { before: held(first) } });
  });
  fc.assert(property);
});

test("originOf returns changed for unknown contents and changes in between", () => {
  const changes: readonly Change[] = [
    { before: held("a"), after: held("b") },
    { before: held("x"), after: held("c") },
  ];

  expect(originOf(changes, held("z"))).toEqual({ kind: "changed" });
  expect(originOf(changes, null)).toEqual({ kind: "changed" });
  expect(originOf(changes, held("c"))).toEqual({ kind: "changed" });
});

test("originOf returns which changes were made", () => {
  const cut: Change = { before: null, after: held("never") };
  const [made, changed, removed]: readonly Change[] = [
    { before: null, after: held("a") },
    { before: held("a"), after: held("b") },
    { before: held("b"), after: null },
  ];
  if (made === undefined || changed === undefined || removed === undefined) throw new Error("Three changes");

  expect(originOf([cut, made, changed], held("b"))).toMatchObject({ change: made, made: [changed, made] });
  expect(originOf([changed, removed, cut], null)).toMatchObject({ change: changed, made: [removed, changed] });
});

test("originOf does not look past a change with unknown previous content", () => {
  const unknown: Change = { before: "unknown", after: held("b") };
  const later: Change = { before: held("b"), after: held("c") };

  expect(originOf([unknown, later], held("c"))).toMatchObject({
    kind: "origin",
    change: unknown,
    made: [later, unknown],
  });
  expect(originOf([{ before: held("x"), after: held("a") }, unknown], held("b"))).toEqual({ kind: "changed" });
});
