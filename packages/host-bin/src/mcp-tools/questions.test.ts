import type { ValuesAnswer, ValuesQuestion } from "@incipit/service-contract";
import { answerText } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { McpWorld, secret } from "./testing/mcp-world.ts";

type Ask = (question: ValuesQuestion) => Promise<ValuesAnswer>;

async function elicit(
  world: McpWorld,
  questions: readonly unknown[],
  { ask, conversationId = "c", tool = "x__echo" }: { ask?: Ask; conversationId?: string; tool?: string } = {},
): Promise<string> {
  const found = await world.tool(tool);
  return Promise.resolve(
    found.execute(
      { text: JSON.stringify(questions) },
      {
        conversationId,
        cwd: "/",
        signal: new AbortController().signal,
        ...(ask === undefined ? {} : { askValues: ask }),
      },
    ),
  )
    .then(answerText)
    .catch((error: Error) => `error: ${error.message}`);
}

const form = (properties: object, required: readonly string[] = []): object => ({
  message: "Please",
  requestedSchema: { type: "object", properties, required },
});

const cancelled: Ask = async () => ({ action: "cancel", reason: "answered" });

test("mcp-tools maps every field kind of an elicitation and keeps only valid defaults", async () => {
  await using world = await McpWorld.startFixture("elicits");
  const asked: ValuesQuestion[] = [];
  const ask: Ask = async (question) => {
    asked.push(question);
    return { action: "accept", reason: "answered", content: { text: "x", many: ["a"] } };
  };
  const titled = [{ const: "a", title: "Ay" }];
  const properties = {
    text: {
      type: "string",
      title: "T",
      description: "D",
      minLength: 1,
      maxLength: 9,
      format: "email",
      default: "no",
    },
    whole: { type: "integer", minimum: 1, maximum: 3, default: 2 },
    part: { type: "number", maximum: 1, default: 2 },
    yes: { type: "boolean", default: false },
    one: { type: "string", enum: ["a", "b"], default: "c" },
    old: { type: "string", enum: ["a", "b"], enumNames: ["Ay", "Bee"], default: "b" },
    new: { type: "string", oneOf: titled },
    many: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, default: ["a", "b"] },
    more: { type: "array", items: { anyOf: titled }, maxItems: 1 },
  };

  const result = await elicit(world, [form(properties, ["text", "many"])], { ask });

  expect(result).toBe('[{"action":"accept","content":{"text":"x","many":["a"]}}]');
  expect(asked[0]).toMatchObject({ message: "Please" });
  const ab = [
    { value: "a", title: "a" },
    { value: "b", title: "b" },
  ];
  const base = { isRequired: false };
  expect(asked[0]?.fields).toEqual([
    {
      kind: "text",
      name: "text",
      isRequired: true,
      title: "T",
      description: "D",
      format: "email",
      minLength: 1,
      maxLength: 9,
    },
    { kind: "number", name: "whole", ...base, isInteger: true, minimum: 1, maximum: 3, default: 2 },
    { kind: "number", name: "part", ...base, isInteger: false, maximum: 1 },
    { kind: "boolean", name: "yes", ...base, default: false },
    { kind: "choice", name: "one", ...base, options: ab },
    {
      kind: "choice",
      name: "old",
      ...base,
      options: [
        { value: "a", title: "Ay" },
        { value: "b", title: "Bee" },
      ],
      default: "b",
    },
    { kind: "choice", name: "new", ...base, options: [{ value: "a", title: "Ay" }] },
    { kind: "choices", name: "many", isRequired: true, options: ab, minItems: 1, default: ["a", "b"] },
    { kind: "choices", name: "more", ...base, options: [{ value: "a", title: "Ay" }], maxItems: 1 },
  ]);
});

test("mcp-tools rejects an invalid form with a reason and without a question", async () => {
  await using world = await McpWorld.startFixture("elicits", { env: ["ACME_SECRET"] });
  let count = 0;
  const ask: Ask = async (question) => {
    count += 1;
    return cancelled(question);
  };
  const result = await elicit(
    world,
    [
      form({ deep: { type: "object", properties: {} } }),
      form({ list: { type: "array", items: { type: "object" } } }),
      { message: "x", requestedSchema: { type: "object" } },
      { message: "x", requestedSchema: "text" },
      form({}, ["missing"]),
      form({ told: { type: "string", description: secret } }),
      { mode: "url", message: "x", url: "https://acme.dev", elicitationId: "1" },
    ],
    { ask },
  );

  expect(count).toBe(0);
  expect(result.match(/"code":-32602/g)).toHaveLength(7);
  expect(result).toContain("and has no such property");
  expect(result).toContain("holds a secret of the server");
  expect(result).toContain("does not support URL-mode");
});

test("mcp-tools cancels questions outside of a call or during calls of several conversations", async () => {
  await using world = await McpWorld.startFixture("elicits");
  const asked: string[] = [];
  const open = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const ask =
    (who: string): Ask =>
    async () => {
      asked.push(who);
      begun.resolve();
      await open.promise;
      return { action: "decline", reason: "answered" };
    };

  const first = elicit(world, [form({})], { ask: ask("first"), conversationId: "a" });
  await begun.promise;
  const second = await elicit(world, [form({})], { ask: ask("second"), conversationId: "b" });
  open.resolve();

  expect(second).toBe('[{"action":"cancel"}]');
  expect(await first).toBe('[{"action":"decline"}]');
  expect(asked).toEqual(["first"]);
  expect(world.logs).toContain("asked the user something outside of any call; it was cancelled");
  expect(world.logs).toContain("asked the user something while calls of several conversations run");
});

test("mcp-tools reports in the result that no user was present to answer", async () => {
  await using world = await McpWorld.startFixture("elicits");
  const ask: Ask = async () => ({ action: "cancel", reason: "unattended" });

  expect(await elicit(world, [form({})], { ask })).toBe(
    '[{"action":"cancel"}]\n[The MCP server "x" asked the user something, and no user is there to answer it]',
  );
});

test("mcp-tools withdraws a question when its server exits and fails the call", async () => {
  await using world = await McpWorld.startFixture("dies-asking");
  const withdrawn = Promise.withResolvers<void>();
  const ask: Ask = async ({ signal }) => {
    signal?.addEventListener("abort", () => withdrawn.resolve(), { once: true });
    void world.go();
    await withdrawn.promise;
    return { action: "cancel", reason: "withdrawn" };
  };

  expect(await elicit(world, [form({})], { ask })).toContain('The MCP server "x" ended (exit code 7)');
  await withdrawn.promise;
});

test("mcp-tools answers input requests of the newer protocol with a repeated call", async () => {
  await using world = await McpWorld.startFixture("modern");
  const ask: Ask = async ({ message }) => ({
    action: message === "Your token?" ? "decline" : "cancel",
    reason: "answered",
  });

  expect(await elicit(world, [], { ask, tool: "x__write" })).toBe('{"elicit":{"action":"decline"}}');
});

test("[attack:bounds-questions] mcp-tools stops a server that floods a call without a user with questions", async () => {
  await using world = await McpWorld.startFixture("elicits");
  const many = (count: number): readonly object[] => Array.from({ length: count }, () => form({}));

  expect(await elicit(world, many(1_000))).toStartWith('[{"action":"cancel"},');
  expect(await elicit(world, many(1_000))).toContain(
    "asked more than 2000 questions without a user to ask within 10 s",
  );
  expect(world.logs.match(/asked the user something in a call without a user to ask/g)).toHaveLength(1);
});
