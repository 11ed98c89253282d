/** A minimal agent of the Agent Client Protocol: stores notes, and requests approval before it writes. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const textSchema = z.object({ text: z.string() });
const paramsSchema = z.looseObject({ cwd: z.string().optional(), prompt: z.array(textSchema).default([]) });
const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: paramsSchema.optional(),
  result: z.looseObject({ outcome: z.looseObject({ optionId: z.string().optional() }).optional() }).optional(),
});
type Message = z.output<typeof messageSchema>;

const sessionId = "notes";
let cwd = "";
/** How often it received instructions. */
let instructions = 0;
/** The prompt that waits for approval. */
let waiting: { readonly id: Message["id"]; readonly note: string } | undefined;

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function say(text: string): void {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  send({ method: "session/update", params: { sessionId, update } });
}

function take({ id, method, params, result }: Message): void {
  if (method === "initialize")
    send({ id, result: { protocolVersion: 1, agentInfo: { name: "notes", version: "1" } } });
  if (method === "session/new") {
    cwd = params?.cwd ?? "";
    send({ id, result: { sessionId } });
  }
  if (method === "session/prompt") {
    const texts = params?.prompt.map(({ text }) => text) ?? [];
    instructions += texts.filter((text) => text.startsWith("<system-instructions>")).length;
    const note = texts.at(-1) ?? "";
    if (note === "crash") process.exit(1);
    waiting = { id, note };
    const toolCall = { toolCallId: "1", name: "write", title: `Note "${note}"`, kind: "edit", rawInput: { note } };
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    send({ id: "question", method: "session/request_permission", params: { sessionId, toolCall, options } });
  }
  if (id === "question" && waiting !== undefined) {
    const isAllowed = result?.outcome?.optionId === "yes";
    if (isAllowed) appendFileSync(join(cwd, "notes.txt"), `${waiting.note}\n`);
    const status = isAllowed ? "completed" : "failed";
    send({
      method: "session/update",
      params: { sessionId, update: { sessionUpdate: "tool_call_update", toolCallId: "1", status } },
    });
    say(`${isAllowed ? "Noted" : "Not noted"}; instructions heard: ${instructions}`);
    send({ id: waiting.id, result: { stopReason: "end_turn" } });
  }
}

for await (const line of console) take(messageSchema.parse(JSON.parse(line)));
