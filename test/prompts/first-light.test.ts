import { conversationSystemPromptResponseSchema, stepRequestResponseSchema } from "@incipit/schema";
import { createGitRepository, type RecordingModelServer } from "@incipit/testkit";
import { stepsResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { HostProcess } from "../support/host-process.ts";
import { prefixOf, systemTexts } from "../support/request-body.ts";
import { HostWorld } from "../support/host-world.ts";

const template =
  "At [system:time].[if file:AGENTS.md] Rules: [file:AGENTS.md][else] No rules.[endif] On [git:branch].";

interface World extends AsyncDisposable {
  readonly hosts: HostWorld;
  readonly model: RecordingModelServer;
  readonly work: string;
  readonly repository: Awaited<ReturnType<typeof createGitRepository>>;
}

async function createWorld(config = ""): Promise<World> {
  const hosts = await HostWorld.create({ work: "work", config });
  const repository = await createGitRepository(hosts.cwd, { "AGENTS.md": "be brief" });
  const { model, cwd: work } = hosts;
  return { hosts, model, work, repository, [Symbol.asyncDispose]: () => hosts[Symbol.asyncDispose]() };
}

async function firstTurn(world: World, host: HostProcess): Promise<string> {
  await host.json("/system-prompt", { method: "PUT", body: { template } });
  const conversation = await host.createConversation({ cwd: world.work });
  const events = await host.turn(conversation.id, { input: "one" });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  return conversation.id;
}

test("[resolved-once] a prompt is identical after edits, other templates and branches, SIGKILL and other clients", async () => {
  await using world = await createWorld();
  let conversationId = "";
  {
    await using host = await world.hosts.start();
    conversationId = await firstTurn(world, host);
    await Bun.write(join(world.work, "AGENTS.md"), "be long");
    await host.json("/system-prompt", { method: "PUT", body: { template: "Another one." } });
    await world.repository.switchBranch("elsewhere");
    await host.kill("SIGKILL");
  }
  {
    await using host = await world.hosts.start();
    await host.turn(conversationId, { input: "two" });
    const third = await world.hosts.run("-s", conversationId, "Three");
    expect(third).toMatchObject({ exitCode: 0 });
  }

  const bodies = world.model.requests.map((request) => request.body);

  expect(bodies).toHaveLength(3);
  const [first = "", second = "", third = ""] = bodies;
  expect(systemTexts(first)).toEqual([
    expect.stringMatching(/^At \d{4}-.*Z\. Rules: be brief On (main|master)\.$/),
  ]);
  expect(systemTexts(second)).toEqual(systemTexts(first));
  expect(systemTexts(third)).toEqual(systemTexts(first));
  expect(second).toStartWith(prefixOf(first));
  expect(third).toStartWith(prefixOf(second));
}, 300_000);

test("[byte-prefix] each request of a conversation begins with the previous one, over many turns", async () => {
  await using world = await createWorld();
  await using host = await world.hosts.start();
  const conversationId = await firstTurn(world, host);
  for (const input of ['"quoted" \\ and \u0000 NUL', "line\nbreak é 漢字 🎉", "  spaces  "])
    await host.turn(conversationId, { input });

  const bodies = world.model.requests.map((request) => request.body);

  expect(bodies).toHaveLength(4);
  for (const [index, body] of bodies.entries()) {
    if (index > 0) expect(body).toStartWith(prefixOf(bodies[index - 1] ?? ""));
  }
}, 300_000);

test("[sent-is-shown] preview, stored prompt and recorded request equal the received bytes", async () => {
  await using world = await createWorld();
  await using host = await world.hosts.start();
  await host.json("/system-prompt", { method: "PUT", body: { template: "On [git:branch] in [prompt:cwd]." } });
  const preview = await host.json("/system-prompt/preview", { body: { cwd: world.work } });
  const conversation = await host.createConversation({ cwd: world.work });
  await host.turn(conversation.id, { input: "one" });

  const kept = conversationSystemPromptResponseSchema.parse(
    await host.json(`/conversations/${conversation.id}/system-prompt`),
  );
  const { steps } = stepsResponseSchema.parse(await host.json(`/conversations/${conversation.id}/steps`));
  const recorded = stepRequestResponseSchema.parse(
    await host.json(`/conversations/${conversation.id}/steps/${steps[0]?.id}/request`),
  );

  const received = world.model.requests[0];
  expect(received).toBeDefined();
  expect(recorded.body).toBe(received?.body ?? "");
  expect(recorded.sha256).toBe(new Bun.CryptoHasher("sha256").update(received?.body ?? "").digest("hex"));
  expect(systemTexts(recorded.body)).toEqual([kept.systemPrompt]);
  expect(preview).toMatchObject({ systemPrompt: kept.systemPrompt });
}, 300_000);

test("compaction constructs a new prompt for its call, which the next turn also uses", async () => {
  await using world = await createWorld();
  await using host = await world.hosts.start();
  const conversationId = await firstTurn(world, host);
  await Bun.write(join(world.work, "AGENTS.md"), "be long");
  await host.json(`/conversations/${conversationId}/compact`, { method: "POST" });
  await host.turn(conversationId, { input: "two" });

  const [, compaction, next] = world.model.requests.map((request) => String(systemTexts(request.body)[0]));

  expect(next).toMatch(/Rules: be long/);
  expect(compaction).toStartWith(`${next}\n\n`);
  expect(compaction?.length).toBeGreaterThan((next?.length ?? 0) + 2);
}, 300_000);

test("[never-half] a failed compaction leaves history and prompt unchanged", async () => {
  await using world = await createWorld();
  await using host = await world.hosts.start();
  const conversationId = await firstTurn(world, host);
  const promptBefore = await host.json(`/conversations/${conversationId}/system-prompt`);
  const messagesBefore = await host.json(`/conversations/${conversationId}/messages`);
  await Bun.write(join(world.work, "AGENTS.md"), "be long");
  world.model.enqueue({ kind: "error", status: 400, body: '{"error":{"message":"no"}}' });
  const failed = await host.fetch(`/conversations/${conversationId}/compact`, { method: "POST" });
  expect(failed.status).toBe(502);

  expect(await host.json(`/conversations/${conversationId}/system-prompt`)).toEqual(promptBefore);
  expect(await host.json(`/conversations/${conversationId}/messages`)).toEqual(messagesBefore);
  await host.turn(conversationId, { input: "two" });
  const [first = "", , next = ""] = world.model.requests.map((request) => request.body);
  expect(next).toStartWith(prefixOf(first));
}, 300_000);

test("system-prompt disabled: turns have no system message, and its routes explain the alternatives", async () => {
  await using world = await createWorld('[extensions]\ndisabled = ["system-prompt"]');
  await using host = await world.hosts.start();
  const conversation = await host.createConversation({ cwd: world.work });
  await host.turn(conversation.id, { input: "one" });

  const template = await host.json("/system-prompt");
  const put = await host.fetch("/system-prompt", { method: "PUT", body: { template: "x" } });
  const variables = await host.fetch("/system-prompt/variables");

  expect(systemTexts(world.model.requests[0]?.body ?? "")).toEqual([]);
  expect(template).toMatchObject({
    source: "default",
    template: expect.stringMatching(/^You are a helpful coding assistant\./),
  });
  expect(put.status).toBe(503);
  expect(variables.status).toBe(200);
}, 300_000);
