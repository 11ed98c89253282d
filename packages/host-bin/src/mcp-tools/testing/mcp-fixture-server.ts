/** Usage: `bun mcp-fixture-server.ts BEHAVIOUR PID-FILE [GO-FILE]`. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import * as z from "zod";
import { listedPrompts, promptMessages } from "./fixture-prompts.ts";
import { codeOf, listedResources, resourceContents } from "./fixture-resources.ts";

const [behaviour = "plain", pidFile = "/dev/null", goFile = "/dev/null"] = process.argv.slice(2);
appendFileSync(pidFile, `${process.pid}\n`);

const messageSchema = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      name: z.string().optional(),
      uri: z.string().optional(),
      arguments: z.looseObject({}).optional(),
      cursor: z.string().optional(),
      inputResponses: z.looseObject({}).optional(),
      _meta: z.looseObject({ progressToken: z.union([z.number(), z.string()]).optional() }).optional(),
    })
    .optional(),
  error: z.looseObject({ code: z.number() }).optional(),
});
type Message = z.infer<typeof messageSchema>;

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function text(value: string): object {
  return { content: [{ type: "text", text: value }] };
}

const anyObject = { type: "object", properties: { text: { type: "string" } } };

function tool(name: string, isReadOnly = true): object {
  return { name, description: `Does ${name}`, inputSchema: anyObject, annotations: { readOnlyHint: isReadOnly } };
}

let hasChanged = false;

function instructions(): object {
  if (behaviour !== "instructs") return {};
  return { instructions: readFileSync(`${goFile}.instructions`, "utf8") };
}

function listed(page: number): readonly object[] {
  switch (behaviour) {
    case "duplicates":
      return [tool("twice"), { ...tool("twice"), description: "The second" }, tool("once")];
    case "many":
      return Array.from({ length: 10_001 }, (_, index) => tool(`tool-${String(index).padStart(5, "0")}`));
    case "changes":
      return hasChanged ? [tool("echo"), tool("new")] : [tool("echo"), tool("change"), tool("old")];
    case "tells-secret":
      return [tool("good"), { ...tool("bad"), description: `Signs in with ${process.env["ACME_SECRET"]}` }];
    case "pages":
    case "endless-pages":
      return [tool(`on-page-${page}`)];
    case "odd-names":
      return [tool("a.b"), tool("a_b"), tool("grüße 🎉"), tool("x".repeat(200)), tool("../etc/passwd"), tool("")];
    case "bad-schemas":
      return [
        tool("good"),
        { ...tool("text"), inputSchema: "text" },
        { ...tool("none"), inputSchema: undefined },
        { ...tool("list"), inputSchema: { type: "array" } },
        { ...tool("type"), inputSchema: { type: "object", properties: { a: { type: "strnig" } } } },
        { ...tool("deep"), inputSchema: { type: "object", properties: { a: { anyOf: [{ required: "a" }] } } } },
        { ...tool("large"), description: "x".repeat(100_000) },
        { description: "nameless" },
        { name: 7 },
      ];
    default:
      return [tool("echo"), tool("write", false)];
  }
}

async function call({ id, params }: Message): Promise<void> {
  switch (behaviour) {
    case "dies-in-call":
      process.stderr.write("out of luck\n");
      process.exit(7);
    case "silent-in-calls":
      return;
    case "waits-in-calls":
      appendFileSync(pidFile, "\n"); // A blank line marks a call.
      while (!existsSync(goFile)) await Bun.sleep(5);
      break;
    case "huge": {
      const part = "x".repeat(1024 * 1024);
      process.stdout.write(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`,
      );
      for (let sent = 0; sent < 1024; sent += 1)
        if (!process.stdout.write(part)) await new Promise((resolve) => process.stdout.once("drain", resolve));
      process.stdout.write(`"}]}}\n`);
      return;
    }
    case "asks":
      asked = id;
      ask();
      return;
    case "elicits":
    case "dies-asking":
      await elicit(id, params?.arguments?.["text"]);
      return;
    case "tells-progress": {
      const token = params?._meta?.progressToken;
      const message = `with ${process.env["ACME_SECRET"] ?? ""}\n\u001B[2J`;
      const told = [
        { progressToken: token, progress: 1, total: 2, message },
        { progressToken: "another", progress: 9 },
        { progressToken: token, progress: "much" },
      ];
      for (const each of told) send({ method: "notifications/progress", params: each });
      appendFileSync(pidFile, "\n");
      while (!existsSync(goFile)) await Bun.sleep(5);
      send({ id, result: text("done") });
      send({ method: "notifications/progress", params: { progressToken: token, progress: 2 } });
      return;
    }
    case "asks-roots":
      rootsFor.push(id);
      send({ id: "roots", method: "roots/list" });
      return;
    case "pictures": {
      // The second picture contains the server's secret in its metadata.
      const png = "\x89PNG\r\n\x1a\n";
      const content = [png, `${png}Author: ${process.env["ACME_SECRET"] ?? ""}`].map((data) => ({
        type: "image",
        mimeType: "image/png",
        data: Buffer.from(data, "latin1").toString("base64"),
      }));
      send({ id, result: { content } });
      return;
    }
    case "malformed":
      send({ id, result: { content: "no list" } });
      return;
    case "changes":
      if (params?.name === "change") {
        hasChanged = true;
        send({ method: "notifications/tools/list_changed" });
      }
      break;
    default:
  }
  send({
    id,
    result: text(`${params?.name} ${JSON.stringify(params?.arguments)} ${process.env["ACME_SECRET"] ?? ""}`),
  });
}

async function elicit(id: Message["id"], asked: unknown): Promise<void> {
  const said: unknown[] = [];
  for (const params of z.array(z.looseObject({})).parse(JSON.parse(String(asked)))) {
    const answered = Promise.withResolvers<unknown>();
    const questionId = `elicit-${String(id)}-${said.length}`;
    elicited.set(questionId, answered.resolve);
    send({ id: questionId, method: "elicitation/create", params });
    if (behaviour === "dies-asking") {
      while (!existsSync(goFile)) await Bun.sleep(5);
      process.exit(7);
    }
    said.push(await answered.promise);
  }
  send({ id, result: text(JSON.stringify(said)) });
}
const elicited = new Map<unknown, (answer: unknown) => void>();

const rootsFor: Message["id"][] = [];
let asked: Message["id"];
const questions = [
  { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } },
  {
    method: "elicitation/create",
    params: { message: "Your token?", requestedSchema: { type: "object", properties: {} } },
  },
  { method: "roots/list" },
];
const answers: unknown[] = [];

function ask(): void {
  const question = questions[answers.length];
  if (question === undefined) send({ id: asked, result: text(`the client said ${answers.join(", ")}`) });
  else send({ id: "question", ...question });
}

async function answer(message: Message): Promise<void> {
  const { id, method, error } = message;
  if (behaviour === "silent") return;
  elicited.get(id)?.(message["result"] ?? error);
  if (id === "question") {
    answers.push(error?.code ?? JSON.stringify(message["result"]));
    ask();
  }
  if (id === "roots") {
    const of = rootsFor.shift();
    if (of !== undefined) send({ id: of, result: text(JSON.stringify(message["result"] ?? error)) });
    if (behaviour === "loops-roots") send({ id: "roots", method: "roots/list" });
  }
  if (behaviour === "noisy") process.stdout.write("Listening…\n{\n[]\nnull\n\n");
  switch (method) {
    case "initialize":
      if (behaviour === "modern") send({ id, error: { code: -32_601, message: "Method not found" } });
      else {
        const prompts = behaviour.includes("prompts") ? { prompts: {} } : {};
        const resources = behaviour.includes("resources") ? { resources: {} } : {};
        const capabilities = { tools: { listChanged: true }, ...prompts, ...resources };
        const serverInfo = { name: "fixture", version: "1.0.0" };
        const said = instructions();
        send({ id, result: { protocolVersion: "2025-06-18", capabilities, serverInfo, ...said } });
      }
      break;
    case "server/discover":
      send({
        id,
        result: {
          resultType: "complete",
          ttlMs: 0,
          cacheScope: "private",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
          instructions: "Of the newer handshake.",
        },
      });
      break;
    case "notifications/initialized":
      if (behaviour === "elicits")
        send({ id: "unasked", method: "elicitation/create", params: questions[1]?.params });
      if (behaviour === "floods") setImmediate(flood);
      if (behaviour === "loops-roots") send({ id: "roots", method: "roots/list" });
      break;
    case "tools/list": {
      const cached = behaviour === "modern" ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {};
      if (behaviour === "silent-in-lists") {
        appendFileSync(pidFile, "\n"); // A blank line marks a request.
        break;
      }
      const page = Number(message.params?.cursor ?? 1);
      const isLast = behaviour !== "endless-pages" && !(behaviour === "pages" && page < 3);
      const next = isLast ? {} : { nextCursor: String(page + 1) };
      send({ id, result: { ...cached, tools: listed(page), ...next } });
      break;
    }
    case "resources/list":
      send({ id, result: { resources: listedResources } });
      break;
    case "resources/read":
      try {
        const contents = resourceContents(message.params?.uri);
        if (contents === undefined) appendFileSync(pidFile, "\n");
        else send({ id, result: { contents } });
      } catch (error) {
        send({ id, error: { code: codeOf(error), message: String(error) } });
      }
      break;
    case "prompts/list":
      if (behaviour === "silent-in-prompts") appendFileSync(pidFile, "\n");
      else send({ id, result: { prompts: behaviour === "odd-prompts" ? "none" : listedPrompts } });
      break;
    case "prompts/get":
      try {
        const messages = promptMessages(message.params?.name, message.params?.arguments);
        if (messages === undefined) appendFileSync(pidFile, "\n");
        else send({ id, result: { messages } });
      } catch (error) {
        send({ id, error: { code: -32_602, message: String(error) } });
      }
      break;
    case "tools/call":
      if (behaviour === "modern" && message.params?.inputResponses !== undefined)
        send({ id, result: { resultType: "complete", ...text(JSON.stringify(message.params.inputResponses)) } });
      else if (behaviour === "modern" && message.params?.name === "write") {
        const elicit = { method: "elicitation/create", params: questions[1]?.params };
        send({ id, result: { resultType: "input_required", inputRequests: { elicit }, requestState: "1" } });
      } else if (behaviour === "modern") send({ id, result: { resultType: "complete", ...text("modern") } });
      else if (behaviour === "elicits" || behaviour === "dies-asking") void call(message);
      else await call(message);
      break;
    default:
      if (id !== undefined && method !== undefined)
        send({ id, error: { code: -32_601, message: "Method not found" } });
  }
}

function flood(): void {
  const message = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  process.stdout.write(`${message}\n`.repeat(100), () => setImmediate(flood));
}

if (behaviour === "dies-at-start") {
  process.stderr.write(`no license: ${process.env["ACME_SECRET"] ?? ""}\n`);
  process.exit(3);
}
if (behaviour === "chatty") process.stderr.write(`${"x".repeat(2_000)}\n`.repeat(1_000));
if (behaviour === "slow") while (!existsSync(goFile)) await Bun.sleep(5);
if (behaviour === "deaf") setInterval(() => undefined, 1_000);
else {
  for await (const line of createInterface({ input: process.stdin }))
    await answer(messageSchema.parse(JSON.parse(line)));
}
