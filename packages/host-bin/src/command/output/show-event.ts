import type { DeferredServer, TurnEvent } from "@incipit/schema";
import { clippedLine } from "@incipit/schema/text";
import type { Output } from "./output.ts";

type EventOf<Type extends TurnEvent["type"]> = Extract<TurnEvent, { type: Type }>;

export function showEvent(event: TurnEvent, output: Output): void {
  switch (event.type) {
    case "text-delta":
      return output.outExact(event.text);
    case "text-end":
      return output.out("\n");
    case "turn-queue":
      return output.errLine(`Waiting: number ${event.position} of the queue`);
    case "tools-resolve":
      for (const problem of event.problems) output.errLine(problem);
      if (event.deferred !== undefined) output.errLine(deferredLine(event.deferred));
      return undefined;
    case "tool-call-progress":
      return output.errLine(progressLine(event));
    case "tool-call-end":
      return output.errLine(toolLine(event));
    case "compaction-start":
      return output.errLine("The conversation has grown long: it is summed up first");
    case "compaction-end":
      return event.error === undefined ? undefined : output.errLine(`${event.error.message}; it goes on as it is`);
    case "spending-notice":
    case "folder-notice":
      return output.errLine(event.message);
    case "step-retry":
      return output.errLine(`${event.error.message}; trying again in ${Math.ceil(event.waitMs / 1_000)} s`);
    default:
      return undefined;
  }
}

function deferredLine(deferred: readonly DeferredServer[]): string {
  const servers = deferred.map(({ server, count }) => `${server} (${count})`).join(", ");
  return `Tools that the model looks up when it needs them: ${servers}`;
}

function progressLine({ name, progress, total, message }: EventOf<"tool-call-progress">): string {
  const share = total === undefined ? String(progress) : `${progress} of ${total}`;
  const said = message === undefined ? "" : `: ${clippedLine(message, { maxCharacters: 200 })}`;
  return `[${clippedLine(name, { maxCharacters: 64 })}] ${share}${said}`;
}

export function toolLine(call: {
  readonly name: string;
  readonly input: string;
  readonly error?: { readonly message: string };
  readonly allowedBy?: string;
}): string {
  const called = `[${clippedLine(call.name, { maxCharacters: 64 })}] ${clippedLine(compact(call.input), { maxCharacters: 200 })}`;
  const by =
    call.allowedBy === undefined ? "" : ` (allowed by ${clippedLine(call.allowedBy, { maxCharacters: 200 })})`;
  const line = `${called}${by}`;
  if (call.error === undefined) return line;
  return `${line} failed: ${clippedLine(call.error.message, { maxCharacters: 300 })}`;
}

function compact(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input));
  } catch {
    return input;
  }
}
