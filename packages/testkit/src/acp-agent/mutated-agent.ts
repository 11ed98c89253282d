import { mutatedValue } from "../runs/mutated-value.ts";
import { RandomChoices } from "../runs/random-choices.ts";

export interface MutatedAgent {
  /** By request method, with `$id` for the id. */
  readonly script: Readonly<Record<string, readonly string[]>>;
  /** Only a deadline ends an unanswered request. */
  readonly isSilent: boolean;
  /** The intact chunks. */
  readonly texts: readonly string[];
}

const id = "$id";
const sessionId = "session-1";

function update(changed: object): object {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: changed } };
}

function chunk(text: string): object {
  return update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId: null });
}

const toolCall = { toolCallId: "call-1", title: "Read a.txt", kind: "read", status: "pending", rawInput: { a: 1 } };
const asked = { sessionId, toolCall, options: [{ optionId: "allow", name: "Allow", kind: "allow_once" }] };

/** The whole protocol, by request; the last message is the answer. */
const validMessages: Readonly<Record<string, readonly object[]>> = {
  initialize: [
    {
      jsonrpc: "2.0",
      id,
      result: {
        protocolVersion: 1,
        agentInfo: { name: "quirky", version: "1.0.0" },
        agentCapabilities: { loadSession: false, promptCapabilities: { image: true } },
        authMethods: [{ id: "login", name: "Log in" }],
      },
    },
  ],
  "session/new": [{ jsonrpc: "2.0", id, result: { sessionId, configOptions: [] } }],
  "session/prompt": [
    chunk("first words"),
    update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm" } }),
    update({ sessionUpdate: "plan", entries: [{ content: "Read", status: "pending" }] }),
    update({ sessionUpdate: "tool_call", ...toolCall }),
    { jsonrpc: "2.0", id: "asks-1", method: "session/request_permission", params: asked },
    update({
      sessionUpdate: "tool_call_update",
      toolCallId: "call-1",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "of a file" } }],
    }),
    chunk("last words"),
    { jsonrpc: "2.0", id, result: { stopReason: "end_turn", usage: { inputTokens: 9, outputTokens: 2 } } },
  ],
};

/** A valid agent's messages with a few mutations, reproducible by seed. */
export function mutatedAgent(seed: number): MutatedAgent {
  const choices = new RandomChoices(seed);
  const all = Object.entries(validMessages).flatMap(([method, messages]) =>
    messages.map((message, index) => ({ method, message, isAnswer: index === messages.length - 1 })),
  );
  const touched = new Set([choices.below(all.length), choices.below(all.length)]);
  const sent = all.map((one, index) => ({ ...one, ...changed(one.message, touched.has(index), choices) }));
  const script = Object.fromEntries(
    Object.keys(validMessages).map((method) => [
      method,
      sent.flatMap((one) => (one.method === method ? one.lines : [])),
    ]),
  );
  const isWhole = sent.every(({ isAnswer, isTouched }) => !isAnswer || !isTouched);
  const whole = sent.filter(({ isTouched }) => !isTouched).map(({ message }) => JSON.stringify(message));
  const texts = ["first words", "last words"].filter((text) => whole.some((line) => line.includes(text)));
  return { script, isSilent: !isWhole, texts: isWhole ? texts : [] };
}

function changed(
  message: object,
  isTouched: boolean,
  choices: RandomChoices,
): { readonly lines: readonly string[]; readonly isTouched: boolean } {
  const line = JSON.stringify(message);
  if (!isTouched) return { lines: [line.replace('"id":"$id"', '"id":$id')], isTouched };
  const lines = choices.one<() => readonly string[]>([
    () => [line, line],
    () => [line.slice(0, 1 + choices.below(line.length))],
    () => [],
    () => ['{"jsonrpc":"2.0","id":987654,"result":{}}', "null", line],
    () => [`[${line}]`],
    ...Array<() => readonly string[]>(12).fill(() => [JSON.stringify(mutatedValue(message, choices))]),
  ])();
  return {
    lines: lines.map((one) => (choices.chance(0.8) ? one.replace('"id":"$id"', '"id":$id') : one)),
    isTouched,
  };
}
