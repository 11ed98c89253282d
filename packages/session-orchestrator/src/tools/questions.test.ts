import { createMemoryStorage } from "@incipit/testkit";
import type { ConversationId, ExportLine, QuestionField, QuestionId, TurnEvent, TurnId } from "@incipit/schema";
import { type Tool, type ValuesAnswer, type ValuesQuestion, ServiceError } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { callOne, collect, createWorld, type World, type WorldOptions } from "../testing/test-world.ts";
import { conversationsNamespace, heldStorage } from "../testing/hooked-storage.ts";

const city: QuestionField = { kind: "text", name: "city", isRequired: true, maxLength: 20 };
const plain: ValuesQuestion = { message: "Which city?", fields: [city] };

interface Asking {
  readonly world: World;
  readonly id: ConversationId;
  readonly turnId: TurnId;
  readonly answers: (ValuesAnswer | string)[];
  questionId(): Promise<QuestionId>;
  events(): Promise<readonly TurnEvent[]>;
  answer(questionId: QuestionId, city: string): Promise<void>;
}

function askingTool(answers: (ValuesAnswer | string)[], questions: readonly unknown[]): Tool {
  return {
    name: "ask",
    description: "Asks",
    inputSchema: { type: "object" },
    approval: "allow",
    async execute(_, { askValues }) {
      if (askValues === undefined) throw new Error("Nobody can be asked");
      for (const question of questions) {
        const asked: Promise<ValuesAnswer> = Reflect.apply(askValues, undefined, [question]);
        answers.push(await asked.catch((error: Error) => error.message));
      }
      return "done";
    },
  };
}

async function begin(
  questions: readonly unknown[],
  { isUnattended, ...options }: WorldOptions & { readonly isUnattended?: boolean } = {},
): Promise<Asking> {
  const answers: (ValuesAnswer | string)[] = [];
  const world = await createWorld({ ...options, tools: [askingTool(answers, questions)] });
  const { id } = await world.conversations.create({});
  world.scripts.push(callOne("ask"));
  const sent = isUnattended === true ? { isUnattended } : {};
  const { turnId, afterSeq } = await world.conversations.send(id, { input: "Hello" }, sent);
  return {
    world,
    id,
    turnId,
    answers,
    async questionId() {
      for await (const event of world.conversations.follow(id, { afterSeq }))
        if (event.type === "question-request") return event.questionId;
      throw new Error("Nothing was asked");
    },
    events: () => world.ended(id, turnId),
    answer: (questionId, text) =>
      world.approvals.answerQuestion(id, questionId, { action: "accept", content: { city: text } }),
  };
}

async function* linesOf(lines: readonly ExportLine[]): AsyncGenerator<ExportLine> {
  yield* lines;
}

function ends(events: readonly TurnEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "question-end" ? [`${event.action} ${event.reason}`] : []));
}

const codeOf = (error: unknown): unknown => (ServiceError.is(error) ? error.code : error);

test("askValues waits for a valid answer and keeps its content out of events and records", async () => {
  const storage = createMemoryStorage();
  const asking = await begin([plain], { storage });
  await using world = asking.world;
  const questionId = await asking.questionId();
  const { questions } = await world.conversations.get(asking.id);

  const tooLong = await asking.answer(questionId, "x".repeat(21)).catch(codeOf);
  await asking.answer(questionId, "Porto-by-the-sea");
  const again = await asking.answer(questionId, "Lisbon").catch(codeOf);
  const events = await asking.events();

  expect(questions).toMatchObject([
    { questionId, asker: { kind: "host", extension: "test.model" }, message: "Which city?", fields: [city] },
  ]);
  expect([tooLong, again]).toEqual(["ANSWER_INVALID", "QUESTION_ENDED"]);
  expect(asking.answers).toEqual([{ action: "accept", reason: "answered", content: { city: "Porto-by-the-sea" } }]);
  expect(ends(events)).toEqual(["accept answered"]);
  const kept = await storage.list(conversationsNamespace, { limit: 1_000 });
  expect(JSON.stringify(kept)).toContain("Which city?");
  expect(JSON.stringify([events, kept])).not.toContain("Porto-by-the-sea");
  expect((await world.conversations.get(asking.id)).questions).toEqual([]);
});

test("askValues is cancelled exactly at its deadline; the call's timeout is paused", async () => {
  const asking = await begin([plain, plain], {
    settings: { question_timeout_seconds: 5, idle_timeout_ms: 1_000 },
  });
  await using world = asking.world;
  const questionId = await asking.questionId();

  await world.clock.advance(4_999);
  expect(asking.answers).toEqual([]);
  await asking.answer(questionId, "Porto");
  await world.clock.advance(4_999);
  expect(asking.answers).toHaveLength(1);
  await world.clock.advance(1);
  const events = await asking.events();

  expect(ends(events)).toEqual(["accept answered", "cancel expired"]);
  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ output: "done" });
});

test("askValues ends with its turn and when the tool withdraws it", async () => {
  const withdrawn = new AbortController();
  const asking = await begin([{ ...plain, signal: withdrawn.signal }, plain]);
  await using world = asking.world;
  await asking.questionId();

  withdrawn.abort();
  while (asking.answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
  while ((await world.conversations.get(asking.id)).questions.length === 0);
  await world.conversations.stop(asking.id);

  expect(ends(await asking.events())).toEqual(["cancel withdrawn", "cancel stopped"]);
});

test("askValues is cancelled immediately, with events, in unattended runs", async () => {
  const asking = await begin([plain], { isUnattended: true });
  await using _ = asking.world;

  const events = await asking.events();

  expect(asking.answers).toEqual([{ action: "cancel", reason: "unattended" }]);
  expect(events.flatMap(({ type }) => (type.startsWith("question-") ? [type] : []))).toEqual([
    "question-request",
    "question-end",
  ]);
});

test("[never-lost] a question is hidden until stored", async () => {
  const held = heldStorage('"question-request"');
  const asking = await begin([plain], { storage: held.driver });
  await using world = asking.world;

  await held.reached;
  const before = (await world.conversations.get(asking.id)).questions;
  held.goOn();
  const questionId = await asking.questionId();
  const after = (await world.conversations.get(asking.id)).questions;
  await asking.answer(questionId, "Porto");

  expect(before).toEqual([]);
  expect(after).toMatchObject([{ questionId }]);
});

test("[never-lost] recover cancels pending questions after a crash and rejects late answers", async () => {
  const storage = createMemoryStorage();
  const lost = await begin([plain], { storage });
  const questionId = await lost.questionId();
  await using world = await createWorld({ storage });

  const events = await world.ended(lost.id, lost.turnId);
  const late = await world.approvals
    .answerQuestion(lost.id, questionId, { action: "accept", content: { city: "Porto" } })
    .catch(codeOf);

  expect(ends(events)).toEqual(["cancel interrupted"]);
  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ error: { code: "INTERRUPTED" } });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "interrupted" });
  expect(late).toBe("QUESTION_ENDED");
  expect((await world.conversations.get(lost.id)).questions).toEqual([]);
});

test("[attack:bounds-questions] a call with 1,000 questions shows 20", async () => {
  const asking = await begin(Array.from({ length: 1_000 }, () => plain));
  await using world = asking.world;
  for (let count = 0; count < 20; count += 1) {
    let open = (await world.conversations.get(asking.id)).questions;
    while (open.length === 0 || asking.answers.length < count)
      open = (await world.conversations.get(asking.id)).questions;
    for (const { questionId } of open) await asking.answer(questionId, "Porto");
  }
  const events = await asking.events();

  expect(events.filter(({ type }) => type === "question-request")).toHaveLength(20);
  expect(asking.answers).toHaveLength(1_000);
  expect(asking.answers.at(20)).toEqual({ action: "cancel", reason: "limit" });
});

test("[attack:mcp-question-text] hidden and control characters are escaped in question text, rejected in values", async () => {
  const evil = "\u001B[2J\u0007\u202E\u200B";
  const escaped = String.raw`\u001b[2J\u0007\u202e\u200b`;
  const words = { title: `City${evil}`, description: `a${evil}b\r\nc` };
  const choice = (value: string): QuestionField => ({
    kind: "choice",
    name: "pick",
    isRequired: false,
    options: [{ value, title: `A${evil}` }],
  });
  const asking = await begin([
    {
      message: `Which${evil}\u2028city?`,
      fields: [{ ...city, ...words }, choice("a")],
    },
    { ...plain, fields: [{ ...city, name: `city${evil}` }] },
    { ...plain, fields: [choice(evil)] },
  ]);
  await using world = asking.world;
  const questionId = await asking.questionId();
  const [shown] = (await world.conversations.get(asking.id)).questions;
  await asking.answer(questionId, "Porto");
  await asking.events();

  expect(shown).toMatchObject({
    message: `Which${escaped}\ncity?`,
    fields: [
      { name: "city", title: `City${escaped}`, description: `a${escaped}b\nc` },
      { name: "pick", options: [{ value: "a", title: `A${escaped}` }] },
    ],
  });
  expect(asking.answers.slice(1)).toEqual([
    expect.stringContaining("the name of field 1 is empty, too long, or no text"),
    expect.stringContaining("has a choice that is too long, or no text"),
  ]);
});

test("askValues rejects an invalid question with a reason", async () => {
  const fields = (given: readonly unknown[]): unknown => ({ ...plain, fields: given });
  const many = Array.from({ length: 51 }, (_, index) => ({ ...city, name: String(index) }));
  const options = Array.from({ length: 201 }, (_, index) => ({ value: String(index), title: "x" }));
  const asking = await begin([
    "text",
    fields([{ kind: "object", name: "a", isRequired: true }]),
    fields(many),
    fields([city, city]),
    fields([{ kind: "choice", name: "a", isRequired: false, options }]),
    fields([{ kind: "choice", name: "a", isRequired: false, options: [] }]),
    fields([{ ...city, name: "__proto__" }]),
  ]);
  await using _ = asking.world;
  await asking.events();

  expect(asking.answers.map((answer) => JSON.stringify(answer).replaceAll(/\\n|\s+/g, " "))).toEqual([
    expect.stringContaining("expected object"),
    expect.stringContaining("fields[0].kind"),
    expect.stringContaining("Too big"),
    expect.stringContaining('two fields are named \\"city\\"'),
    expect.stringContaining("more than 200 choices"),
    expect.stringContaining("has no choices"),
    expect.stringContaining("the name of field 1"),
  ]);
});

test("export and import keep how a question ended", async () => {
  const asking = await begin([plain]);
  await using world = asking.world;
  await asking.answer(await asking.questionId(), "Porto");
  await asking.events();
  const lines = await collect(world.conversations.exportLines(asking.id));
  await using other = await createWorld();

  const taken = await other.conversations.importLines(linesOf(lines));
  const late = await other.approvals
    .answerQuestion(taken.id, await asking.questionId(), { action: "decline" })
    .catch(codeOf);

  expect(JSON.stringify(lines)).not.toContain("Porto");
  expect(taken.lastSeq).toBe((await world.conversations.get(asking.id)).lastSeq);
  expect(late).toBe("QUESTION_ENDED");
});

test("a field that seems to ask for a secret is marked", async () => {
  const names = ["password", "githubToken", "api_key", "city", "pinCode", "spinner"];
  const asking = await begin([{ ...plain, fields: names.map((name) => ({ ...city, name })) }]);
  await using world = asking.world;
  await asking.questionId();

  const [question] = (await world.conversations.get(asking.id)).questions;

  const marked = question?.fields.flatMap(({ name, looksSecret }) => (looksSecret === true ? [name] : []));
  expect(marked).toEqual(["password", "githubToken", "api_key", "pinCode"]);
  await world.conversations.stop(asking.id);
});
