import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { FinishReason, ModelEvent, PartMetadata } from "@incipit/service-contract";
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
  readonly #opened = new Map<string, ModelEvent>();
  readonly #metadata = new Map<string, PartMetadata>();
  readonly #calls: { readonly call: ToolCallEvent; readonly behind: number }[] = [];
  readonly #vendor: DescribedReply;
  /** Of all reasoning of the reply. */
  #reasoning: PartMetadata | undefined;
  /** Texts and reasoning that have ended. */
  #ended = 0;
  #hasShown = false;

  constructor(vendor: DescribedReply) {
    this.#vendor = vendor;
  }

  /** Something was given that a reader has seen: a second try would show it twice. */
  get hasShown(): boolean {
    return this.#hasShown;
  }

  /** The events of a part; errors are the caller's. The last one of a reply is `finish`. */
  of(part: LanguageModelV4StreamPart): readonly ModelEvent[] {
    const events = this.#eventsOf(part);
    if (events.length > 0) this.#hasShown = true;
    return events;
  }

  #eventsOf(part: LanguageModelV4StreamPart): readonly ModelEvent[] {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#opened.set(part.id, { type: part.type, partId: part.id });
        this.#collect(part);
        return [];
      case "text-delta":
      case "reasoning-delta": {
        this.#collect(part);
        if (part.delta === "") return [];
        const opened = this.#opened.get(part.id);
        this.#opened.delete(part.id);
        const delta = { type: part.type, partId: part.id, text: part.delta } as const;
        return opened === undefined ? [delta] : [opened, delta];
      }
      case "text-end":
      case "reasoning-end": {
        this.#collect(part);
        const opened = this.#opened.get(part.id);
        const metadata = this.#metadataOf(part);
        this.#opened.delete(part.id);
        this.#metadata.delete(part.id);
        if (metadata === undefined && opened !== undefined) return [];
        this.#ended += 1;
        if (metadata === undefined) return [{ type: part.type, partId: part.id }];
        const end = { type: part.type, partId: part.id, metadata } as const;
        return opened === undefined ? [end] : [opened, end];
      }
      case "raw":
        this.#reasoning ??= this.#vendor.reasoningMetadata?.(part.rawValue);
        return [];
      case "tool-input-start":
        return [{ type: "tool-call-start", toolCallId: part.id, name: part.toolName }];
      case "tool-call": {
        const { toolCallId, toolName: name, input } = part;
        const metadata = toMetadata(part.providerMetadata);
        const vendor = metadata === undefined ? {} : { metadata };
        this.#calls.push({ call: { type: "tool-call", toolCallId, name, input, ...vendor }, behind: this.#ended });
        return [];
      }
      case "finish":
        return [
          ...this.#calls.map((each) => this.#placed(each)),
          {
            type: "finish",
            usage: this.#vendor.toUsage(part.usage.raw),
            finishReason: toFinishReason(part.finishReason),
          },
        ];
      default:
        return [];
    }
  }

  /** Calls come last; what a vendor needs to know of their place goes with them. */
  #placed({ call, behind }: { readonly call: ToolCallEvent; readonly behind: number }): ToolCallEvent {
    if (this.#vendor.keepsCallOrder !== true || behind === this.#ended) return call;
    return { ...call, metadata: { ...call.metadata, incipit: { behind } } };
  }

  #metadataOf({
    id,
    type,
  }: {
    readonly id: string;
    readonly type: "text-end" | "reasoning-end";
  }): PartMetadata | undefined {
    const said = this.#metadata.get(id);
    return type === "text-end" || this.#reasoning === undefined ? said : { ...said, ...this.#reasoning };
  }

  #collect({ id, providerMetadata }: PartOfReply): void {
    const before = this.#metadata.get(id) ?? {};
    const added = Object.entries(toMetadata(providerMetadata) ?? {});
    if (added.length === 0) return;
    const merged = added.map(([vendor, values]) => [vendor, { ...before[vendor], ...values }] as const);
    this.#metadata.set(id, { ...before, ...Object.fromEntries(merged) });
  }
}

type ToolCallEvent = Extract<ModelEvent, { readonly type: "tool-call" }>;
type DescribedReply = Pick<Vendor, "toUsage" | "reasoningMetadata" | "keepsCallOrder">;

interface PartOfReply {
  readonly id: string;
  readonly providerMetadata?: SharedV4ProviderMetadata;
}

/** The packages say `interrupted`, or `other` without a vendor's reason, when a stream ends before its end. */
export function isCutOff({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return unified === "interrupted" || (unified === "other" && raw === undefined);
}

function toFinishReason({ unified }: LanguageModelV4FinishReason): FinishReason {
  return unified === "interrupted" ? "other" : unified;
}
