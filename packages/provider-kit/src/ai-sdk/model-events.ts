import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { FinishReason, PartMetadata, Usage, VendorResponse } from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";
import { toMetadata } from "./vendor-metadata.ts";
import type { Vendor } from "./vendor.ts";

/**
 * - Text and reasoning start with their first characters, because some vendors open a part for every reply. An empty
 * part is emitted if it has metadata.
 * - Metadata of a part is merged and emitted with its end.
 * - Tool calls are emitted complete, at the end; those of a truncated reply are dropped.
 */
export class ModelEvents {
  readonly #parts = new ReplyParts();
  readonly #calls: { readonly call: ToolCallEvent; readonly behind: number }[] = [];
  readonly #openCalls = new Set<string>();
  readonly #vendor: DescribedReply;
  #reasoning: PartMetadata | undefined;
  #response: VendorResponse | undefined;
  #endedParts = 0;
  #hasShown = false;

  constructor(vendor: DescribedReply) {
    this.#vendor = vendor;
  }

  /** A retry would duplicate visible output; reasoning and started calls do not count. */
  get hasShown(): boolean {
    return this.#hasShown;
  }

  /** A started call never completed, so the reply is truncated regardless of its finish reason. */
  get hasOpenCall(): boolean {
    return this.#openCalls.size > 0;
  }

  /** Errors are handled by the caller. `finish` comes last. */
  of(part: LanguageModelV4StreamPart): readonly ModelEvent[] {
    const events = this.#eventsOf(part);
    this.#hasShown ||= events.some(({ type }) => !type.startsWith("reasoning") && type !== "tool-call-start");
    return events;
  }

  #eventsOf(part: LanguageModelV4StreamPart): readonly ModelEvent[] {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#collect(part);
        return [];
      case "text-delta":
      case "reasoning-delta": {
        const open = this.#collect(part);
        if (part.delta === "") return [];
        return [...started(open), { type: `${open.kind}-delta`, partId: open.partId, text: part.delta }];
      }
      case "text-end":
      case "reasoning-end": {
        const open = this.#collect(part);
        this.#parts.close(open.kind, part.id);
        return this.#ended(open);
      }
      case "raw":
        this.#reasoning ??= this.#vendor.reasoningMetadata?.(part.rawValue);
        return [];
      case "response-metadata": {
        const { id, modelId: model } = part;
        if (id || model) this.#response ??= { ...(id ? { id } : {}), ...(model ? { model } : {}) };
        return [];
      }
      case "tool-input-start":
        if (part.providerExecuted === true) return []; // The vendor runs it and reports the result.
        this.#openCalls.add(part.id);
        return [{ type: "tool-call-start", toolCallId: part.id, name: part.toolName }];
      case "tool-call": {
        const { toolCallId, toolName: name, input } = part;
        this.#openCalls.delete(toolCallId);
        if (part.providerExecuted === true) return [];
        const metadata = toMetadata(part.providerMetadata);
        const vendor = metadata === undefined ? {} : { metadata };
        this.#calls.push({
          call: { type: "tool-call", toolCallId, name, input, ...vendor },
          behind: this.#endedParts,
        });
        return [];
      }
      case "finish": {
        const stopSequence = this.#vendor.stopSequence?.(part.providerMetadata ?? {});
        const explanation = this.#vendor.explanation?.(part.providerMetadata ?? {});
        return [
          ...this.#parts.closeAll().flatMap((open) => this.#ended(open)),
          ...this.#calls.map((each) => this.#placed(each)),
          {
            type: "finish",
            usage: wholeCounts(this.#vendor.toUsage(part.usage.raw)),
            finishReason: toFinishReason(part.finishReason),
            ...(this.#response === undefined ? {} : { response: this.#response }),
            ...(stopSequence === undefined ? {} : { stopSequence }),
            ...(explanation === undefined ? {} : { explanation }),
          },
        ];
      }
      default:
        return [];
    }
  }

  /** Calls come last; adds their original position if the vendor requires it. */
  #placed({ call, behind }: { readonly call: ToolCallEvent; readonly behind: number }): ToolCallEvent {
    if (this.#vendor.keepsCallOrder !== true || behind === this.#endedParts) return call;
    return { ...call, metadata: { ...call.metadata, incipit: { behind } } };
  }

  /** Nothing for a part without output and metadata. */
  #ended({ kind, partId, isStarted, metadata: said }: ReplyPart): readonly ModelEvent[] {
    const metadata = kind === "reasoning" && this.#reasoning !== undefined ? { ...said, ...this.#reasoning } : said;
    if (!isStarted && metadata === undefined) return [];
    this.#endedParts += 1;
    const start = isStarted ? [] : [{ type: `${kind}-start`, partId } as const];
    return [...start, { type: `${kind}-end`, partId, ...(metadata === undefined ? {} : { metadata }) }];
  }

  #collect({ type, id, providerMetadata }: PartOfReply): ReplyPart {
    const part = this.#parts.at(type.startsWith("text") ? "text" : "reasoning", id);
    const added = Object.entries(toMetadata(providerMetadata) ?? {});
    if (added.length === 0) return part;
    const merged = added.map(([vendor, values]) => [vendor, { ...part.metadata?.[vendor], ...values }] as const);
    part.metadata = { ...part.metadata, ...Object.fromEntries(merged) };
    return part;
  }
}

function started(part: ReplyPart): readonly ModelEvent[] {
  if (part.isStarted) return [];
  part.isStarted = true;
  return [{ type: `${part.kind}-start`, partId: part.partId }];
}

type ToolCallEvent = Extract<ModelEvent, { readonly type: "tool-call" }>;
type DescribedReply = Pick<
  Vendor,
  "toUsage" | "stopSequence" | "explanation" | "reasoningMetadata" | "keepsCallOrder"
>;

interface PartOfReply {
  readonly type: `${ReplyPart["kind"]}-${string}`;
  readonly id: string;
  readonly providerMetadata?: SharedV4ProviderMetadata;
}

/** For a truncated stream packages report `interrupted`, or `other` without a vendor's reason. */
export function isCutOff({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return unified === "interrupted" || (unified === "other" && raw === undefined);
}

/** Compatible endpoints may send invalid counts, which are treated as unreported. */
function wholeCounts(usage: Usage): Usage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const whole = (count: number | null): number | null =>
    count !== null && Number.isSafeInteger(count) && count >= 0 ? count : null;
  const reasoningTokens = whole(usage.reasoningTokens ?? null);
  return {
    inputTokens: whole(inputTokens),
    outputTokens: whole(outputTokens),
    cacheReadTokens: whole(cacheReadTokens),
    cacheWriteTokens: whole(cacheWriteTokens),
    ...(reasoningTokens === null ? {} : { reasoningTokens }),
  };
}

function toFinishReason({ unified }: LanguageModelV4FinishReason): FinishReason {
  return unified === "interrupted" ? "other" : unified;
}

interface ReplyPart {
  readonly kind: "text" | "reasoning";
  readonly partId: string;
  isStarted: boolean;
  metadata: PartMetadata | undefined;
}

/** Normalizes the order of parts: output without a part starts one, and a reused id gets a new part with its own id. */
class ReplyParts {
  readonly #open = new Map<string, ReplyPart>();
  readonly #used = new Set<string>();

  at(kind: ReplyPart["kind"], id: string): ReplyPart {
    const key = `${kind} ${id}`;
    const open = this.#open.get(key);
    if (open !== undefined) return open;
    let partId = id;
    for (let count = 2; this.#used.has(partId); count += 1) partId = `${id}-${count}`;
    this.#used.add(partId);
    const part = { kind, partId, isStarted: false, metadata: undefined };
    this.#open.set(key, part);
    return part;
  }

  close(kind: ReplyPart["kind"], id: string): void {
    this.#open.delete(`${kind} ${id}`);
  }

  closeAll(): readonly ReplyPart[] {
    const open = [...this.#open.values()];
    this.#open.clear();
    return open;
  }
}
