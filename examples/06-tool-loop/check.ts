/** A turn with several steps: the model explores, changes a file and runs it; each change requires approval. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const work = join(folder.path, "work");
await Bun.write(join(work, "greet.sh"), 'echo "Helo, $1"\n');
const settings = `model = "local/test-model"
listen.port = 0
tools.workspace = true
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`;
await using host = await createHost({
  config: parseConfig(settings, "check.ts"),
  dataFolder: join(folder.path, "data"),
  cwd: work,
  env: { PATH: process.env["PATH"] },
  writeLog: () => {},
});
const client = createClient(host);

// The model's steps. Two calls in one step run concurrently.
const call = (name: string, input: object): { id: string; name: string; arguments: string } => ({
  id: `call_${name}`,
  name,
  arguments: JSON.stringify(input),
});
model.enqueue(
  { kind: "tool-calls", calls: [call("list_folder", {}), call("read_file", { path: "greet.sh" })] },
  { kind: "tool-calls", calls: [call("edit_file", { path: "greet.sh", oldText: "Helo", newText: "Hello" })] },
  { kind: "tool-calls", calls: [call("shell", { command: "sh greet.sh Ada" })] },
  { kind: "text", chunks: ["The greeting ", "is mended."] },
);

const { conversation } = await client.call(routes.createConversation, { body: {} });
const { id } = conversation;
const asked: string[] = [];
const results: string[] = [];
let reply = "";
for await (const event of client.sendTurn(id, { input: "Mend the greeting, and try it" })) {
  if (event.type === "approval-request") {
    asked.push(event.name);
    const params = { id, approvalId: event.approvalId };
    await client.call(routes.answerApproval, { params, body: { decision: "allow" } });
  }
  if (event.type === "tool-call-end") results.push(`${event.name}: ${event.output ?? event.error?.message}`);
  if (event.type === "text-delta") reply += event.text;
  if (event.type === "turn-end") assert.equal(event.status, "completed");
}

assert.deepEqual(asked, ["edit_file", "shell"]);
assert.deepEqual(results.slice(-2), ['edit_file: Edited "greet.sh"', "shell: Hello, Ada\n[exit code 0]"]);
assert.equal(reply, "The greeting is mended.");
assert.equal(await Bun.file(join(work, "greet.sh")).text(), 'echo "Hello, $1"\n');

// Four model calls, each beginning with everything that the previous one sent.
const { steps } = await client.call(routes.listSteps, { params: { id } });
assert.equal(steps.length, 4);
let prefix = "";
for (const step of steps) {
  const { body } = await client.call(routes.getStepRequest, { params: { id, stepId: step.id } });
  assert.ok(body.startsWith(prefix), "a request is not a prefix of the next one");
  prefix = body.slice(0, -"]}".length);
}

process.stdout.write(
  `06-tool-loop: ${results.length} tool calls in ${steps.length} steps, asked about ${asked.length}\n`,
);
