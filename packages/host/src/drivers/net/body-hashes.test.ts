import fc from "fast-check";
import { expect, spyOn, test } from "bun:test";
import { BodyHashes } from "./net-request.ts";

function plain(text: string): string {
  return new Bun.CryptoHasher("sha256").update(new TextEncoder().encode(text)).digest("hex");
}

test("BodyHashes returns the hash of a body for any sequence of bodies", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "é", "漢", "😀", "\uD83D", '"', "]", "}"), maxLength: 40 });
  const turn = fc.record({ conversation: fc.nat(3), added: piece, isNew: fc.boolean(), isOther: fc.boolean() });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 30 }), (turns) => {
      const hashes = new BodyHashes();
      const histories = ["a", "b", "c", "d"].map((letter) => letter.repeat(9_000));
      for (const { conversation, added, isNew, isOther } of turns) {
        const grown = `${isNew ? conversation : (histories[conversation] ?? "")}${added}`;
        histories[conversation] = isOther ? grown.slice(1) : grown;
        const body = `{"messages":[${histories[conversation]}]}`.toWellFormed();
        expect(hashes.of(body)).toBe(plain(body));
      }
    }),
  );
});

test("BodyHashes does not rehash a known prefix", () => {
  const hashes = new BodyHashes();
  const update = spyOn(Bun.CryptoHasher.prototype, "update");
  for (let turn = 1; turn <= 3; turn += 1) hashes.of(`{"messages":[${"x".repeat(10_000 * turn)}]}`);
  const lengths = update.mock.calls.map(([input]) => (typeof input === "string" ? input.length : -1));
  update.mockRestore();

  expect(lengths).toEqual([10_013, 2, 10_000, 2, 10_000, 2]);
});
