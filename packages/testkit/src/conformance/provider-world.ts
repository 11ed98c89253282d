import type { WireRequest } from "@incipit/kernel";
import type { ModelMessage } from "@incipit/schema";
import type { ModelEvent, ModelProvider, ModelRequest } from "@incipit/service-contract";
import type { RecordedRequest } from "../model-server/recorded-request.ts";
import type { RecordingModelServer } from "../model-server/recording-model-server.ts";
import type { WireName } from "../model-server/wire/wire-format.ts";
import { within } from "../model-server/wire/within.ts";
import { modelRequest, replyMessage, userMessage as user } from "../worlds/model-call.ts";

export { user };

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

export function newRequest({ model }: ProviderWorld, options: Partial<ModelRequest> = {}): ModelRequest {
  return modelRequest({ model, systemPrompt: ["Be brief."], messages: [user("Hello?")], ...options });
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
  return replyMessage(events, `${provider.id}/${model}`);
}

/** Returns the recorded model calls, without the requests of the suite that list models. */
export function callsOf(server: RecordingModelServer): readonly RecordedRequest[] {
  return server.requests.filter(({ method }) => method === "POST");
}

/** After a round trip, anything pending would have arrived. */
export async function roundTrips({ server, deadlineMs }: ProviderWorld): Promise<void> {
  const models = async (): Promise<void> => void (await (await fetch(`${server.url}/models`)).text());
  for (let count = 0; count < 3; count += 1)
    await within(models(), { what: "the recording server to answer", deadlineMs });
}
