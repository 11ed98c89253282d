/** An external agent answers turns: it gets its instructions once, and its questions reach the user. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";

await using folder = await createTempFolder();
const work = join(await realpath(folder.path), "work");
await mkdir(work);
const config = parseConfig(
  `listen.port = 0
[agents.notes]
command = [${JSON.stringify(process.execPath)}, ${JSON.stringify(join(import.meta.dir, "agent.ts"))}]
[profiles.clerk]
model = "notes/default"
system_prompt = "You keep notes."`,
  "check.ts",
);
const dataFolder = join(folder.path, "data");
await using host = await createHost({ config, dataFolder, cwd: work, env: process.env, writeLog: () => {} });
const client = createClient(host);
const { conversation } = await client.call(routes.createConversation, { body: { profile: "clerk" } });
const { id } = conversation;

/** Sends a message, answers the question, and returns the text and the end of the turn. */
async function say(input: string, decision: "allow" | "deny") {
  let text = "";
  let end = "";
  for await (const event of client.sendTurn(id, { input })) {
    if (event.type === "text-end") text += event.text;
    if (event.type === "turn-end") end = event.status === "failed" ? (event.error?.code ?? "") : event.status;
    if (event.type !== "approval-request") continue;
    assert.equal(event.input, JSON.stringify({ note: input }));
    const params = { id, approvalId: event.approvalId };
    await client.call(routes.answerApproval, { params, body: { decision } });
  }
  return { text, end };
}

assert.deepEqual(await say("milk", "allow"), { text: "Noted; instructions heard: 1", end: "completed" });
assert.deepEqual(await say("cake", "deny"), { text: "Not noted; instructions heard: 1", end: "completed" });
assert.equal(await Bun.file(join(work, "notes.txt")).text(), "milk\n");

// It crashes. It cannot load a session, so it starts another one and gets the instructions again.
assert.deepEqual(await say("crash", "allow"), { text: "", end: "CUT_OFF" });
assert.deepEqual(await say("bread", "allow"), { text: "Noted; instructions heard: 1", end: "completed" });

// The record has every message, and how the instructions were sent each time.
const { steps } = await client.call(routes.listSteps, { params: { id } });
assert.deepEqual(
  steps.map(({ instructions }) => `${instructions?.by} ${instructions?.told}`),
  ["block now", "block before", "block before", "block now"],
);
const sent = await Promise.all(
  steps.map(({ id: stepId }) => client.call(routes.getStepRequest, { params: { id, stepId } })),
);
const told = JSON.stringify("<system-instructions>\nYou keep notes.\n</system-instructions>");
assert.deepEqual(
  sent.map(({ body }) => body.split(told).length - 1),
  [1, 0, 0, 1],
);
assert.ok(sent[0]?.body.startsWith('{"jsonrpc":"2.0","id":0,"method":"initialize"'));

process.stdout.write(
  "22-other-agent: an agent was told its instructions once for each session, and asked before it wrote\n",
);
