import type { StorageWrite, WireRequest } from "@incipit/kernel";
import type { KnownBody } from "../audit/compare-bodies.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { toFailure } from "../failures/step-failure.ts";
import { keys, recordedSystemSchema, type StoredSentParts, type RecordedFacts } from "../store/stored.ts";
import { partsBeforeMessages } from "../audit/step-audit.ts";
import { MessagesHash } from "./messages-hash.ts";
import type { PreviousStep } from "./previous-step.ts";
import { recordRequest, readNewest, readRequest, type RecordedBody, type RecordedWire } from "./wire-records.ts";
import { redactions } from "./without-secrets.ts";

export interface LeavingRequest {
  readonly stepId: string;
  readonly wire: WireRequest;
  readonly told: RecordedFacts;
  readonly system: {
    readonly texts: readonly string[];
    /** Hash of the JSON of the texts. */
    readonly sha256: string;
  };
}

/**
 * What a conversation has sent: its next request is compared with that, and stored as what it adds to it. For one step after
 * the other.
 */
export class RequestLedger {
  readonly #context: Pick<OrchestratorContext, "storage" | "log" | "redactor" | "settings">;
  readonly #conversationId: string;
  readonly #messagesHash: MessagesHash;
  #previousStep: PreviousStep | undefined;
  #previousBody: KnownBody | undefined;
  /** The newest request that is stored; `null`: there is none, `undefined`: storage knows. */
  #newest: RecordedBody | null | undefined;
  /** Hash of the system texts that were stored last; `null`: there are none, `undefined`: storage knows. */
  #systemSha256: string | null | undefined;

  constructor(
    context: Pick<OrchestratorContext, "storage" | "log" | "redactor" | "settings">,
    {
      conversationId,
      previousStep,
      messagesHash = new MessagesHash(),
      hasRequests,
    }: {
      readonly conversationId: string;
      readonly previousStep: PreviousStep | undefined;
      readonly messagesHash: MessagesHash | undefined;
      /** Whether a request of it was ever stored. */
      readonly hasRequests: boolean;
    },
  ) {
    this.#context = context;
    this.#conversationId = conversationId;
    this.#previousStep = previousStep;
    this.#messagesHash = messagesHash;
    if (!hasRequests) {
      this.#newest = null;
      this.#systemSha256 = null;
    }
  }

  /** The newest step that sent anything. */
  get previousStep(): PreviousStep | undefined {
    return this.#previousStep;
  }

  /** What a step's end stores beside it: with that, the next start reads no other step. */
  get sentWrites(): readonly StorageWrite[] {
    const { stepId, parts = [] } = this.#previousStep ?? {};
    const [tools, system] = parts;
    // `null`: a source of this conversation has sent it.
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

  /** About what it holds in memory, in UTF-16 units; with the provider's own copy, from which it writes the next request. */
  get length(): number {
    const { body = "", withoutMarks = "" } = this.#previousBody ?? {};
    return 2 * body.length + withoutMarks.length;
  }

  /**
   * What the previous step sent; read once after a restart. `undefined`: there is none to be had.
   * @param next The body that comes next: what it begins with does not have to be read.
   */
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
      // What was left out cannot be compared byte for byte; the hashes of the parts are of what was sent.
      if (left.some(({ place }) => place === "body" || place === "url")) return undefined;
      return (this.#previousBody = { stepId, url, body });
    } catch (error) {
      // Nothing left the host for it, or it is not kept any more: the parts are compared by their hashes.
      const { code } = toFailure(error, this.#context.redactor);
      this.#context.log.debug("The request before is not on record", { stepId, error: code });
      return undefined;
    }
  }

  /** Stores a request before it leaves; `commit` rejects for what could not be stored. */
  async store(request: LeavingRequest, commit: (writes: readonly StorageWrite[]) => Promise<void>): Promise<void> {
    const isRecorded = this.#context.settings.records.requests;
    const { writes, kept } = isRecorded ? await this.#requestWrites(request) : { writes: [], kept: undefined };
    const system = isRecorded ? await this.#systemWrites(request) : [];
    // Only what is stored can be built upon, and only as it was stored last: until then, nobody knows.
    this.forgetStored();
    await commit([...writes, ...system]);
    if (kept === undefined) return;
    this.#newest = kept;
    this.#systemSha256 = request.system.sha256;
  }

  /** The next step is compared with this one; `body`: what it sent, where that was seen. */
  sent(step: PreviousStep, body?: KnownBody): void {
    this.#previousStep = step;
    if (body !== undefined) this.#previousBody = body;
  }

  /** What is stored may have changed: it is read again before anything is built upon it. */
  forgetStored(): void {
    this.#newest = undefined;
    this.#systemSha256 = undefined;
  }

  async #requestWrites({ stepId, wire, told }: LeavingRequest): Promise<RecordedWire> {
    // While a try waited for the next one, retention may have deleted what the stored body begins with, and written that anew.
    if (this.#newest?.stepId === stepId) this.#newest = undefined;
    const newest = await this.#readNewest(wire.body);
    const request = { conversationId: this.#conversationId, stepId, wire, told };
    return recordRequest(this.#context.redactor, request, newest ?? undefined);
  }

  /** The write that keeps the system texts of a step, where those of the step before were others. */
  async #systemWrites({ stepId, system }: LeavingRequest): Promise<readonly StorageWrite[]> {
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
