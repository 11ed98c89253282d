/** A minimal editor for an agent: `bun editor.ts [--session=ID] COMMAND…`, then a line per message. */
import {
  client,
  methods,
  ndJsonStream,
  type NewSessionRequest,
  type PromptRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { createInterface } from "node:readline/promises";

const [first = "", ...others] = process.argv.slice(2);
const [, known] = /^--session=(.*)$/.exec(first) ?? [];
const command = known === undefined ? [first, ...others] : others;
const terminal = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
const lines = terminal[Symbol.asyncIterator]();
const nextLine = async (): Promise<string | undefined> => (await lines.next()).value;
const say = (text: string): void => void process.stdout.write(text);

const agent = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
const toAgent = new WritableStream<Uint8Array>({
  async write(bytes) {
    await agent.stdin.write(bytes);
    await agent.stdin.flush();
  },
});

function show(update: SessionUpdate): void {
  if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") say(update.content.text);
  if (update.sessionUpdate === "user_message_chunk" && update.content.type === "text")
    say(`> ${update.content.text}\n`);
  if (update.sessionUpdate === "tool_call_update" && update.status === "completed")
    say(`[${update.title ?? update.toolCallId}]\n`);
}

const connection = client({ name: "editor" })
  .onNotification(methods.client.session.update, ({ params }) => show(params.update))
  .onRequest(methods.client.session.requestPermission, async ({ params }) => {
    const names = params.options.map(({ name }, index) => `${index + 1} ${name}`).join(", ");
    say(`${params.toolCall.title ?? "A tool"}? ${names}: `);
    const option = params.options[Number(await nextLine()) - 1];
    return {
      outcome: option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option.optionId },
    };
  })
  .connect(ndJsonStream(toAgent, agent.stdout));

await connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
const place: NewSessionRequest = { cwd: process.cwd(), mcpServers: [] };
const sessionId = known ?? (await connection.agent.request(methods.agent.session.new, place)).sessionId;
if (known !== undefined) await connection.agent.request(methods.agent.session.load, { ...place, sessionId });
say(`\nsession ${sessionId}\n`);
for (let text = await nextLine(); text !== undefined; text = await nextLine()) {
  const request: PromptRequest = { sessionId, prompt: [{ type: "text", text }] };
  const { stopReason } = await connection.agent.request(methods.agent.session.prompt, request);
  say(`\n(${stopReason})\n`);
}
await agent.stdin.end();
await agent.exited;
