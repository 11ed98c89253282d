import type { AuditedStep, DifferenceReason } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

/** A model call that did not begin as the one before: the vendor's cache did not hold. */
export interface BrokenPrefix {
  readonly stepId: string;
  /** What changed, and where, such as `system:time changed at byte 55`. */
  readonly text: string;
  readonly hint: string | undefined;
}

/** Looks through the model calls of a conversation, and goes on where it was. */
export class PrefixWatch {
  readonly #client: Client;
  readonly #id: string;
  #cursor: string | undefined;

  constructor(client: Client, id: string) {
    this.#client = client;
    this.#id = id;
  }

  /** The last call of a turn whose prefix broke; `undefined`: all of them held. */
  async brokenIn(turnId: string): Promise<BrokenPrefix | undefined> {
    let broken: AuditedStep | undefined;
    for (;;) {
      const query = { limit: 500, ...(this.#cursor === undefined ? {} : { cursor: this.#cursor }) };
      const call = { params: { id: this.#id }, query };
      const { steps, nextCursor } = await this.#client.call(routes.auditConversation, call);
      broken = steps.findLast((step) => step.turnId === turnId && step.verdict === "broken") ?? broken;
      if (nextCursor === undefined) break;
      this.#cursor = nextCursor;
    }
    if (broken === undefined) return undefined;
    return { stepId: broken.id, text: textOf(broken), hint: broken.warning?.hint };
  }
}

/** The causes that are no change of a text with a name. */
const causes: Readonly<Record<DifferenceReason, string>> = {
  "first-step": "nothing was sent before",
  "model-changed": "another model",
  "provider-changed": "another provider, or other settings of it",
  "tools-changed": "other tools",
  "prompt-rebuilt": "the prompt was built anew",
  compaction: "a summary in the place of what was said",
  "request-tier": "a system text for one call",
  "prompt-builder-absent": "the prompt builder came or went",
  "history-edited": "a message is not as it was sent",
  unknown: "the request is another one",
};

function textOf({ prefix, reason }: AuditedStep): string {
  const changed = prefix?.changes[0]?.replace(/^\[(.*)\]$/, "$1");
  const what = changed === undefined ? causes[reason ?? "unknown"] : `${changed} changed`;
  const byte = prefix?.difference?.bodyByte;
  return byte === undefined ? what : `${what} at byte ${byte}`;
}
