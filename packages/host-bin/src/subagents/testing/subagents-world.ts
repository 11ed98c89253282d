import type { Extension } from "@incipit/kernel";
import type { ConversationId, TurnEvent } from "@incipit/schema";
import type { ModelReply } from "@incipit/testkit";
import * as z from "zod";
import { HostWorld } from "../../testing/host-world.ts";

export interface SubagentsWorldOptions {
  readonly isOn?: boolean;
  readonly subagents?: string;
  readonly provider?: string;
  readonly config?: string;
  readonly extensions?: readonly Extension[];
  readonly answer?: (last: string, body: SentBody) => ModelReply | undefined;
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
}: SubagentsWorldOptions = {}): Promise<HostWorld> {
  const world = await HostWorld.start({
    extensions: () => extensions,
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
  if (answer !== undefined)
    world.model.answer = (text) => {
      const body = bodySchema.parse(JSON.parse(text));
      return answer(body.messages.at(-1)?.content ?? "", body);
    };
  return world;
}

export function sentBodies({ model }: HostWorld): readonly SentBody[] {
  return model.requests.map(({ body }) => bodySchema.parse(JSON.parse(body)));
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
