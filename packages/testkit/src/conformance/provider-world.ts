import type { WireRequest } from "@incipit/kernel";
import type { MessagePart, ModelMessage } from "@incipit/schema";
import type { ModelEvent, ModelProvider, ModelRequest } from "@incipit/service-contract";
import type { RecordedRequest } from "../model-server/recorded-request.ts";
import type { RecordingModelServer } from "../model-server/recording-model-server.ts";
import type { WireName } from "../model-server/wire/wire-format.ts";
import { within } from "../model-server/wire/within.ts";

export interface ProviderWorld {
  readonly provider: ModelProvider;
  /** As after a restart. */
  readonly reopen: () => Promise<ModelProvider>;
  readonly server: RecordingModelServer;
  readonly model: string;
  readonly wire: WireName | "none";
  readonly deadlineMs: number;
}

export interface Asked {
  readonly events: readonly ModelEvent[];
  /** Passed to `observe`, in order. */
  readonly wires: readonly WireRequest[];
}

export function user(text: string): ModelMessage {
  return { role: "user", parts: [{ type: "text", text }] };
}

export function newRequest(world: ProviderWorld, options: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: world.model,
    conversationId: "0190f0a0-0000-7000-8000-000000000001",
    cwd: "/work",
    purpose: "turn",
    systemPrompt: ["Be brief."],
    messages: [user("Hello?")],
    tools: [],
    signal: new AbortController().signal,
    observe: () => {},
    ...options,
  };
}

/** @throws the stream's own error, or when it does not end. */
export async function ask(
  world: ProviderWorld,
  options: Partial<ModelRequest> = {},
  onEvent?: (event: ModelEvent) => void,
): Promise<Asked> {
  const wires: WireRequest[] = [];
  const observe = (wire: WireRequest): void => void wires.push(wire);
  const { provider, deadlineMs } = world;
  const collected = collect(() => provider.stream(newRequest(world, { observe, ...options })), onEvent);
  return { events: await within(collected, { what: "the stream to end", deadlineMs }), wires };
}

export async function collect<Item>(
  start: () => AsyncIterable<Item>,
  onItem?: (item: Item) => void,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of start()) {
    items.push(item);
    onItem?.(item);
  }
  return items;
}

/** @throws without exactly one observed request. */
export function bodyOf({ wires }: Asked): string {
  const [wire] = wires;
  if (wire === undefined || wires.length > 1)
    throw new Error(`observe was called ${wires.length} times, not once: hand it to host.net.fetch`);
  return wire.body;
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
}

export function messageOf({ provider, model }: ProviderWorld, events: readonly ModelEvent[]): ModelMessage {
  const parts = new Map<string, MessagePart>();
  for (const event of events) {
    if (event.type === "tool-call") {
      const { toolCallId, name, input, metadata } = event;
      parts.set(toolCallId, { type: "tool-call", toolCallId, name, input, ...(metadata && { metadata }) });
    }
    if (!("partId" in event)) continue;
    const { partId } = event;
    const type = event.type.startsWith("text") ? "text" : "reasoning";
    const before = parts.get(partId);
    const text = before !== undefined && "text" in before ? before.text : "";
    if (event.type === "text-delta" || event.type === "reasoning-delta")
      parts.set(partId, { type, text: text + event.text });
    if ((event.type === "text-end" || event.type === "reasoning-end") && event.metadata !== undefined)
      parts.set(partId, { type, text, metadata: event.metadata });
  }
  return { role: "assistant", parts: [...parts.values()], model: `${provider.id}/${model}` };
}

/** The suite itself lists models. */
export function callsOf(server: RecordingModelServer): readonly RecordedRequest[] {
  return server.requests.filter(({ method }) => method === "POST");
}

/** After a round trip, anything pending would have arrived. */
export async function roundTrips({ server, deadlineMs }: ProviderWorld): Promise<void> {
  const models = async (): Promise<void> => void (await (await fetch(`${server.url}/models`)).text());
  for (let count = 0; count < 3; count += 1)
    await within(models(), { what: "the recording server to answer", deadlineMs });
}
