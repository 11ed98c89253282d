/** Four places have a system prompt. Preview shows which one wins and why, and exactly that one is sent. */
import { createHost, parseConfig } from "@incipit/host-bin";
import type { Explain } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer({ wire: "openai-chat" });
await using host = await createHost({
  config: parseConfig(
    `model = "local/test-model"
system_prompt = "Configured."
append_system_prompt = "Answer in one line."
listen.port = 0
profiles.reviewer = { system_prompt = "You review code in [prompt:cwd]." }
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`,
    "check.ts",
  ),
  dataFolder: join(folder.path, "data"),
  cwd: folder.path,
  env: {},
  writeLog: () => {},
});
const client = createClient(host);

/** Returns the preview, after checking that a model received the same. */
async function sent(profile: string | undefined, system?: readonly string[]): Promise<Explain> {
  const choice = { ...(profile === undefined ? {} : { profile }), cwd: folder.path };
  const call = system === undefined ? {} : { system: [...system] };
  const preview = await client.call(routes.previewSystemPrompt, { body: { ...choice, ...call } });
  const { conversation } = await client.call(routes.createConversation, { body: choice });
  await Array.fromAsync(client.sendTurn(conversation.id, { input: "Hello", ...call }));
  const { messages } = JSON.parse(model.requests.at(-1)?.body ?? "{}");
  const systemTexts = messages.flatMap(({ role, content }: { role: string; content: string }) =>
    role === "system" ? [content] : [],
  );
  assert.deepEqual(systemTexts, preview.systemTexts);
  return preview.explain;
}

/** The winning tier and text. */
function winner({ tiers }: Explain): readonly (string | null | undefined)[] {
  const won = tiers.find((tier) => tier.won);
  return [won?.tier, won?.template];
}

// From lowest to highest precedence: each new one wins.
assert.deepEqual(winner(await sent(undefined)), ["global", "Configured."]);
await client.call(routes.setSystemPrompt, { body: { template: "Stored." } });
assert.deepEqual(winner(await sent(undefined)), ["global", "Stored."]);
assert.deepEqual(winner(await sent("reviewer")), ["profile", "You review code in [prompt:cwd]."]);
const overruled = await sent("reviewer", ["Only this: [prompt:cwd]"]);
assert.deepEqual(winner(overruled)[0], "request");

// Each losing place has a reason; an operator's texts are templates, and a call's are literal.
assert.deepEqual(
  overruled.tiers.slice(1).map(({ reason }) => reason),
  Array.from({ length: 4 }, () => "set, but texts of the call comes first"),
);
assert.ok(model.requests.at(-1)?.body.includes("Only this: [prompt:cwd]"));
assert.ok(model.requests.at(-2)?.body.includes(`You review code in ${folder.path}.`));

// An empty text counts as set: there is no base prompt, and lower tiers are not used. Appended text stays.
await client.call(routes.setSystemPrompt, { body: { template: "" } });
await sent(undefined);
assert.ok(!/Configured|Stored/.test(model.requests.at(-1)?.body ?? ""));
assert.ok(model.requests.at(-1)?.body.includes("Answer in one line."));

process.stdout.write(
  `13-which-prompt-wins: ${model.requests.length} times the prompt that was said to win is the one that was sent\n`,
);
