import {
  modelProvidersPoint,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
} from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { createWorld, finish, pixel, say, type World } from "../testing/test-world.ts";

const signed = { vendor: { signature: "c2ln\u0000\n🎉", nested: { list: [1, null, "é"] } } };
const tool = { name: "look", description: "", inputSchema: {}, isReadOnly: true, execute: async () => "seen" };

async function* signedCall(): AsyncGenerator<ModelEvent> {
  yield { type: "reasoning-start", partId: "r" };
  yield { type: "reasoning-end", partId: "r", metadata: signed };
  yield { type: "reasoning-start", partId: "s" };
  yield { type: "reasoning-delta", partId: "s", text: "Hm" };
  yield { type: "reasoning-end", partId: "s" };
  yield { type: "tool-call", toolCallId: "t", name: "look", input: "{}", metadata: signed };
  yield { ...finish, finishReason: "tool-calls" };
}

async function addProvider(
  world: World,
  takes: Pick<ModelProvider, "acceptsFile" | "acceptsToolFile">,
): Promise<ModelRequest[]> {
  const requests: ModelRequest[] = [];
  const provider: ModelProvider = {
    id: "other",
    models: [],
    problem: null,
    ...takes,
    async *stream(request) {
      requests.push(request);
      yield* say("Other");
    },
  };
  await world.add("test.other", (host) => host.contribute(modelProvidersPoint, provider));
  return requests;
}

test("send returns reasoning and vendor metadata unchanged, across turns and a restart", async () => {
  await using world = await createWorld({ tools: [tool], scripts: [signedCall] });
  const { id } = await world.ask("one");
  await world.turn(id, "two");
  await using restarted = await createWorld({ tools: [tool], storage: world.storage });
  await restarted.turn(id, "three");

  const said = {
    role: "assistant",
    parts: [
      { type: "reasoning", text: "", metadata: signed },
      { type: "reasoning", text: "Hm" },
      { type: "tool-call", toolCallId: "t", name: "look", input: "{}", metadata: signed },
    ],
    model: "test/model",
  };
  const later = [...world.requests.slice(1), ...restarted.requests];
  expect(later).toHaveLength(3);
  for (const { messages } of later) expect(JSON.stringify(messages[1])).toBe(JSON.stringify(said));
});

test("send omits reasoning and vendor metadata for other providers only", async () => {
  await using world = await createWorld({ tools: [tool], scripts: [signedCall] });
  const { id } = await world.conversations.create({});
  const requests = await addProvider(world, {});
  await world.turn(id, "one");
  await world.turn(id, "two", { model: "other/x" });
  await world.turn(id, "three");

  const call = { type: "tool-call", toolCallId: "t", name: "look", input: "{}" } as const;
  expect(requests[0]?.messages[1]).toEqual({ role: "assistant", model: "test/model", parts: [call] });
  expect(world.requests.at(-1)?.messages.slice(0, 4)).toEqual([
    ...(world.requests[1]?.messages ?? []),
    expect.anything(),
  ]);
});

test("send stores files unchanged and passes them to a supporting model", async () => {
  await using world = await createWorld();
  const requests = await addProvider(world, {
    acceptsFile: ({ model, mediaType }) => model === "x" && mediaType === "image/png",
  });
  const { id } = await world.conversations.create({ model: "other/x" });
  const input = [{ type: "text", text: "What is\u0000 \n🎉" }, pixel, { type: "text", text: "?" }] as const;
  const events = await world.turn(id, [...input]);

  expect(requests[0]?.messages).toEqual([{ role: "user", parts: [...input] }]);
  expect(events.find(({ type }) => type === "turn-start")).toMatchObject({
    input: "What is\u0000 \n🎉\n[file: a.png, image/png, 70 bytes]\n?",
  });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
});

test("send fails a turn with an unsupported file before the request, and the conversation continues", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  const other = await addProvider(world, { acceptsFile: () => true });
  const refused = await world.turn(id, [{ type: "text", text: "See" }, pixel]);
  await world.turn(id, "two");
  await world.turn(id, "three");
  await world.turn(id, "four", { model: "other/x" });

  expect(refused.at(-1)).toMatchObject({ status: "failed", error: { code: "INPUT_UNSUPPORTED" } });
  expect(JSON.stringify(refused.at(-1))).toContain("image/png");
  expect(JSON.stringify(refused.at(-1))).toContain("test/model");
  const left = {
    type: "text",
    text: "See\n[file: a.png, image/png, 70 bytes; omitted: this model does not accept it]",
  } as const;
  expect(world.requests.map(({ messages }) => messages[0]?.parts)).toEqual([[left], [left]]);
  expect(other[0]?.messages[0]?.parts).toEqual([{ type: "text", text: "See" }, pixel]);
});

test("send removes lone surrogates from stored replies and keeps pairs", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("a\ud83d 🎉");
  await world.turn(id, [{ type: "text", text: "\udc00b" }]);

  const said = world.requests.at(-1)?.messages.filter(({ role }) => role === "user");

  expect(said?.map(({ parts }) => parts)).toEqual([
    [{ type: "text", text: "a\ufffd 🎉" }],
    [{ type: "text", text: "\ufffdb" }],
  ]);
});

test("send keeps a message with only an empty part out of the history", async () => {
  await using world = await createWorld({
    scripts: [
      async function* () {
        yield { type: "text-start", partId: "0" };
        yield { type: "text-end", partId: "0", metadata: signed };
        yield finish;
      },
    ],
  });
  const { id } = await world.ask("one");
  await world.turn(id, "two");

  expect(world.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "user"]);
});

test("send passes result files to a supporting model, and a description to others", async () => {
  const picture = pixel.data;
  const camera = {
    ...tool,
    execute: async () => ({ text: "seen", files: [{ mediaType: "image/x-png", data: picture }] }),
  };
  await using world = await createWorld({ tools: [camera], scripts: [signedCall] });
  const other = await addProvider(world, { acceptsToolFile: ({ mediaType }) => mediaType === "image/png" });
  const { id, events } = await world.ask("one");
  await world.turn(id, "two", { model: "other/x" });
  await world.turn(id, "three");

  const result = { type: "tool-result", toolCallId: "t", name: "look", isError: false } as const;
  const line = "[file: image/png, 70 bytes; omitted: this model does not accept it]";
  const named = { ...result, output: `seen\n${line}` };
  expect(world.requests.slice(1).map(({ messages }) => messages[2]?.parts)).toEqual([[named], [named]]);
  expect(other[0]?.messages[2]?.parts).toEqual([
    { ...result, output: "seen", files: [{ type: "file", mediaType: "image/png", data: picture }] },
  ]);
  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ output: "seen", fileCount: 1 });
});

test("oversized tool images are shrunk, and a damaged one is described", async () => {
  const wide = await new Bun.Image(Buffer.from(pixel.data, "base64"))
    .resize(9_000, 3, { fit: "fill" })
    .png()
    .buffer();
  // Trailing bytes exceed the size limit, and re-encoding removes them.
  const heavy = Buffer.concat([Buffer.from(pixel.data, "base64"), Buffer.alloc(6_000_000)]);
  const damaged = wide.subarray(0, 40);
  const files = [wide, heavy, damaged].map((content) => ({
    mediaType: "image/png",
    data: content.toString("base64"),
  }));
  const camera = { ...tool, execute: async () => ({ text: "seen", files }) };
  await using world = await createWorld({ tools: [camera], scripts: [signedCall] });
  const other = await addProvider(world, { acceptsToolFile: ({ mediaType }) => mediaType === "image/png" });
  const { id } = await world.ask("one");
  await world.turn(id, "two", { model: "other/x" });

  const [result] = other[0]?.messages[2]?.parts ?? [];
  if (result?.type !== "tool-result") throw new Error("There is a result");
  const made = (result.files ?? []).map(({ data }) => Buffer.from(data, "base64"));
  const sides = await Promise.all(made.map((content) => new Bun.Image(content).metadata()));
  expect(sides.map(({ width, height }) => [width, height])).toEqual([
    [2_000, 1],
    [1, 1],
  ]);
  expect(made[1]?.length).toBeLessThan(1_000);
  expect(result.output).toBe(
    "seen\n[file: image/png, 40 bytes; left out: it begins as a PNG picture, and is damaged or cut off; send the whole file]",
  );
});
