import type { Explain, Message, StepRecord } from "@incipit/schema";
import { byteSize } from "../text/bytes.ts";
import { toldWords } from "../text/told-words.ts";
import { elementIds } from "./element-ids.ts";

type ContextKind = keyof typeof toldWords.context.kinds;

export interface ContextPart {
  readonly kind: ContextKind;
  readonly name: string;
  readonly sizeBytes: number;
  readonly elementId: string | undefined;
  readonly messageIndex: number | undefined;
}

const nameLength = 60;

export function contextPartsOf({
  systemTexts,
  explain,
  tools,
  messages,
  step,
}: StepRecord): readonly ContextPart[] {
  return [
    ...(systemTexts ?? []).flatMap((text, index) => systemParts(text, { index, explain })),
    ...(tools ?? []).map((tool, index): ContextPart => ({
      kind: "tool",
      name: tool.name,
      sizeBytes: byteSize(JSON.stringify(tool)),
      elementId: elementIds.tool(index),
      messageIndex: undefined,
    })),
    ...(messages ?? []).flatMap((message, index) =>
      messageParts(message, { index, isSummary: isSummary(message, { index, epoch: step.epoch }) }),
    ),
  ].filter(({ sizeBytes }) => sizeBytes > 0);
}

/** Returns whether messages have files, whose tokens each provider counts differently. */
export function hasFilesIn({ messages }: StepRecord): boolean {
  return (messages ?? []).some(({ parts }) =>
    parts.some((part) => part.type === "file" || (part.type === "tool-result" && part.files !== undefined)),
  );
}

/** The first message of each epoch except the first. */
export function isSummary(
  { role }: Message,
  { index, epoch }: { readonly index: number; readonly epoch: number },
): boolean {
  return index === 0 && role === "user" && epoch > 1;
}

/** With a redacted secret, or texts of a call, they do not match the text. */
export function rangesOf(text: string, explain: Pick<Explain, "ranges"> | null): Explain["ranges"] {
  return explain !== null && explain.ranges.at(-1)?.end === text.length ? explain.ranges : [];
}

function systemParts(
  text: string,
  { index, explain }: { readonly index: number; readonly explain: StepRecord["explain"] },
): readonly ContextPart[] {
  const ranges = rangesOf(text, explain);
  if (ranges.length === 0) {
    const elementId = elementIds.system(index);
    return [{ kind: "system", name: "", sizeBytes: byteSize(text), elementId, messageIndex: undefined }];
  }
  const parts = new Map<string, ContextPart>();
  for (const [rangeIndex, { origin, name, start, end }] of ranges.entries()) {
    const kind = origin === "literal" || origin === "separator" ? "template" : origin;
    const key = `${kind} ${name ?? ""}`;
    const before = parts.get(key);
    const sizeBytes = byteSize(text.slice(start, end)) + (before?.sizeBytes ?? 0);
    const elementId = before?.elementId ?? elementIds.range(index, rangeIndex);
    parts.set(key, { kind, name: name ?? "", sizeBytes, elementId, messageIndex: undefined });
  }
  return [...parts.values()];
}

function messageParts(
  message: Message,
  { index, isSummary: isSummed }: { readonly index: number; readonly isSummary: boolean },
): readonly ContextPart[] {
  const { role, parts } = message;
  const number = index + 1;
  const elementId = elementIds.message(index);
  const named = toldWords.context.message;
  if (role === "tool")
    return parts.flatMap((part) =>
      part.type === "tool-result"
        ? [
            {
              kind: "tool-result" as const,
              name: named(number, part.name),
              sizeBytes: resultSize(part),
              elementId,
              messageIndex: index,
            },
          ]
        : [],
    );
  const sizeBytes = messageSize(message);
  const kind = isSummed ? "summary" : role;
  return [{ kind, name: named(number, beginningOf(message)), sizeBytes, elementId, messageIndex: index }];
}

/** Returns the size of a message, without the overhead of the provider's format. */
export function messageSize({ parts }: Message): number {
  return parts.reduce((total, part) => {
    switch (part.type) {
      case "text":
      case "reasoning":
        return total + byteSize(part.text);
      case "file":
        return total + part.data.length;
      case "tool-call":
        return total + byteSize(part.name) + byteSize(part.input);
      case "tool-result":
        return total + resultSize(part);
    }
  }, 0);
}

function resultSize({ output, files = [] }: Extract<Message["parts"][number], { type: "tool-result" }>): number {
  return files.reduce((total, { data }) => total + data.length, byteSize(output));
}

export function beginningOf({ parts }: Message): string {
  for (const part of parts) {
    if (part.type === "text" && part.text.trim() !== "") return shortened(part.text);
    if (part.type === "tool-call" || part.type === "tool-result") return part.name;
    if (part.type === "file") return part.filename ?? part.mediaType;
  }
  return "";
}

function shortened(text: string): string {
  const line = text
    .slice(0, nameLength * 4)
    .trim()
    .replaceAll(/\s+/g, " ");
  return line.length <= nameLength ? line : `${line.slice(0, nameLength)}…`;
}
