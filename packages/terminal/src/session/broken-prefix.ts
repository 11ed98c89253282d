import type { AuditedStep } from "@incipit/schema";
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

function textOf({ prefix, reason }: AuditedStep): string {
  const what = prefix?.changes[0]?.replace(/^\[(.*)\]$/, "$1") ?? reason ?? "the request";
  const byte = prefix?.difference?.bodyByte;
  return byte === undefined ? `${what} changed` : `${what} changed at byte ${byte}`;
}
