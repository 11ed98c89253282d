import {
  modelProvidersPoint,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
} from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { compactionRequest } from "./compaction-prompt.ts";
import { createWorld, say, taking, type World } from "../testing/test-world.ts";

const long = (tokens: number): string => "word".repeat(tokens);

async function addSmall(
  world: World,
  { window, isKnown = true }: { window: number; isKnown?: boolean },
): Promise<ModelRequest[]> {
  const requests: ModelRequest[] = [];
  const provider: ModelProvider = {
    id: "small",
    models: [],
    problem: null,
    contextWindow: async () => (isKnown ? window : undefined),
    async *stream(request): AsyncGenerator<ModelEvent> {
      requests.push(request);
      const tokens = JSON.stringify(request.messages).length / 4;
      if (tokens <= window) yield* taking(Math.ceil(tokens), say("small answer"));
      else {
        const message = `This model's maximum context length is ${window} tokens; compact the conversation, or take a model with a larger window`;
        yield { type: "failure", error: { code: "CONTEXT_TOO_LONG", message, isRetryable: false } };
      }
    },
  };
  await world.add("test.small", (host) => host.contribute(modelProvidersPoint, provider));
  return requests;
}

function isSummary({ messages }: ModelRequest): boolean {
  const [part] = messages.at(-1)?.parts ?? [];
  return part?.type === "text" && part.text === compactionRequest();
}

test("a conversation of 60k tokens is compacted by the larger model before switching to 32k", async () => {
  await using world = await createWorld({ contextWindow: 200_000 });
  const small = await addSmall(world, { window: 32_000 });
  const { id } = await world.ask(
    long(60_000),
    () => taking(60_000, say("answer")),
    () => say("SUMMARY"),
  );

  const events = await world.turn(id, "two", { model: "small/x" });

  expect(events.at(-1)).toMatchObject({ status: "completed" });
  expect(world.requests.map(isSummary)).toEqual([false, true]);
  expect(small.map(isSummary)).toEqual([false]);
  expect(JSON.stringify(small[0]?.messages)).toContain("SUMMARY");
});

test("compact never sends a history larger than the window, even if the larger model fails", async () => {
  await using world = await createWorld({ contextWindow: 200_000 });
  const small = await addSmall(world, { window: 32_000 });
  const { id } = await world.ask(
    long(60_000),
    () => taking(60_000, say("answer")),
    async function* () {
      yield { type: "failure", error: { code: "UNAUTHORIZED", message: "No key", isRetryable: false } };
    },
  );

  const events = await world.turn(id, "two", { model: "small/x" });

  expect(events.at(-1)).toMatchObject({ status: "completed" });
  expect(small.map(isSummary)).toEqual([true, false]);
  for (const { messages } of small) expect(JSON.stringify(messages).length / 4).toBeLessThan(32_000);
});

test("a window named in an error is learned, and longer requests are not repeated", async () => {
  await using world = await createWorld();
  const small = await addSmall(world, { window: 8_000, isKnown: false });
  const { id } = await world.conversations.create({ model: "small/x" });
  await world.turn(id, "one");
  const first = await world.turn(id, long(6_000));
  const second = await world.turn(id, long(6_000));
  const refused = small.filter(({ messages }) => JSON.stringify(messages).length / 4 > 8_000);
  const third = await world.turn(id, long(6_000));

  expect([first, second, third].map((events) => events.at(-1))).toMatchObject([
    { status: "completed" },
    { status: "completed" },
    { status: "completed" },
  ]);
  expect(refused).toHaveLength(1);
  expect(small.filter(({ messages }) => JSON.stringify(messages).length / 4 > 8_000)).toHaveLength(1);
});

test("a learned window is forgotten when a longer request succeeds", async () => {
  await using world = await createWorld();
  world.scripts.push(() => refusal("This model's maximum context length is 2000 tokens"));
  const { id } = await world.ask("one");
  world.scripts.push(() => taking(9_000, say("two")));
  await world.turn(id, long(1_000));
  const before = world.requests.length;

  await world.turn(id, long(4_000));
  await world.turn(id, long(4_000));

  expect(world.requests.slice(before).map(isSummary)).toEqual([false, false]);
});

async function* refusal(message: string): AsyncGenerator<ModelEvent> {
  yield { type: "failure", error: { code: "CONTEXT_TOO_LONG", message, isRetryable: false } };
}
