import type { CommandCall, ConversationId, TurnEvent } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { createAgentsWorld, refusalOf, type AgentsWorld } from "./agents-world.ts";

const chatSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

const review =
  "---\ndescription: Reviews a change\nargument-hint: '[branch]'\n---\n\nReview $1. All of it: $ARGUMENTS\n";

function asked(world: AgentsWorld): unknown {
  const { messages } = chatSchema.parse(JSON.parse(world.model.requests.at(-1)?.body ?? ""));
  return messages.at(-1)?.content;
}

async function send(
  world: AgentsWorld,
  id: ConversationId,
  command: CommandCall,
  idempotencyKey?: string,
): Promise<readonly TurnEvent[]> {
  const options = idempotencyKey === undefined ? {} : { idempotencyKey };
  return Array.fromAsync(world.client.sendTurn(id, { command }, options));
}

async function newWorld(): Promise<AgentsWorld> {
  const world = await createAgentsWorld();
  await world.write(join(world.user, "commands/review.md"), review);
  return world;
}

test("a command sent by name expands to its text with arguments, and is recorded", async () => {
  await using world = await newWorld();
  const id = await world.begin();

  const events = await send(world, id, { name: "review", arguments: 'main "two words"' });

  const text = 'Review main. All of it: main "two words"';
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(JSON.stringify(asked(world))).toContain(JSON.stringify(text).slice(1, -1));
  const { messages } = await world.client.call(routes.listMessages, { params: { id } });
  expect(messages[0]).toMatchObject({
    role: "user",
    parts: [{ type: "text", text }],
    command: { name: "review", arguments: 'main "two words"' },
  });
  await send(world, id, { name: "review" });
  expect(asked(world)).toBe("Review . All of it:");
});

test("a command repeated with its idempotency key is the same turn, despite file changes", async () => {
  await using world = await newWorld();
  const id = await world.begin();
  const file = join(world.user, "commands/review.md");

  const first = await send(world, id, { name: "review", arguments: "main" }, "a key");
  await world.write(file, "---\nmodel: local/other\n---\nSomething else.");
  const afterChange = await send(world, id, { name: "review", arguments: "main" }, "a key");
  await Bun.file(file).delete();
  await world.restart();
  const afterRemoval = await send(world, id, { name: "review", arguments: "main" }, "a key");
  const other = await refusalOf(send(world, id, { name: "review", arguments: "dev" }, "a key"));
  const unsent = await refusalOf(send(world, id, { name: "review" }, "another key"));
  await world.write(file, review);
  await send(world, id, { name: "review" }, "another key");

  expect(afterChange).toEqual(first);
  expect(afterRemoval).toEqual(first);
  expect(other).toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
  expect(unsent).toMatchObject({ code: "COMMAND_UNKNOWN" });
  expect(world.model.requests).toHaveLength(2);
});

test("a command of a folder is hidden until the folder is trusted", async () => {
  await using world = await newWorld();
  await world.write(".agents/commands/deploy.md", "Deploy the secret thing.");
  const id = await world.begin();

  const before = await refusalOf(send(world, id, { name: "deploy" }));
  const listed = await world.client.call(routes.listCommands);
  await world.trust(".agents/commands/deploy.md");
  await send(world, id, { name: "deploy", arguments: "now" });

  expect(before).toMatchObject({ code: "COMMAND_UNKNOWN", message: expect.stringContaining("incipit trust add") });
  expect(String(before) + JSON.stringify(listed)).not.toContain("secret");
  expect(listed.commands.map(({ name }) => name)).toEqual(["review"]);
  expect(listed.leftOut).toMatchObject([{ name: "deploy", reason: "not-trusted" }]);
  expect(asked(world)).toBe("Deploy the secret thing.\n\nnow");
});

test("a command selects its model, unless the turn does", async () => {
  await using world = await newWorld();
  await world.write(join(world.user, "commands/think.md"), "---\nmodel: local/thinker\n---\nThink.");
  const id = await world.begin();
  const modelOf = (): string => chatSchema.parse(JSON.parse(world.model.requests.at(-1)?.body ?? "")).model;

  await send(world, id, { name: "think" });
  expect(modelOf()).toBe("thinker");
  await Array.fromAsync(world.client.sendTurn(id, { command: { name: "think" }, model: "local/other" }));
  expect(modelOf()).toBe("other");
  await world.turn(id, "And you?");
  expect(modelOf()).toBe("test");
});

test("an unknown command is rejected with advice, and nothing is sent", async () => {
  await using world = await newWorld();
  const id = await world.begin();
  const refusal = async (body: object): Promise<unknown> => {
    const response = await fetch(`${world.host.url}/conversations/${id}/turns`, {
      method: "POST",
      headers: { authorization: `Bearer ${world.host.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      ...z.looseObject({ error: z.looseObject({}) }).parse(await response.json()).error,
    };
  };

  expect(await refusal({ command: { name: "reveiw" } })).toMatchObject({
    status: 404,
    code: "COMMAND_UNKNOWN",
    message: expect.stringContaining('"review"'),
  });
  for (const [body, told] of [
    [{ command: { name: "../review" } }, "letters, digits, _ and -"],
    [{ command: { name: "review" }, input: "Hello" }, "and not both"],
    [{}, '"command" in its place'],
    [{ command: { name: "review", arguments: "x".repeat(1_048_577) } }, "1,048,576"],
    [{ command: { name: "review", arguments: "x".repeat(700_000) } }, "more than 1048576 characters"],
    [{ command: "review" }, "command"],
  ] as const)
    expect(await refusal(body)).toMatchObject({
      status: 400,
      code: "INVALID_REQUEST",
      message: expect.stringContaining(told),
    });
  expect(world.model.requests).toHaveLength(0);
});

test("skills and commands are listed with their sources over HTTP", async () => {
  await using world = await newWorld();
  const skill = "---\nname: notes\ndescription: Writes notes\n---\n\nWrite them.\n";
  await world.write(join(world.user, "skills/notes/SKILL.md"), skill);

  const { skills } = await world.client.call(routes.listSkills);
  const opened = await world.client.call(routes.openSkill, { params: { name: "notes" } });
  const shown = await world.client.call(routes.showCommand, { params: { name: "review" } });

  expect(skills).toMatchObject([{ name: "notes", source: "user", isListed: true }]);
  expect(opened).toMatchObject({ body: "Write them.", files: [] });
  expect(shown).toMatchObject({
    command: { name: "review", source: "user", argumentHint: "[branch]" },
    body: "Review $1. All of it: $ARGUMENTS",
  });
  const unknown = await refusalOf(world.client.call(routes.openSkill, { params: { name: "note" } }));
  const nowhere = await refusalOf(world.client.call(routes.listCommands, { query: { cwd: "nowhere" } }));
  expect(unknown).toMatchObject({ code: "SKILL_UNKNOWN", message: expect.stringContaining('"notes"') });
  expect(nowhere).toMatchObject({ code: "CWD_INVALID" });
});
