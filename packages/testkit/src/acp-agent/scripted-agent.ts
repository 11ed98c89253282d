import {
  agent,
  methods,
  ndJsonStream,
  RequestError,
  type AgentContext,
  type SessionConfigOption,
} from "@agentclientprotocol/sdk/unstable";
import { appendFileSync, mkdirSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { act } from "./agent-actions.ts";
import { agentOptionsSchema } from "./agent-options.ts";
import { AgentSessions } from "./agent-sessions.ts";

// An ACP agent. Arguments: a folder, in which each process records its raw input, and the options.
const [folder = "", written = "{}"] = process.argv.slice(2);
const options = agentOptionsSchema.parse(JSON.parse(written));
const received = join(folder, "received");
mkdirSync(received, { recursive: true });
const record = join(received, `${String(readdirSync(received).length).padStart(3, "0")}-${process.pid}`);
appendFileSync(record, "");

if (options.start === "exits") {
  writeSync(2, "no model is configured\n");
  process.exit(3);
}
if (options.start === "garbage")
  writeSync(1, 'Welcome!\n{"not": "a message"}\n[1]\n{"jsonrpc":"2.0","id":77,"result":{}}\n');
if (options.start === "half") {
  writeSync(1, '{"jsonrpc":"2.0","id":0,"resu');
  process.exit(0);
}
// Ends when the pipe breaks.
while (options.start === "floods") writeSync(1, "Loading…\n".repeat(1_000));

const sessions = new AgentSessions(folder);
const running = new Map<string, AbortController>();

const input = Bun.stdin.stream().pipeThrough(
  new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      appendFileSync(record, chunk);
      controller.enqueue(chunk);
    },
  }),
);
const output = new WritableStream<Uint8Array>({
  write: (chunk) =>
    new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
    }),
});

function configOptions(sessionId: string): { configOptions?: SessionConfigOption[] } {
  const [first] = options.models;
  if (first === undefined) return {};
  const currentValue = sessions.get(sessionId)?.model ?? first;
  const choices = options.models.map((value) => ({ value, name: value }));
  return {
    configOptions: [
      { id: "the-model", name: "Model", category: "model", type: "select", currentValue, options: choices },
    ],
  };
}

async function takeUp(sessionId: string, client: AgentContext | undefined): Promise<object> {
  const session = sessions.get(sessionId);
  if (options.isForgetful || session === undefined) throw RequestError.resourceNotFound(sessionId);
  for (const text of session.heard.flat())
    await client?.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: `said before: ${text}` } },
    });
  return configOptions(sessionId);
}

function greeting(): Promise<never> | object {
  if (options.start === "silent") return new Promise<never>(() => {});
  if (options.start === "stranger") return { hello: "world" };
  const { systemPrompt, claimedSystemPrompt: claimed } = options;
  const taken =
    systemPrompt === undefined ? claimed : systemPrompt === "override" ? { mode: { override: {} } } : {};
  return {
    protocolVersion: options.protocolVersion,
    agentInfo: { name: options.name, version: "1.2.3" },
    authMethods: [{ id: "login", name: "Log in at a terminal" }],
    agentCapabilities: {
      loadSession: options.canLoad,
      promptCapabilities: { image: options.takesImages, embeddedContext: options.takesResources },
      sessionCapabilities: {
        ...(options.canResume ? { resume: {} } : {}),
        ...(taken === undefined ? {} : { systemPrompt: taken }),
      },
    },
  };
}

const { closed } = agent({ name: options.name })
  .onRequest(methods.agent.initialize, (params) => params, greeting)
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (options.start === "login") throw RequestError.authRequired();
    const sessionId = sessions.begin(params.cwd);
    return { sessionId, ...configOptions(sessionId) };
  })
  .onRequest(methods.agent.session.load, ({ params, client }) => takeUp(params.sessionId, client))
  .onRequest(methods.agent.session.resume, ({ params }) => takeUp(params.sessionId, undefined))
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    const session = sessions.get(params.sessionId);
    if (session === undefined) throw RequestError.resourceNotFound(params.sessionId);
    sessions.change(params.sessionId, { ...session, model: String(params.value) });
    return { configOptions: [], ...configOptions(params.sessionId) };
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId } = params;
    const session = sessions.get(sessionId);
    if (session === undefined) throw RequestError.resourceNotFound(sessionId);
    const texts = params.prompt.flatMap((block) => (block.type === "text" ? [block.text] : []));
    sessions.change(sessionId, { ...session, heard: [...session.heard, texts] });
    const stop = new AbortController();
    running.set(sessionId, stop);
    try {
      const stopReason = await act(texts.at(-1) ?? "", { client, sessionId, sessions, cancelled: stop.signal });
      const usage = {
        totalTokens: 150,
        inputTokens: 10,
        outputTokens: 20,
        cachedReadTokens: 100,
        cachedWriteTokens: 20,
      };
      return { stopReason, usage };
    } finally {
      running.delete(sessionId);
    }
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => running.get(params.sessionId)?.abort())
  .connect(ndJsonStream(output, input));

await closed;
