import { createClient, routes } from "@incipit/transport-contract";
import type { ConversationId, TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import type { HostProcess } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";
import { everythingServer, mcpServer } from "../support/mcp-programs.ts";

const pngHead = "iVBORw0KGgo";
const png = expect.stringContaining(pngHead);

/** The model is behind four kinds of endpoint. */
async function createWorld(): Promise<HostWorld> {
  const world = await HostWorld.create({
    model: "claude/claude-test",
    isStrict: true,
    work: "work",
    env: { ACME_KEY: "a-key" },
    config: (model) => `[providers.claude]
kind = "anthropic"
base_url = "${model.urlOf("anthropic")}"
api_key_env = "ACME_KEY"
[providers.responses]
kind = "openai"
api = "responses"
base_url = "${model.url}"
api_key_env = "ACME_KEY"
[providers.gemini]
kind = "google"
base_url = "${model.urlOf("gemini")}"
api_key_env = "ACME_KEY"
${mcpServer("all", [everythingServer, "stdio"])}`,
  });
  await Bun.write(join(world.cwd, "a.txt"), "in the file");
  return world;
}

async function turn(host: HostProcess, id: ConversationId, model: string): Promise<TurnEvent | undefined> {
  const client = createClient({ url: host.url, token: host.token });
  const events: TurnEvent[] = [];
  for await (const event of client.sendTurn(id, { input: "go", model })) {
    events.push(event);
    if (event.type !== "approval-request") continue;
    const params = { id, approvalId: event.approvalId };
    await client.call(routes.answerApproval, { params, body: { decision: "allow" } });
  }
  return events.at(-1);
}

const takePicture = {
  kind: "tool-calls",
  calls: [{ id: "call-1", name: "all__get-tiny-image", arguments: "{}" }],
} as const;
const done = { kind: "text", chunks: ["Done."] } as const;

function openEnd(body: string): string {
  return body.slice(0, body.lastIndexOf("]"));
}

test("[byte-prefix] an MCP picture in Claude's result is identical after restart, fork and import", async () => {
  await using world = await createWorld();
  const { model, options } = world;
  const first = await world.start();
  const { id } = await first.createConversation();
  model.enqueue(takePicture, done);

  expect(await turn(first, id, "claude/claude-test")).toMatchObject({ type: "turn-end", status: "completed" });
  await first.kill("SIGKILL");
  const second = await world.start();
  model.enqueue(done, done, done);
  await turn(second, id, "claude/claude-test");
  const client = createClient({ url: second.url, token: second.token });
  const { conversation: fork } = await client.call(routes.forkConversation, { params: { id }, body: {} });
  await turn(second, fork.id, "claude/claude-test");
  const exported = await new Response(await client.exportConversation(id)).blob();
  const third = await world.start({ data: `${options.data}-2` });
  const imported = await createClient({ url: third.url, token: third.token }).importConversation(exported);
  await turn(third, imported.id, "claude/claude-test");

  const bodies = model.requests.map(({ body }) => body);
  expect(bodies).toHaveLength(5);
  expect(bodies[0]).not.toContain(pngHead);
  const sent: unknown = JSON.parse(bodies[1] ?? "");
  expect(sent).toMatchObject({
    messages: [
      { role: "user" },
      { role: "assistant" },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            content: [
              { type: "text", text: expect.stringMatching(/\[image image\/png, \d+ bytes\]/) },
              {
                type: "image",
                source: { type: "base64", media_type: "image/png", data: png },
              },
            ],
          },
        ],
      },
    ],
  });
  expect(bodies[2]).toStartWith(openEnd(bodies[1] ?? ""));
  expect(bodies[3]).toStartWith(openEnd(bodies[2] ?? ""));
  expect(messagesIn(bodies[4])).toStartWith(openEnd(messagesIn(bodies[2])));
});

function listIn(body: string | undefined, name: string): readonly unknown[] {
  const sent = z.record(z.string(), z.unknown()).parse(JSON.parse(body ?? ""));
  return z.array(z.unknown()).parse(sent[name]);
}

function messagesIn(body = ""): string {
  return body.slice(body.indexOf('"messages":'));
}

for (const { name, list, wanted } of [
  {
    name: "responses/gpt-5.2",
    list: "input",
    wanted: {
      type: "function_call_output",
      output: [{ type: "input_text" }, { type: "input_image", image_url: png }],
    },
  },
  {
    name: "gemini/gemini-3.5-flash",
    list: "contents",
    wanted: {
      role: "user",
      parts: [{ functionResponse: { parts: [{ inlineData: { mimeType: "image/png", data: png } }] } }],
    },
  },
  {
    name: "gemini/gemini-2.5-flash",
    list: "contents",
    wanted: {
      role: "user",
      parts: [{ text: expect.any(String) }, { inlineData: { mimeType: "image/png", data: png } }],
    },
  },
  { name: "local/any", list: "messages", wanted: undefined },
])
  test(`a picture of an MCP server reaches ${name} in a supported form`, async () => {
    await using world = await createWorld();
    const { model } = world;
    const host = await world.start();
    const { id } = await host.createConversation();
    model.enqueue(takePicture, done, done);

    expect(await turn(host, id, name)).toMatchObject({ type: "turn-end", status: "completed" });
    await turn(host, id, name);

    const [, second, third] = model.requests.map(({ body }) => body);
    if (wanted === undefined) {
      expect(second).toMatch(/\[file: image\/png, \d+ bytes; omitted: this model does not accept it\]/);
      expect(second).not.toContain(pngHead);
    } else expect(listIn(second, list).at(-1)).toMatchObject(wanted);
    expect(third).toContain((second ?? "").includes(pngHead) ? pngHead : "omitted");
  });
