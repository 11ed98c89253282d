import { expect, test } from "bun:test";
import fc from "fast-check";
import type { StoredFileChange } from "../store/stored.ts";
import { originOf } from "./file-chain.ts";

type Held = StoredFileChange["after"];
type Change = Pick<StoredFileChange, "before" | "after">;

const held = (content: string | null): Held => (content === null ? null : { sha256: content, sizeBytes: 1 });
const content = fc.constantFrom("a", "b", "c", null);

test("originOf goes back to what a file was before all changes that were made, whichever others were not", () => {
  // A change that was not made is one that somebody else's came before: what it left was never there.
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

test("originOf leaves alone what is none of what the changes left, and what was changed between two of them", () => {
  const changes: readonly Change[] = [
    { before: held("a"), after: held("b") },
    { before: held("x"), after: held("c") },
  ];

  expect(originOf(changes, held("z"))).toEqual({ kind: "changed" });
  expect(originOf(changes, null)).toEqual({ kind: "changed" });
  expect(originOf(changes, held("c"))).toEqual({ kind: "changed" });
});

test("originOf tells which changes were made, and which never were", () => {
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

test("originOf does not look past a change that could not read what was there", () => {
  const unknown: Change = { before: "unknown", after: held("b") };
  const later: Change = { before: held("b"), after: held("c") };

  expect(originOf([unknown, later], held("c"))).toMatchObject({
    kind: "origin",
    change: unknown,
    made: [later, unknown],
  });
  expect(originOf([{ before: held("x"), after: held("a") }, unknown], held("b"))).toEqual({ kind: "changed" });
});
