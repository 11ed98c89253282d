import { expect, test } from "bun:test";
import fc from "fast-check";
import { PastedPieces, type TypedPiece } from "./pasted-pieces.ts";

function joined(pieces: readonly TypedPiece[]): readonly TypedPiece[] {
  const result: TypedPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last?.isPasted === piece.isPasted) result.splice(-1, 1, { ...piece, text: last.text + piece.text });
    else result.push(piece);
  }
  return result;
}

test("PastedPieces recognizes pasted text wherever the input is split", () => {
  const input = "ab\u001B[200~y\ry\r\u001B[20x\u001B[201~c\u001B[A\r";
  const property = fc.property(fc.array(fc.nat({ max: 9 }), { minLength: 1 }), (sizes) => {
    const reader = new PastedPieces();
    const pieces: TypedPiece[] = [];
    for (let at = 0, index = 0; at < input.length; index += 1) {
      const size = sizes[index % sizes.length] ?? 0;
      pieces.push(...reader.take(input.slice(at, at + size + 1)));
      at += size + 1;
    }
    expect(joined(pieces)).toEqual([
      { isPasted: false, text: "ab" },
      { isPasted: true, text: "y\ry\r\u001B[20x" },
      { isPasted: false, text: "c\u001B[A\r" },
    ]);
  });
  fc.assert(property);
});
