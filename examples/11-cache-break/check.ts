/**
 * A clock in a prompt that is rebuilt each turn breaks the cache on purpose; the audit reports the break and its
 * cost.
 */
import { createHost, parseConfig } from "@incipit/host-bin";
import type { AuditedStep, AuditSummary } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

const template = `It is [system:time]. ${"Answer in one line. ".repeat(400)}`;

/** Runs five turns with a caching vendor; returns the audit's report and the vendor's cache reads. */
async function talk(refresh: "turn" | "compaction"): Promise<{
  readonly steps: readonly AuditedStep[];
  readonly summary: AuditSummary;
  readonly readTokens: readonly number[];
}> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer({
    usage: "simulated",
    cache: { minTokens: 1, unitTokens: 1 },
  });
  const settings = `model = "local/test-model"
prompt_refresh = "${refresh}"
system_prompt = "${template}"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`;
  await using host = await createHost({
    config: parseConfig(settings, "check.ts"),
    dataFolder: join(folder.path, "data"),
    cwd: folder.path,
    env: {},
    writeLog: () => {},
  });
  const client = createClient(host);
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  for (const input of ["What is an otter?", "What does it eat?", "How much?", "Where does it sleep?", "Thanks"]) {
    for await (const event of client.sendTurn(conversation.id, { input }))
      if (event.type === "turn-end") assert.equal(event.status, "completed");
  }
  const { steps, summary } = await client.call(routes.auditConversation, { params: { id: conversation.id } });
  return { steps, summary, readTokens: model.requests.map(({ usage }) => usage?.cacheReadTokens ?? 0) };
}

const broken = await talk("turn");
const held = await talk("compaction");

for (const step of broken.steps.slice(1)) {
  assert.equal(step.reason, "prompt-rebuilt");
  assert.equal(step.prefix?.difference?.part, "system");
  assert.deepEqual(step.prefix.changes, ["[system:time]"]);
  assert.match(step.warning?.hint ?? "", /prompt_refresh = "compaction", or take \[system:time\] out/);
}
assert.ok(
  held.steps.slice(1).every(({ verdict, share, warning }) => verdict === "held" && share === 1 && !warning),
);
assert.equal(held.summary.share, 1);

// The audit uses the vendor's own figures.
for (const { steps, summary, readTokens } of [broken, held]) {
  assert.deepEqual(
    steps.map(({ usage }) => usage?.cacheReadTokens ?? 0),
    readTokens,
  );
  assert.equal(
    summary.tokens.cacheRead,
    readTokens.reduce((total, tokens) => total + tokens, 0),
  );
}
const [read = 0, kept = 0] = [broken.summary.tokens.cacheRead, held.summary.tokens.cacheRead].map(
  (tokens) => tokens ?? 0,
);
assert.ok(read < kept / 10, "a broken cache is read as much as one that holds");

process.stdout.write(
  `11-cache-break: [system:time] broke ${broken.summary.broken} of ${broken.steps.length} requests; ${read} tokens were read from the cache, ${kept} without it\n`,
);
