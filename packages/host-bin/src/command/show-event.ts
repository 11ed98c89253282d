import type { TurnEvent } from "@incipit/transport-contract";
import { shownText, type Output } from "./output.ts";
import { shownLine } from "./shown-line.ts";

/** What a person who waits for the answer sees of an event: text goes to stdout, what else happens to stderr. */
export function showEvent(event: TurnEvent, output: Output): void {
  switch (event.type) {
    case "text-delta":
      return output.out(shownText(event.text, output));
    case "text-end":
      return output.out("\n");
    case "turn-queue":
      return output.err(`Waiting: number ${event.position} of the queue\n`);
    case "tools-resolve":
      for (const problem of event.problems) output.err(`${shownText(problem, { ...output, isScreen: true })}\n`);
      return undefined;
    case "tool-call-end":
      return output.err(`${toolLine(event)}\n`);
    case "compaction-start":
      return output.err("The conversation has grown long: it is summed up first\n");
    case "compaction-end":
      return event.error === undefined ? undefined : output.err(`${event.error.message}; it goes on as it is\n`);
    case "step-retry":
      return output.err(`${event.error.message}; trying again in ${Math.ceil(event.waitMs / 1_000)} s\n`);
    default:
      return undefined; // The rest is for programs: --json.
  }
}

/** A call of a tool on one line, with its error when it has one. */
export function toolLine(call: {
  readonly name: string;
  readonly input: string;
  readonly error?: { readonly message: string };
}): string {
  const line = `[${shownLine(call.name, { maxCharacters: 64 })}] ${shownLine(call.input, { maxCharacters: 200 })}`;
  if (call.error === undefined) return line;
  return `${line} failed: ${shownLine(call.error.message, { maxCharacters: 300 })}`;
}
