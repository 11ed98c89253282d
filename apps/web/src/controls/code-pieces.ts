import { common, createLowlight } from "lowlight";

export type CodePiece = string | { readonly kind: string; readonly pieces: readonly CodePiece[] };

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly properties?: { readonly className?: unknown };
}

const lowlight = createLowlight(common);

export function codePieces(code: string, language: string): readonly CodePiece[] | undefined {
  const name = language.toLowerCase();
  return lowlight.registered(name) ? piecesOf(lowlight.highlight(name, code).children) : undefined;
}

function piecesOf(nodes: readonly Node[]): readonly CodePiece[] {
  return nodes.flatMap(({ type, value, children, properties }): readonly CodePiece[] => {
    if (type === "text") return [value ?? ""];
    if (type !== "element") return [];
    const names: unknown = properties?.className;
    const kind = Array.isArray(names) ? names.filter((name) => typeof name === "string").join(" ") : "";
    return [{ kind, pieces: piecesOf(children ?? []) }];
  });
}
