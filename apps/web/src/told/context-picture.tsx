import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { amounts } from "../text/amounts.ts";
import { toldWords } from "../text/told-words.ts";
import type { ContextPart } from "./context-parts.ts";
import type { SavedByCompaction } from "./saved-by-compaction.ts";

const shownAtOnce = 12;
const smallestSegment = 0.004;

interface PictureProps {
  readonly parts: readonly ContextPart[];
  /** Tokens of files are not proportional to bytes. */
  readonly hasFiles: boolean;
  readonly inputTokens: number | null;
  /** US dollars per million tokens; `null` if unknown. */
  readonly inputPrice: number | null;
  /** Tokens; `null` if unknown. */
  readonly window: number | null;
  readonly saved?: SavedByCompaction | undefined;
  readonly onLead: (part: ContextPart) => void;
}

export function ContextPicture(props: PictureProps): JSX.Element {
  const { parts, hasFiles, inputTokens: counted, inputPrice: price, window, saved, onLead } = props;
  const said = toldWords.context;
  const [isWhole, setIsWhole] = useState(false);
  const largestFirst = useMemo(() => parts.toSorted((a, b) => b.sizeBytes - a.sizeBytes), [parts]);
  const totalBytes = parts.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
  const tokens = hasFiles ? null : counted;
  const rows = isWhole ? largestFirst : largestFirst.slice(0, shownAtOnce);
  const shares = useMemo(() => amounts.shares(largestFirst.map(({ sizeBytes }) => sizeBytes)), [largestFirst]);
  if (totalBytes === 0) return <p class="quiet">{said.nothing}</p>;
  return (
    <>
      {counted !== null && (
        <>
          <p>{window === null ? said.noWindow(counted) : said.ofWindow(counted, window, counted / window)}</p>
          {window !== null && <progress value={Math.min(counted, window)} max={window} aria-hidden="true" />}
        </>
      )}
      <div class="context-bar" aria-hidden="true">
        {segmentsOf(parts, totalBytes).map((segment, index) => (
          <span
            key={index}
            data-source={segment.kind}
            title={`${nameOf(segment)}, ${amounts.bytes(segment.sizeBytes)}`}
            style={{ inlineSize: `${((segment.sizeBytes / totalBytes) * 100).toFixed(3)}%` }}
            onClick={() => onLead(segment)}
          />
        ))}
      </div>
      <div class="scrolled" tabIndex={0} role="group" aria-label={said.title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{said.part}</th>
              <th scope="col">{said.size}</th>
              <th scope="col">{said.share}</th>
              {tokens !== null && <th scope="col">{said.tokens}</th>}
              {tokens !== null && price !== null && <th scope="col">{said.cost}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((part, index) => {
              const share = part.sizeBytes / totalBytes;
              const partTokens = tokens === null ? null : Math.round(tokens * share);
              return (
                <tr key={index}>
                  <th scope="row">
                    {part.elementId === undefined ? (
                      <span dir="auto">
                        <PartName part={part} />
                      </span>
                    ) : (
                      <button type="button" class="plain" dir="auto" onClick={() => onLead(part)}>
                        <PartName part={part} />
                      </button>
                    )}
                  </th>
                  <td>{amounts.bytes(part.sizeBytes)}</td>
                  <td>{shares[index]}</td>
                  {partTokens !== null && <td>{`≈ ${amounts.count(partTokens)}`}</td>}
                  {partTokens !== null && price !== null && (
                    <td>{amounts.dollars((partTokens * price) / 1_000_000)}</td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {rows.length < largestFirst.length && (
        <button type="button" class="plain" onClick={() => setIsWhole(true)}>
          {said.all(largestFirst.length - rows.length)}
        </button>
      )}
      {saved !== undefined && (
        <p>
          {said.saved(saved.beforeBytes, saved.afterBytes)}{" "}
          {saved.tokens !== undefined && said.savedTokens(saved.tokens)}
        </p>
      )}
      <p class="quiet">
        {said.total(totalBytes)} {hasFiles ? said.hasFiles : tokens === null ? said.notCounted : said.counted}
      </p>
    </>
  );
}

function PartName({ part }: { readonly part: ContextPart }): JSX.Element {
  return (
    <>
      <span class="swatch" data-source={part.kind} aria-hidden="true" />
      {nameOf(part)}
    </>
  );
}

function nameOf({ kind, name }: ContextPart): string {
  const what = toldWords.context.kinds[kind];
  return name === "" ? what : `${what} ${name}`;
}

/** A request may have ten thousand messages. */
function segmentsOf(parts: readonly ContextPart[], totalBytes: number): readonly ContextPart[] {
  const segments: ContextPart[] = [];
  for (const part of parts) {
    const last = segments.at(-1);
    const isSmall = (of: ContextPart): boolean => of.sizeBytes / totalBytes < smallestSegment;
    if (last?.kind === part.kind && isSmall(last) && isSmall(part))
      segments[segments.length - 1] = { ...last, sizeBytes: last.sizeBytes + part.sizeBytes };
    else segments.push(part);
  }
  return segments;
}
