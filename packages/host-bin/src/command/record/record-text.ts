import type { MessagePart, StepRecord, ToldInstructions } from "@incipit/schema";
import { autoApprovedText, differenceText, shaText } from "@incipit/cli-text";
import { escapeHiddenLine } from "@incipit/schema/text";

export const recordLead = 13;

export function recordText(
  record: StepRecord,
  { width }: { readonly width: number } = { width: Infinity },
): string {
  const {
    step,
    request,
    requestProblem,
    systemTexts,
    messages,
    tools,
    deferredTools,
    durationMs,
    audit,
    redactions,
  } = record;
  const { usage, error } = step;
  const sized = (sizeBytes: number | null, sha256: string | null): string =>
    shaText(`${sha256}`, (hash) => `${sizeBytes} bytes, SHA-256 ${hash}`, width - recordLead);
  const system = systemTexts?.join("\n\n");
  const left = [...new Set([...(request?.redactions ?? []), ...redactions].map(({ kind }) => kind))].join(", ");
  const rows = {
    conversation: `${record.conversation.id} (${record.conversation.title ?? "no title"})`,
    step: `${step.id}${step.purpose === "compaction" ? " (compaction)" : ""}`,
    model: step.model,
    sent: request === null ? (requestProblem?.message ?? "nothing") : `${request.method} ${request.url}`,
    at: `${step.startedAt}${durationMs === null ? "" : `, ${(durationMs / 1_000).toFixed(2)} s`}`,
    system: system === undefined ? "not known" : sized(Buffer.byteLength(system), step.systemSha256),
    ...(step.instructions === null ? {} : { told: instructionDeliveryText(step.instructions) }),
    tools: tools === null ? "not known" : tools.map(({ name }) => name).join(", ") || "none",
    ...(deferredTools.length === 0
      ? {}
      : { "looked up": deferredTools.map(({ server, count }) => `${server} (${count})`).join(", ") }),
    messages: messages === null ? "not known" : String(messages.length),
    body: request === null ? "-" : sized(step.requestSizeBytes, request.sha256),
    prefix: prefixText(audit),
    tokens: tokensText(usage),
    ended: error === null ? (step.finishReason ?? "not yet") : `${error.code}: ${error.message}`,
    "left out": left === "" ? "nothing" : left,
  };
  const unasked = (step.unaskedCalls ?? []).map((call) => ["call", autoApprovedText(call)] as const);
  return [...Object.entries(rows), ...unasked]
    .map(([name, value]) => `${name.padEnd(recordLead)}${escapeHiddenLine(value)}\n`)
    .join("");
}

function prefixText({ verdict, reason }: StepRecord["audit"]): string {
  if (verdict === "held") return "held: it begins with the request before it";
  if (verdict === "first") return "the first request: nothing was sent before it";
  if (verdict === "unsent") return "nothing was sent";
  return `not as before${verdict === "expected" ? ", as asked for" : ""}: ${differenceText(reason)}; incipit audit has the byte`;
}

/** Formats reported counts; an unreported one is not shown as 0. */
function tokensText(usage: StepRecord["step"]["usage"]): string {
  const { inputTokens = null, outputTokens = null, cacheReadTokens = null, cacheWriteTokens = null } = usage ?? {};
  if ((inputTokens ?? outputTokens ?? cacheReadTokens ?? cacheWriteTokens) === null) return "not reported";
  const cache = [
    `${cacheReadTokens ?? "not reported"} read from the cache`,
    ...(cacheWriteTokens === null ? [] : [`${cacheWriteTokens} written to it`]),
  ];
  const thought = usage?.reasoningTokens === undefined ? "" : ` (${usage.reasoningTokens} of them reasoning)`;
  return `in ${inputTokens ?? "not reported"} (${cache.join(", ")}), out ${outputTokens ?? "not reported"}${thought}`;
}

export function partsText(parts: readonly MessagePart[]): string {
  return parts.map(partText).join("\n");
}

function partText(part: MessagePart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "reasoning":
      return `(thinks) ${part.text}`;
    case "file":
      return `[file ${part.filename ?? ""} ${part.mediaType}]`;
    case "tool-call":
      return `${part.name}(${part.input})`;
    case "tool-result":
      return `${part.name}: ${part.output}`;
  }
}

const ways: Readonly<Record<ToldInstructions["by"], string>> = {
  "system-prompt": "in the protocol's field (system-prompt)",
  meta: "in _meta.systemPrompt (meta)",
  block: "as a text before the first message (block)",
};

export function instructionDeliveryText({ by, told }: ToldInstructions): string {
  return `${ways[by]}, ${told === "now" ? "with this request" : "earlier in the same session"}`;
}
