import type { Extension } from "@incipit/kernel";
import type { Conversation, ConversationId, TurnEvent } from "@incipit/schema";
import {
  createTempFolder,
  startRecordingModelServer,
  type ModelReply,
  type RecordingModelServer,
} from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { join } from "node:path";
import * as z from "zod";
import { parseConfig } from "../../config/parse-config.ts";
import { createHost, type RunningHost } from "../../create-host.ts";

export interface SubagentsWorldOptions {
  readonly isOn?: boolean;
  /** Lines of `[subagents]` in addition to `enabled`. */
  readonly subagents?: string;
  /** Additional provider keys, such as `, context_window = 8000`. */
  readonly provider?: string;
  readonly config?: string;
  readonly extensions?: readonly Extension[];
  /** Returns the model's reply to the last message of a request. */
  readonly answer?: (last: string, body: SentBody) => ModelReply | undefined;
}

/** An in-process host with subagents enabled and a recording model endpoint. */
export interface SubagentsWorld extends AsyncDisposable {
  readonly host: RunningHost;
  readonly client: Client;
  readonly model: RecordingModelServer;
  readonly cwd: string;
  readonly log: readonly string[];
  bodies(): readonly SentBody[];
  conversation(): Promise<ConversationId>;
  get(id: ConversationId): Promise<Conversation>;
  turn(id: ConversationId, input: string): Promise<readonly TurnEvent[]>;
}

const bodySchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullish() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});
export type SentBody = z.infer<typeof bodySchema>;

export async function createSubagentsWorld(options: SubagentsWorldOptions = {}): Promise<SubagentsWorld> {
  const folder = await createTempFolder();
  const model = await startRecordingModelServer();
  if (options.answer !== undefined) {
    const { answer } = options;
    model.answer = (text) => {
      const body = bodySchema.parse(JSON.parse(text));
      return answer(body.messages.at(-1)?.content ?? "", body);
    };
  }
  const config = parseConfig(
    `model = "local/test"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}"${options.provider ?? ""} }
profiles.reader = { system_prompt = "You read." }
profiles.writer = { system_prompt = "You write." }
${options.config ?? ""}
[subagents]
enabled = ${options.isOn ?? true}
${options.subagents ?? ""}
`,
    "incipit.toml",
  );
  const log: string[] = [];
  const host = await createHost({
    config,
    dataFolder: join(folder.path, "data"),
    cwd: folder.path,
    env: {},
    writeLog: (line) => log.push(line),
    ...(options.extensions === undefined ? {} : { extensions: options.extensions }),
  });
  const client = createClient(host);
  return {
    host,
    client,
    model,
    cwd: folder.path,
    log,
    bodies: () => model.requests.map(({ body }) => bodySchema.parse(JSON.parse(body))),
    async conversation() {
      return (await client.call(routes.createConversation, { body: {} })).conversation.id;
    },
    async get(id) {
      return (await client.call(routes.getConversation, { params: { id } })).conversation;
    },
    async turn(id, input) {
      const events: TurnEvent[] = [];
      for await (const event of client.sendTurn(id, { input })) events.push(event);
      return events;
    },
    async [Symbol.asyncDispose]() {
      await host.close();
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
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
