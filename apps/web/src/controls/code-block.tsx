import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CodePiece } from "./code-pieces.ts";
import { CopyButton } from "./copy-button.tsx";

const longestColoured = 50_000;

interface CodeBlockProps {
  readonly code: string;
  readonly language: string | undefined;
}

/** Growing code is highlighted once unchanged for this time. */
const stillMs = 150;

export function CodeBlock({ code, language }: CodeBlockProps): JSX.Element {
  const [pieces, setPieces] = useState<readonly CodePiece[]>();
  useEffect(() => {
    setPieces(undefined);
    if (language === undefined || language === "" || code.length > longestColoured) return undefined;
    let isShown = true;
    const timer = setTimeout(() => {
      import("./code-pieces.ts").then(
        ({ codePieces }) => {
          if (isShown) setPieces(codePieces(code, language));
        },
        () => undefined,
      );
    }, stillMs);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return (
    <div class="code">
      <pre tabIndex={0}>
        <code>{pieces === undefined ? code : drawn(pieces)}</code>
      </pre>
      <CopyButton text={code} />
    </div>
  );
}

function drawn(pieces: readonly CodePiece[]): ComponentChildren {
  return pieces.map((piece, index) =>
    typeof piece === "string" ? (
      piece
    ) : (
      <span key={index} class={piece.kind}>
        {drawn(piece.pieces)}
      </span>
    ),
  );
}
