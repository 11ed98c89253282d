import { restorationIdSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import type { StoredFileChange } from "../store/stored.ts";
import { activeRestores } from "./undone-changes.ts";

type Of = Extract<StoredFileChange["by"], { readonly restorationId: unknown }>["of"];

function changes(...ofs: readonly Of[]): Parameters<typeof activeRestores>[0] {
  const restorationId = restorationIdSchema.parse(Bun.randomUUIDv7());
  return ofs.map((of, index) => ({ changeId: String(index), by: { restorationId, of } }));
}

function found(...ofs: readonly Of[]): readonly string[] {
  return activeRestores(changes(...ofs)).map(({ changeId }) => changeId);
}

test("activeRestores returns the restores of the newest message not yet undone", () => {
  const [first, second] = [{ from: "first" }, { from: "second" }];
  const back = (...changeIds: string[]): Of => ({ changeIds });

  expect(found()).toEqual([]);
  expect(found(first, second, second)).toEqual(["1", "2"]);
  expect(found(first, second, back("1"))).toEqual(["0"]);
  expect(found(first, back("0"))).toEqual([]);
  expect(found(first, first, back("0"))).toEqual(["1"]);
  expect(found(first, back("0"), first)).toEqual(["2"]);
  // The redo was itself undone, so the first restore applies again.
  expect(found(first, back("0"), back("1"))).toEqual(["0"]);
});

test("activeRestores returns only the restores of the given message", () => {
  const of = (message: string): readonly string[] =>
    activeRestores(changes({ from: "first" }, { from: "second" }, { changeIds: ["1"] }), message).map(
      ({ changeId }) => changeId,
    );

  expect([of("first"), of("second"), of("third")]).toEqual([["0"], [], []]);
});
