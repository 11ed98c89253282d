import { differenceWords } from "@incipit/cli-text";
import type { AuditedStep } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

/** A request that did not start like the previous one breaks the provider's cache. */
export interface BrokenPrefix {
  readonly stepId: string;
  /** For example `system:time changed at byte 55`. */
  readonly text: string;
  readonly hint: string | undefined;
}

export class CacheBreakWatch {
  readonly #client: Client;
  readonly #id: string;
  /** Later calls are new or unfinished. */
  #lastId: string | undefined;

  constructor(client: Client, id: string) {
    this.#client = client;
    this.#id = id;
  }

  /** Returns the last model call of a turn whose prefix was broken. */
  async brokenIn(turnId: string): Promise<BrokenPrefix | undefined> {
    let broken: AuditedStep | undefined;
    for (let cursor = this.#lastId; ;) {
      const query = { limit: 500, ...(cursor === undefined ? {} : { cursor }) };
      const call = { params: { id: this.#id }, query };
      const { steps, nextCursor } = await this.#client.call(routes.auditConversation, call);
      const ofTurn = steps.filter((step) => step.turnId === turnId);
      broken = ofTurn.findLast(({ verdict }) => verdict === "broken") ?? broken;
      this.#lastId = ofTurn.at(-1)?.id ?? this.#lastId;
      if (nextCursor === undefined) break;
      cursor = nextCursor;
    }
    if (broken === undefined) return undefined;
    return { stepId: broken.id, text: textOf(broken), hint: broken.warning?.hint };
  }
}

function textOf({ prefix, reason }: AuditedStep): string {
  const changed = prefix?.changes[0]?.replace(/^\[(.*)\]$/, "$1");
  const what = changed === undefined ? differenceWords[reason ?? "unknown"] : `${changed} changed`;
  const byte = prefix?.difference?.bodyByte;
  return byte === undefined ? what : `${what} at byte ${byte}`;
}
