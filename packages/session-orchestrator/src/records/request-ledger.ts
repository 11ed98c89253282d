import type { StorageWrite, WireRequest } from "@incipit/kernel";
import type { KnownBody } from "../audit/compare-bodies.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { toFailure } from "../failures/step-failure.ts";
import { keys, recordedSystemSchema, type StoredSentParts, type RecordedFacts } from "../store/stored.ts";
import { partsBeforeMessages, type PartHashes, MessagesHash } from "../audit/step-audit.ts";
import type { PreviousStep, PreviousSteps } from "./previous-step.ts";
import {
  recordRequest,
  readNewest,
  readRequest,
  type RecordedBody,
  type RecordedWire,
  redactions,
} from "./wire-records.ts";

export interface OutgoingRequest {
  readonly stepId: string;
  readonly wire: WireRequest;
  readonly told: RecordedFacts;
  readonly system: {
    readonly texts: readonly string[];
    readonly sha256: string;
  };
}

/** Compares each request with the previous one, and stores it as a difference. Steps must be sequential. */
export class RequestLedger {
  readonly hashes: PartHashes;
  readonly #context: Pick<OrchestratorContext, "storage" | "log" | "redactor" | "settings">;
  readonly #conversationId: string;
  readonly #messagesHash: MessagesHash;
  #previousStep: PreviousStep | undefined;
  #previousBody: KnownBody | undefined;
  /** Newest recorded body; `null` if there is none, `undefined` if not loaded yet. */
  #newest: RecordedBody | null | undefined;
  #systemSha256: string | null | undefined;

  constructor(
    context: Pick<OrchestratorContext, "storage" | "log" | "redactor" | "settings">,
    {
      conversationId,
      hashes,
      newestStepId,
      previousStep,
      messagesHash = new MessagesHash(),
    }: PreviousSteps & { readonly conversationId: string; readonly hashes: PartHashes },
  ) {
    this.#context = context;
    this.#conversationId = conversationId;
    this.hashes = hashes;
    this.#previousStep = previousStep;
    this.#messagesHash = messagesHash;
    if (newestStepId === undefined) this.#newest = this.#systemSha256 = null;
  }

  get previousStep(): PreviousStep | undefined {
    return this.#previousStep;
  }

  /** Save the next start from reading earlier steps. */
  get sentWrites(): readonly StorageWrite[] {
    const { stepId, parts = [] } = this.#previousStep ?? {};
    const [tools, system] = parts;
    // `null`: sent by the fork's source.
    if (stepId === undefined || stepId === null || tools === undefined || system === undefined) return [];
    const messageCount = parts.length - partsBeforeMessages;
    const messagesSha256 = this.#messagesHash.of(parts);
    const value = {
      stepId,
      tools: { ...tools },
      system: { ...system },
      messageCount,
      messagesSha256,
    } satisfies StoredSentParts;
    return [{ kind: "set", key: keys.sentParts(this.#conversationId), value }];
  }

  /** In UTF-16 units, approximate; includes the provider's copy for the next request. */
  get length(): number {
    const { body = "", withoutMarks = "" } = this.#previousBody ?? {};
    return 2 * body.length + withoutMarks.length;
  }

  /** Loaded once after a restart; a prefix shared with `next` is not read from storage. */
  async previousBody(next: string): Promise<KnownBody | undefined> {
    const stepId = this.#previousStep?.stepId ?? null;
    if (stepId === null) return undefined;
    if (this.#previousBody?.stepId === stepId) return this.#previousBody;
    try {
      const newest = await this.#readNewest(next);
      const {
        url,
        body,
        redactions: left,
      } = newest?.stepId === stepId
        ? { url: newest.stored.url, body: newest.text, redactions: newest.stored.redactions }
        : await readRequest(this.#context.storage, this.#conversationId, stepId);
      // A redacted body cannot be compared; use the hashes of the sent parts instead.
      if (left.some(({ place }) => place === "body" || place === "url")) return undefined;
      return (this.#previousBody = { stepId, url, body });
    } catch (error) {
      // Not sent, or no longer stored: the hashes of the parts are compared.
      const { code } = toFailure(error, this.#context.redactor);
      this.#context.log.debug("The request before is not on record", { stepId, error: code });
      return undefined;
    }
  }

  async store(request: OutgoingRequest, commit: (writes: readonly StorageWrite[]) => Promise<void>): Promise<void> {
    const isRecorded = this.#context.settings.records.requests;
    const { writes, kept } = isRecorded ? await this.#requestWrites(request) : { writes: [], kept: undefined };
    const system = isRecorded ? await this.#systemWrites(request) : [];
    // Until the commit succeeds, the stored state is unknown.
    this.forgetStored();
    await commit([...writes, ...system]);
    if (kept === undefined) return;
    this.#newest = kept;
    this.#systemSha256 = request.system.sha256;
  }

  sent(step: PreviousStep, body?: KnownBody): void {
    this.#previousStep = step;
    if (body !== undefined) this.#previousBody = body;
  }

  /** Call after stored records may have changed. */
  forgetStored(): void {
    this.#newest = undefined;
    this.#systemSha256 = undefined;
  }

  async #requestWrites({ stepId, wire, told }: OutgoingRequest): Promise<RecordedWire> {
    // During the wait for a retry, retention may have rewritten the base of the stored body.
    if (this.#newest?.stepId === stepId) this.#newest = undefined;
    const newest = await this.#readNewest(wire.body);
    const request = { conversationId: this.#conversationId, stepId, wire, told };
    return recordRequest(this.#context.redactor, request, newest ?? undefined);
  }

  async #systemWrites({ stepId, system }: OutgoingRequest): Promise<readonly StorageWrite[]> {
    if (this.#systemSha256 === undefined) {
      const prefix = keys.recordedSystems(this.#conversationId);
      const range = { prefix, reverse: true, limit: 1, onInvalid: () => undefined };
      this.#systemSha256 = (await this.#context.storage.list(range, recordedSystemSchema))[0]?.value.sha256 ?? null;
    }
    if (this.#systemSha256 === system.sha256) return [];
    const { redactor } = this.#context;
    const counts: Record<string, number> = {};
    const texts = system.texts.map((text) => {
      const left = redactor.leaveOut(text, redactor.find(text));
      for (const [kind, count] of Object.entries(left.counts)) counts[kind] = (counts[kind] ?? 0) + count;
      return left.text;
    });
    const value = { sha256: system.sha256, texts, redactions: [...redactions("system", counts)] };
    return [{ kind: "set", key: keys.recordedSystem(this.#conversationId, stepId), value }];
  }

  async #readNewest(next: string): Promise<RecordedBody | null> {
    if (this.#newest === undefined)
      this.#newest = (await readNewest(this.#context.storage, this.#conversationId, next)) ?? null;
    return this.#newest;
  }
}
