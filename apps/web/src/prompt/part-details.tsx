import type { PreviewSystemPromptResponse } from "@incipit/schema";
import type { JSX } from "preact";
import { amounts } from "../text/amounts.ts";
import { byteSize } from "../text/bytes.ts";
import { originWords } from "../text/origin-words.ts";
import { promptWords } from "../text/prompt-words.ts";

interface PartDetailsProps {
  readonly preview: PreviewSystemPromptResponse;
  readonly index: number | undefined;
}

const longestValue = 400;

export function PartDetails({ preview: { systemPrompt, explain }, index }: PartDetailsProps): JSX.Element {
  const said = promptWords.preview;
  const range = index === undefined ? undefined : explain.ranges[index];
  if (range === undefined)
    return (
      <div class="details">
        <p class="quiet">{said.details.hint}</p>
      </div>
    );
  const text = systemPrompt.slice(range.start, range.end);
  const variable =
    range.origin === "variable"
      ? explain.variables.find(({ type, name }) => `${type}:${name}` === range.name)
      : undefined;
  const branch = range.branch === null ? undefined : explain.branches[range.branch];
  const winner = explain.tiers.find(({ won }) => won);
  const source =
    variable?.source ??
    (range.extension === null
      ? range.tier === "append"
        ? said.details.append
        : range.tier === "profile-append"
          ? said.details.profileAppend
          : (winner?.source ?? range.tier)
      : said.details.segment(range.extension));
  const rows: readonly (readonly [string, string])[] = [
    [said.details.source, source],
    ...(variable?.trust == null ? [] : ([[said.details.trust, said.trust[variable.trust]]] as const)),
    [
      said.details.reason,
      branch === undefined ? said.details.always : said.details.branch(branch.condition, branch.side),
    ],
    [said.details.size, said.details.bytes(amounts.count(byteSize(text)))],
    [said.details.value, text.length > longestValue ? `${text.slice(0, longestValue)}…` : text],
  ];
  return (
    <div class="details" role="status">
      <p>
        <strong data-origin={range.origin}>{originWords.names[range.origin]}</strong>{" "}
        {range.name !== null && <code>{range.origin === "variable" ? `[${range.name}]` : range.name}</code>}
      </p>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
