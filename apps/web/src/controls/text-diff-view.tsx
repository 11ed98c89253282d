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
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  return (
    <>
      <DiffLines lines={lines.slice(0, longest)} label={label} />
      {lines.length > longest && <p class="quiet">{cut(lines.length - longest)}</p>}
    </>
  );
}

interface DiffLinesProps {
  readonly lines: readonly string[];
  readonly label: string;
}

export function DiffLines({ lines, label }: DiffLinesProps): JSX.Element {
  return (
    <pre class="diff" tabIndex={0} dir="auto" role="region" aria-label={label}>
      {lines.map((text, index) => (
        <span key={index} data-kind={kinds[text.charAt(0)] ?? "same"}>{`${text}\n`}</span>
      ))}
    </pre>
  );
}

const kinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place", "\\": "note" };
