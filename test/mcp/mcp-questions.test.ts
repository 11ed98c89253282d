import type { Question, TurnEvent } from "@incipit/schema";
import type { RecordingModelServer } from "@incipit/testkit";
import { ApiClientError, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import type { HostProcess } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";
import { everythingServer, mcpServer } from "../support/mcp-programs.ts";

const config = mcpServer("all", [everythingServer], 'approve = "allow"');

interface World extends AsyncDisposable {
  readonly world: HostWorld;
  readonly model: RecordingModelServer;
  readonly host: HostProcess;
  readonly client: Client;
  readonly id: string;
}

async function startWorld(): Promise<World> {
  const world = await HostWorld.create({ config });
  const { model } = world;
  const { host, client } = await world.startWithClient();
  model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call-1", name: "all__trigger-elicitation-request", arguments: "{}" }] },
    { kind: "text", chunks: ["Done."] },
  );
  const { id } = await host.createConversation();
  return { world, model, host, client, id, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function turn(
  { client, id }: World,
  answer: (question: Question) => Promise<void>,
): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of client.sendTurn(id, { input: "Hello" })) {
    events.push(event);
    if (event.type === "question-request") await answer(event);
  }
  return events;
}

function codeOf(error: unknown): unknown {
  return error instanceof ApiClientError ? [error.status, error.code, error.message, error.details] : error;
}

test("an MCP form over HTTP rejects invalid fields by name and accepts one valid answer", async () => {
  await using world = await startWorld();
  const { client, id, model, host } = world;
  const content = { name: "Ada of Porto", check: true, integer: 7, untitledMultipleSelectEnum: ["Piano", "Drums"] };
  let refused: unknown;
  let second: readonly ApiClientError[] = [];
  let open: readonly Question[] = [];

  const events = await turn(world, async ({ questionId }) => {
    const params = { id, questionId };
    open = (await host.conversation(id)).questions;
    const wrong = { integer: 101, email: "nobody", titledMultipleSelectEnum: [], more: "x" };
    refused = await client
      .call(routes.answerQuestion, { params, body: { action: "accept", content: wrong } })
      .catch(codeOf);
    const both = await Promise.allSettled(
      [content, content].map((given) =>
        client.call(routes.answerQuestion, { params, body: { action: "accept", content: given } }),
      ),
    );
    second = both.flatMap((each) => {
      const reason: unknown = each.status === "rejected" ? each.reason : undefined;
      return reason instanceof ApiClientError ? [reason] : [];
    });
  });

  expect(open).toHaveLength(1);
  expect(open[0]).toMatchObject({
    from: "all",
    message: "Please provide inputs for the following fields:",
    toolCallId: "call-1",
    fields: expect.arrayContaining([
      { kind: "text", name: "name", isRequired: true, title: "String", description: "Your full, legal name" },
      expect.objectContaining({ kind: "choice", name: "legacyTitledEnum", default: "pet-1" }),
    ]),
  });
  expect(refused).toEqual([
    422,
    "ANSWER_INVALID",
    expect.stringContaining('"name" is required; "email" must be an e-mail address'),
    {
      fields: [
        { field: "name", message: "is required" },
        { field: "email", message: "must be an e-mail address, such as ada@acme.dev" },
        { field: "integer", message: "must be at most 100" },
        { field: "titledMultipleSelectEnum", message: "needs at least 1 choice" },
        { field: "more", message: "is not a field of the question" },
      ],
    },
  ]);
  // A second answer that arrives during or after storage gets the outcome, not the values.
  expect(second).toHaveLength(1);
  expect<unknown[]>([undefined, { action: "accept", reason: "answered" }]).toContainEqual(second[0]?.details);
  expect(second[0]).toMatchObject({ status: 409, code: "QUESTION_ENDED" });
  expect(second[0]?.message).toContain("it can be answered once");
  expect(events).toContainEqual(
    expect.objectContaining({ type: "question-end", action: "accept", reason: "answered" }),
  );
  // The server repeats the values; no other part of the host stores them.
  const end = events.find(({ type }) => type === "tool-call-end");
  expect(end).toMatchObject({ output: expect.stringContaining('"name": "Ada of Porto"') });
  expect(JSON.stringify(events.filter(({ type }) => type.startsWith("question-")))).not.toContain("Ada");
  expect(model.requests.at(-1)?.body).toContain("Ada of Porto");
  expect((await host.conversation(id)).questions).toEqual([]);
});

test("declining a question informs the server, and the model receives its tool's result", async () => {
  await using world = await startWorld();
  const { client, id } = world;

  const events = await turn(world, async ({ questionId }) => {
    await client.call(routes.answerQuestion, { params: { id, questionId }, body: { action: "decline" } });
  });

  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({
    output: expect.stringContaining("User declined to provide the requested information"),
  });
});

async function waiting({ host, id }: World): Promise<Question> {
  await host.json(`/conversations/${id}/turns`, { body: { input: "Hello" }, headers: { prefer: "respond-async" } });
  for (;;) {
    const [question] = (await host.conversation(id)).questions;
    if (question !== undefined) return question;
  }
}

test("stopping the turn cancels an MCP question, and the next call repeats it", async () => {
  await using world = await startWorld();
  const { client, id, host, model } = world;
  const { questionId } = await waiting(world);

  await client.call(routes.stopConversation, { params: { id } });
  while ((await host.conversation(id)).status !== "idle");
  const late = await client
    .call(routes.answerQuestion, { params: { id, questionId }, body: { action: "decline" } })
    .catch(codeOf);
  await turn(world, () => Promise.resolve());
  model.enqueue({
    kind: "tool-calls",
    calls: [{ id: "call-2", name: "all__trigger-elicitation-request", arguments: "{}" }],
  });
  const again = await waiting(world);

  expect(late).toEqual([
    409,
    "QUESTION_ENDED",
    expect.stringContaining("stopped"),
    { action: "cancel", reason: "stopped" },
  ]);
  expect(again).toMatchObject({ from: "all" });
  expect(again.questionId).not.toBe(questionId);
});

test("[never-lost] a host killed during an MCP question cancels it at its next start", async () => {
  await using world = await startWorld();
  const { questionId } = await waiting(world);

  await world.host.kill("SIGKILL");
  const { id } = world;
  const { client, host } = await world.world.startWithClient();
  while ((await host.conversation(id)).status !== "idle");
  const events: TurnEvent[] = [];
  for await (const event of client.followEvents(id, { afterSeq: 0 })) {
    events.push(event);
    if (event.type === "turn-end") break;
  }
  const late = await client
    .call(routes.answerQuestion, {
      params: { id, questionId },
      body: { action: "accept", content: { name: "Ada" } },
    })
    .catch(codeOf);

  expect((await host.conversation(id)).questions).toEqual([]);
  expect(events.find(({ type }) => type === "question-end")).toMatchObject({
    action: "cancel",
    reason: "interrupted",
  });
  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ error: { code: "INTERRUPTED" } });
  expect(late).toEqual([409, "QUESTION_ENDED", expect.stringContaining("interrupted"), expect.anything()]);
});
