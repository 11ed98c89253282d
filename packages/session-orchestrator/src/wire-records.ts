import type { Storage, StorageWrite, WireRequest } from "@incipit/kernel";
import { ServiceError, type StepRequest } from "@incipit/service-contract";
import { commonPrefix } from "./common-prefix.ts";
import { keys, storedWireSchema, type StoredWire } from "./stored.ts";

export interface KnownBody {
  readonly stepId: string;
  readonly url: string;
  readonly body: string;
}

/** The write that keeps a request; of its body, what `base` does not have already. */
export function wireWrite(
  conversationId: string,
  stepId: string,
  wire: WireRequest,
  base: KnownBody | undefined,
): StorageWrite {
  const prefixLength = base === undefined || base.stepId === stepId ? 0 : commonPrefix(base.body, wire.body);
  const value: StoredWire = {
    method: wire.method,
    url: wire.url,
    headers: { ...wire.headers },
    sha256: wire.sha256,
    at: wire.at,
    base: prefixLength === 0 ? null : (base?.stepId ?? null),
    prefixLength,
    rest: wire.body.slice(prefixLength),
  };
  return { kind: "set", key: keys.wire(conversationId, stepId), value };
}

/** @throws {ServiceError} `STEP_UNKNOWN` when nothing left the host; `STORED_DATA_DAMAGED` when it is not what was sent. */
export async function readWire(storage: Storage, conversationId: string, stepId: string): Promise<StepRequest> {
  const last = await storage.get(keys.wire(conversationId, stepId), storedWireSchema);
  if (last === undefined) {
    throw new ServiceError(
      "STEP_UNKNOWN",
      `No request of step "${stepId}" left the host; GET …/steps lists the steps`,
    );
  }
  const pieces: string[] = [last.rest];
  let needed = last.prefixLength;
  let { base } = last;
  while (base !== null && needed > 0) {
    const earlier = await storage.get(keys.wire(conversationId, base), storedWireSchema);
    if (earlier === undefined) break;
    if (needed > earlier.prefixLength) pieces.push(earlier.rest.slice(0, needed - earlier.prefixLength));
    needed = Math.min(needed, earlier.prefixLength);
    ({ base } = earlier);
  }
  const body = pieces.toReversed().join("");
  if (new Bun.CryptoHasher("sha256").update(body).digest("hex") !== last.sha256) {
    throw new ServiceError(
      "STORED_DATA_DAMAGED",
      `The record of step "${stepId}" is damaged: its body is not what its hash says`,
    );
  }
  const { method, url, headers, sha256, at } = last;
  return { method, url, headers, body, sha256, at: new Date(at).toISOString() };
}
