import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { FinishReason, PartMetadata, Usage, VendorResponse } from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";
import { ReplyParts, type ReplyPart } from "./reply-parts.ts";
import { toMetadata } from "./vendor-metadata.ts";
import type { Vendor } from "./vendor.ts";

/**
 * Turns the parts of one reply into events; parts that say nothing to the host give none.
 *
 * - A text or a reasoning starts with its first characters: some vendors open one for every reply. One without any is given
 *   when the vendor wants something back with it.
 * - What a vendor says of a part as it goes comes with its end, all of it.
 * - Tool calls come whole, with the end: those of a reply that is cut off are never given.
 */
export class ModelEvents {
  readonly #parts = new ReplyParts();
  readonly #calls: { readonly call: ToolCallEvent; readonly behind: number }[] = [];
  /** Ids of calls that have begun, and have not come whole. */
  readonly #openCalls = new Set<string>();
  readonly #vendor: DescribedReply;
  /** Metadata of all reasoning of the reply. */
  #reasoning: PartMetadata | undefined;
  #response: VendorResponse | undefined;
  /** Texts and reasoning that have ended. */
  #endedParts = 0;
  #hasShown = false;

  constructor(vendor: DescribedReply) {
    this.#vendor = vendor;
  }

  /** Some of the answer was given, which a second try would show twice; what was reasoned, or a call that has begun, is none. */
  get hasShown(): boolean {
    return this.#hasShown;
  }

  /** A call has begun that never came: what ends with it is not whole, whatever the vendor says. */
  get hasOpenCall(): boolean {
    return this.#openCalls.size > 0;
  }

  /** The events of a part; errors are the caller's. The last one of a reply is `finish`. */
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
        if (part.providerExecuted === true) return []; // The vendor runs it, and says itself what came of it.
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

  /** Calls come last; what a vendor needs to know of their place goes with them. */
  #placed({ call, behind }: { readonly call: ToolCallEvent; readonly behind: number }): ToolCallEvent {
    if (this.#vendor.keepsCallOrder !== true || behind === this.#endedParts) return call;
    return { ...call, metadata: { ...call.metadata, incipit: { behind } } };
  }

  /** Nothing, when nothing was said and the vendor wants nothing back. */
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

/** The event that a part starts with, before the first of what it says. */
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

/** The packages say `interrupted`, or `other` without a vendor's reason, when a stream ends before its end. */
export function isCutOff({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return unified === "interrupted" || (unified === "other" && raw === undefined);
}

/** A count that is none, as that of an endpoint that only speaks the protocol may be, was not reported. */
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
