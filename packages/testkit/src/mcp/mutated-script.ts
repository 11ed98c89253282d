import { mutatedValue } from "../runs/mutated-value.ts";
import { RandomChoices } from "../runs/random-choices.ts";
import { lateMark, validInitialize, type McpScript } from "./mcp-script.ts";

export interface MutatedScript {
  readonly script: McpScript;
  /** Only a deadline ends an unanswered request. */
  readonly isSilent: boolean;
  /** Tools with a usable description. */
  readonly tools: readonly string[];
  /** A call of `echo` has to return them. */
  readonly texts: readonly string[];
}

const id = "$id";

function tool(name: string, more: object = {}): object {
  return { name, title: `The ${name}`, description: `Does ${name}`, inputSchema: schema, ...more };
}

const schema = {
  type: "object",
  properties: { text: { type: "string", description: "What" }, count: { type: "integer", default: null } },
  required: ["text"],
};

const annotations = { readOnlyHint: true, title: "B" };

/** The whole protocol, by request. */
const validResults = {
  initialize: { ...validInitialize, instructions: "Use echo.", _meta: {} },
  "tools/list": { tools: [tool("alpha"), tool("beta", { annotations, icons: [] })], nextCursor: "2" },
  "tools/list 2": { tools: [tool("echo", { outputSchema: { type: "object" } })], _meta: { a: 1 } },
  "tools/call": {
    content: [
      { type: "text", text: "first words", annotations: { audience: ["user"] } },
      { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
      { type: "resource", resource: { uri: "x://a", mimeType: "text/plain", text: "of a resource" } },
      { type: "resource_link", uri: "x://b", name: "b" },
      { type: "text", text: "last words" },
    ],
    structuredContent: { a: 1 },
    isError: false,
  },
};

const names = ["initialize", "tools/list", "tools/list 2", "tools/call"] as const;

interface Sent {
  readonly message: unknown;
  readonly lines: readonly string[];
  readonly isThere: boolean;
}

/** A valid server's answers with a few mutations, reproducible by seed. */
export function mutatedMcpScript(seed: number): MutatedScript {
  const choices = new RandomChoices(seed);
  const touched = new Map<string, number>();
  for (let change = 1 + choices.below(3); change > 0; change -= 1) {
    const name = choices.one(names);
    touched.set(name, (touched.get(name) ?? 0) + 1);
  }
  const sent = new Map(
    names.map((name) => {
      const valid = { jsonrpc: "2.0", id, result: validResults[name] };
      return [name, mutatedSent(valid, touched.get(name) ?? 0, choices)];
    }),
  );
  const script = Object.fromEntries([...sent].map(([name, { lines }]) => [name, lines]));
  return { script, ...expectedOf(sent) };
}

function mutatedSent(valid: object, changes: number, choices: RandomChoices): Sent {
  let message: unknown = valid;
  let isWhole = true;
  const before: string[] = [];
  const behind: string[] = [];
  let cut = 1;
  let isLate = false;
  for (let change = 0; change < changes; change += 1)
    choices.one<() => unknown>([
      () => behind.push(JSON.stringify(message)),
      () => before.push(choices.one(strays)),
      () => behind.push(choices.one(strays)),
      () => (cut = choices.number()),
      () => (isLate = true),
      () => (isWhole = false),
      () => (message = mutatedValue(message, choices)),
      () => (message = mutatedValue(message, choices)),
      ...Array<() => unknown>(9).fill(() => (message = withMutatedResult(message, choices))),
    ])();
  const line = JSON.stringify(message);
  const said = cut < 1 ? line.slice(0, Math.max(1, Math.floor(line.length * cut))) : line;
  const all = [...before, ...(isWhole ? [isLate ? `${lateMark}${said}` : said] : []), ...behind];
  const lines = all.map((one) => (choices.chance(0.9) ? one.replace('"id":"$id"', '"id":$id') : one));
  return { message, lines, isThere: isWhole && !isLate && said === line };
}

/** Mostly the result rather than the envelope. */
function withMutatedResult(message: unknown, choices: RandomChoices): unknown {
  const members = membersOf(message);
  if (members?.["result"] === undefined) return mutatedValue(message, choices);
  return { ...members, result: mutatedValue(members["result"], choices) };
}

/** Messages that answer nothing. */
const strays: readonly [string, ...string[]] = [
  '{"jsonrpc":"2.0","id":987654,"result":{}}',
  '{"jsonrpc":"2.0","method":"notifications/message","params":null}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{},"progress":"x"}}',
  '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":[]}',
  '{"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":null}',
  '{"jsonrpc":"2.0","id":"e1","method":"elicitation/create","params":{"message":null,"requestedSchema":[]}}',
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  "{",
  "null",
  "[]",
];

function expectedOf(sent: ReadonlyMap<string, Sent>): Omit<MutatedScript, "script"> {
  const isSilent = [...sent.values()].some((one) => !isAnswered(one));
  const first = resultOf(sent, "tools/list");
  const isReached = resultOf(sent, "initialize") !== undefined && !isSilent;
  const pages = [first, ...(first?.["nextCursor"] === "2" ? [resultOf(sent, "tools/list 2")] : [])];
  const tools = pages.flatMap((page) => listOf(page?.["tools"])).flatMap((entry) => usableName(entry));
  const texts = listOf(resultOf(sent, "tools/call")?.["content"]).flatMap((block) => plainText(block));
  return { isSilent, tools: isReached ? [...new Set(tools)].toSorted() : [], texts: isSilent ? [] : texts };
}

/** Even a partial line that names the request ends it; so does an answer without an id. */
function isAnswered({ message, lines, isThere }: Sent): boolean {
  const { id: named = null, result = null, error = null, method } = membersOf(message) ?? {};
  const isAnswer = typeof method !== "string" && (named !== null || result !== null || error !== null);
  const isToIt = named === id || typeof named === "object" || typeof named === "boolean";
  return (isThere && isAnswer && isToIt) || lines.some((line) => /^\{[^{}]*"id":"?\$id"?[,}]/.test(line));
}

function resultOf(sent: ReadonlyMap<string, Sent>, name: string): Readonly<Record<string, unknown>> | undefined {
  const { message, isThere = false } = sent.get(name) ?? {};
  const { id: named, result, error = null, method } = membersOf(message) ?? {};
  return isThere && named === id && error === null && method === undefined ? membersOf(result) : undefined;
}

function usableName(entry: unknown): readonly string[] {
  const { name, inputSchema } = membersOf(entry) ?? {};
  const isUsable = typeof name === "string" && /^[a-z]+$/.test(name) && Bun.deepEquals(inputSchema, schema);
  return isUsable ? [name] : [];
}

function plainText(block: unknown): readonly string[] {
  const { type, text } = membersOf(block) ?? {};
  return type === "text" && typeof text === "string" && text.endsWith("words") ? [text] : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}
