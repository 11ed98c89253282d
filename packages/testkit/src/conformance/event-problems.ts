import { usageSchema, type FinishReason } from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";

const finishReasons: ReadonlySet<string> = new Set([
  "stop",
  "length",
  "tool-calls",
  "content-filter",
  "error",
  "other",
] as const satisfies readonly FinishReason[]);

export function endProblems(events: readonly ModelEvent[]): readonly string[] {
  const ends = events.filter(isEnd);
  const last = events.at(-1);
  return [
    ...(ends.length === 1 ? [] : [`it has ${ends.length} events that end it`]),
    ...(last !== undefined && isEnd(last) ? [] : [`its last event is ${last === undefined ? "none" : last.type}`]),
  ];
}

export function partProblems(events: readonly ModelEvent[]): readonly string[] {
  const problems: string[] = [];
  const kinds = new Map<string, string>();
  const open = new Set<string>();
  const startedCalls = new Map<string, string>();
  const calls = new Set<string>();
  for (const event of events) {
    switch (event.type) {
      case "text-start":
      case "reasoning-start":
        if (kinds.has(event.partId)) problems.push(`part "${event.partId}" starts twice`);
        kinds.set(event.partId, kindOf(event.type));
        open.add(event.partId);
        break;
      case "text-delta":
      case "reasoning-delta":
      case "text-end":
      case "reasoning-end":
        if (!open.has(event.partId)) problems.push(`${event.type} of "${event.partId}", which is not open`);
        else if (kinds.get(event.partId) !== kindOf(event.type))
          problems.push(`${event.type} of "${event.partId}", which is ${kinds.get(event.partId)}`);
        if (event.type.endsWith("-end")) open.delete(event.partId);
        break;
      case "tool-call-start":
        if (startedCalls.has(event.toolCallId)) problems.push(`tool call "${event.toolCallId}" starts twice`);
        startedCalls.set(event.toolCallId, event.name);
        break;
      case "tool-call":
      case "tool-run":
        if (calls.has(event.toolCallId)) problems.push(`tool call "${event.toolCallId}" comes twice`);
        if ((startedCalls.get(event.toolCallId) ?? event.name) !== event.name)
          problems.push(`tool call "${event.toolCallId}" has two names`);
        calls.add(event.toolCallId);
        break;
      case "finish":
        for (const partId of open) problems.push(`part "${partId}" is open at finish`);
        for (const id of startedCalls.keys())
          if (!calls.has(id)) problems.push(`tool call "${id}" starts and never comes`);
        break;
      case "failure":
        break;
    }
  }
  return problems;
}

export function reportProblems(event: ModelEvent | undefined): readonly string[] {
  if (event?.type === "finish") {
    return [
      ...(usageSchema.safeParse(event.usage).success ? [] : ["usage is not whole numbers or null"]),
      ...(finishReasons.has(event.finishReason) ? [] : [`finishReason is "${event.finishReason}"`]),
    ];
  }
  if (event?.type === "failure") {
    const { code, message, isRetryable, retryAfterMs = 0 } = event.error;
    return [
      ...(/^[A-Z][A-Z_]*$/.test(code) ? [] : [`code is "${code}"`]),
      ...(typeof message === "string" && message.trim() !== "" ? [] : ["the message is empty"]),
      ...(typeof isRetryable === "boolean" ? [] : ["isRetryable is not true or false"]),
      ...(retryAfterMs >= 0 ? [] : [`retryAfterMs is ${retryAfterMs}`]),
    ];
  }
  return ["there is no last event"];
}

function isEnd({ type }: ModelEvent): boolean {
  return type === "finish" || type === "failure";
}

function kindOf(type: string): string {
  return type.startsWith("text") ? "text" : "reasoning";
}
