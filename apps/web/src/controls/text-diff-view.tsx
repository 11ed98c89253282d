import type { TextDiff } from "@incipit/schema";
import type { JSX } from "preact";

interface TextDiffViewProps {
  readonly diff: Pick<TextDiff, "hunks">;
  readonly label: string;
  readonly same: string;
  readonly cut: (rest: number) => string;
}

const longest = 2_000;

/** Signs repeat the meaning of the colours. */
export function TextDiffView({ diff: { hunks }, label, same, cut }: TextDiffViewProps): JSX.Element {
  if (hunks.length === 0) return <p class="quiet">{same}</p>;
  const lines = hunks.flatMap((hunk) => [
    { kind: "place", text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@` },
    ...hunk.lines.map((text) => ({ kind: kinds[text.charAt(0)] ?? "same", text })),
  ]);
  return (
    <>
      <pre class="diff" tabIndex={0} dir="auto" role="region" aria-label={label}>
        {lines.slice(0, longest).map(({ kind, text }, index) => (
          <span key={index} data-kind={kind}>{`${text}\n`}</span>
        ))}
      </pre>
      {lines.length > longest && <p class="quiet">{cut(lines.length - longest)}</p>}
    </>
  );
}

const kinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "\\": "note" };
