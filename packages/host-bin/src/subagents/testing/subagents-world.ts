import type { Extension } from "@incipit/kernel";
import type { ConversationId, TurnEvent } from "@incipit/schema";
import type { ModelReply } from "@incipit/testkit";
import * as z from "zod";
import { createSwapWorld, type SwapWorld } from "../../testing/swap-world.ts";

export interface SubagentsWorldOptions {
  readonly isOn?: boolean;
  readonly subagents?: string;
  readonly provider?: string;
  readonly config?: string;
  readonly extensions?: readonly Extension[];
  readonly answer?: (last: string, body: SentBody) => ModelReply | undefined;
}

export interface SubagentsWorld extends SwapWorld {
  bodies(): readonly SentBody[];
  turn(id: ConversationId, input: string): Promise<readonly TurnEvent[]>;
}

const bodySchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullish() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});
export type SentBody = z.infer<typeof bodySchema>;

export async function createSubagentsWorld({
  answer,
  extensions = [],
  ...options
}: SubagentsWorldOptions = {}): Promise<SubagentsWorld> {
  const world = await createSwapWorld({
    extensions,
    config: (modelUrl) => `model = "local/test"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${modelUrl}"${options.provider ?? ""} }
profiles.reader = { system_prompt = "You read." }
profiles.writer = { system_prompt = "You write." }
${options.config ?? ""}
[subagents]
enabled = ${options.isOn ?? true}
${options.subagents ?? ""}
`,
  });
  const { client, model } = world;
  if (answer !== undefined)
    model.answer = (text) => {
      const body = bodySchema.parse(JSON.parse(text));
      return answer(body.messages.at(-1)?.content ?? "", body);
    };
  return {
    ...world,
    bodies: () => model.requests.map(({ body }) => bodySchema.parse(JSON.parse(body))),
    turn: (id, input) => Array.fromAsync(client.sendTurn(id, { input })),
  };
}

export function giving(...inputs: readonly object[]): ModelReply {
  const calls = inputs.map((input, index) => ({
    id: `call_${index + 1}`,
    name: "agent",
    arguments: JSON.stringify(input),
  }));
  return { kind: "tool-calls", calls };
}

export function saying(text: string): ModelReply {
  return { kind: "text", chunks: [text] };
}

export function outcomes(events: readonly TurnEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "tool-call-end" ? [event.output ?? `ERROR ${event.error?.message}`] : [],
  );
}

export function tasksOf(events: readonly TurnEvent[]): readonly ConversationId[] {
  return events.flatMap((event) => (event.type === "task-start" ? [event.conversationId] : []));
}
