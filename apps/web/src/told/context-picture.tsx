import type { ModelCall, AuditedStep, Step } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Button } from "../controls/fields.tsx";
import { ScrolledTable } from "../controls/layout.tsx";
import { useRoute } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { toldWords } from "../text/told-words.ts";
import type { ContextPart } from "./context-parts.ts";

const shownAtOnce = 12;
const smallestSegment = 0.004;

interface PictureProps {
  readonly parts: readonly ContextPart[];
  /** Tokens of files are not proportional to bytes. */
  readonly hasFiles: boolean;
  readonly call: Pick<ModelCall, "model" | "usage" | "prices">;
  readonly saved?: SavedByCompaction | undefined;
  readonly onLead: (part: ContextPart) => void;
}

export function ContextPicture(props: PictureProps): JSX.Element {
  const { parts, hasFiles, call, saved, onLead } = props;
  const said = toldWords.context;
  const [isWhole, setIsWhole] = useState(false);
  const models = useRoute(routes.listModels);
  const facts = models.known?.models.find(({ id }) => id === call.model)?.facts;
  const counted = call.usage?.inputTokens ?? null;
  const price = (call.prices ?? facts?.prices)?.input ?? null;
  const window = facts?.contextWindow ?? null;
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
      <ScrolledTable
        role="group"
        label={said.title}
        columns={[
          said.part,
          said.size,
          said.share,
          ...(tokens === null ? [] : [said.tokens, ...(price === null ? [] : [said.cost])]),
        ]}
      >
        {rows.map((part, index) => {
          const partTokens = tokens === null ? null : Math.round((tokens * part.sizeBytes) / totalBytes);
          return (
            <tr key={index}>
              <th scope="row">
                {part.elementId === undefined ? (
                  <span dir="auto">
                    <PartName part={part} />
                  </span>
                ) : (
                  <Button class="plain" dir="auto" text={<PartName part={part} />} onClick={() => onLead(part)} />
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
      </ScrolledTable>
      {rows.length < largestFirst.length && (
        <Button text={said.all(largestFirst.length - rows.length)} class="plain" onClick={() => setIsWhole(true)} />
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

interface SavedByCompaction {
  readonly beforeBytes: number;
  readonly afterBytes: number;
  readonly tokens: number | undefined;
}

/** Removed by the compaction that started the step's epoch. */
export function savedByCompaction(
  { epoch }: Pick<Step, "epoch">,
  steps: readonly AuditedStep[],
): SavedByCompaction | undefined {
  const sent = steps.filter(({ purpose, prefix }) => purpose === "turn" && prefix !== null);
  const before = sent.findLast((step) => step.epoch < epoch);
  const after = sent.find((step) => step.epoch === epoch);
  const [beforeBytes = 0, afterBytes = 0] = [before?.prefix?.sizeBytes, after?.prefix?.sizeBytes];
  if (after === undefined || beforeBytes <= afterBytes) return undefined;
  const [tokensBefore, tokensAfter] = [before?.usage?.inputTokens ?? null, after.usage?.inputTokens ?? null];
  const isCounted = tokensBefore !== null && tokensAfter !== null && tokensBefore > tokensAfter;
  return { beforeBytes, afterBytes, tokens: isCounted ? tokensBefore - tokensAfter : undefined };
}
