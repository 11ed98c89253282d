import { sha256Hex } from "@incipit/common";
import type { Storage, StorageWrite } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { idempotentSendSchema, keys, type IdempotentSend } from "../store/stored.ts";

export type SentTurn = Pick<IdempotentSend, "turnId" | "afterSeq">;

export type RecordSend = (sent: SentTurn) => StorageWrite;

/** One turn per key. Kept as long as their turns, and hashed to allow any text. */
export class IdempotentSends {
  readonly #conversationId: string;
  readonly #storage: Storage;
  readonly #pending = new Map<string, { readonly requestSha256: string; readonly sent: Promise<SentTurn> }>();

  constructor(options: { readonly conversationId: string; readonly storage: Storage }) {
    this.#conversationId = options.conversationId;
    this.#storage = options.storage;
  }

  /** @throws {ServiceError} `IDEMPOTENCY_CONFLICT` when the key was used for another request. */
  async once(
    idempotencyKey: string,
    request: object,
    send: (record: RecordSend) => Promise<SentTurn>,
  ): Promise<SentTurn> {
    const key = keys.idempotentSend(this.#conversationId, sha256Hex(idempotencyKey));
    const requestSha256 = sha256Hex(JSON.stringify(request));
    for (;;) {
      const pending = this.#pending.get(key);
      if (pending === undefined) break;
      if (pending.requestSha256 === requestSha256) return pending.sent;
      await pending.sent.catch(() => undefined); // The key is free if the pending send fails.
    }
    const sent = this.#sendUnlessStored(key, requestSha256, send);
    this.#pending.set(key, { requestSha256, sent });
    try {
      return await sent;
    } finally {
      this.#pending.delete(key);
    }
  }

  async #sendUnlessStored(
    key: string,
    requestSha256: string,
    send: (record: RecordSend) => Promise<SentTurn>,
  ): Promise<SentTurn> {
    const stored = await this.#storage.get(key, idempotentSendSchema);
    if (stored === undefined)
      return send((sent) => ({ kind: "set", key, value: { ...sent, requestSha256 } satisfies IdempotentSend }));
    if (stored.requestSha256 === requestSha256) return { turnId: stored.turnId, afterSeq: stored.afterSeq };
    const message = `The Idempotency-Key was used for another request, that of turn "${stored.turnId}"; use a new key for a new message`;
    throw new ServiceError("IDEMPOTENCY_CONFLICT", message, { details: { turnId: stored.turnId } });
  }
}
