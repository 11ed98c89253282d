import { messageFilesHandle, type ModelEvent } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { createWorld, outcomeOf, say } from "../testing/test-world.ts";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const png = { type: "file", mediaType: "image/png", data: dot, filename: "a.png" } as const;

async function* refuse(): AsyncGenerator<ModelEvent> {
  yield {
    type: "failure",
    error: { code: "FILE_REFUSED", message: "Could not process image", isRetryable: false },
  };
}

test("removeMessageFile removes a rejected file from the next request and records the time", async () => {
  await using world = await createWorld({ takesFiles: true });
  const files = world.service(messageFilesHandle);
  const { id } = await world.ask("one");
  world.scripts.push(refuse);
  const refused = await world.turn(id, [png, { type: "text", text: "What is it?" }]);
  const [file] = await files.messageFiles(id);
  if (file === undefined) throw new Error("There is a file");

  const removed = await files.removeMessageFile(id, file.id);
  world.scripts.push(() => say("answer"));
  const next = await world.turn(id, "two");
  const { items } = await world.records.messages(id, { limit: 10 });

  expect(refused.at(-1)).toMatchObject({ status: "failed", error: { code: "FILE_REFUSED" } });
  expect(JSON.stringify(refused.at(-1))).toContain(`remove-file ${id} ${file.id}`);
  expect(file).toMatchObject({ filename: "a.png", mediaType: "image/png", sizeBytes: 70 });
  expect(removed).toMatchObject([{ id: file.id, removedAt: expect.any(String) }]);
  expect(next.at(-1)).toMatchObject({ status: "completed" });
  expect(JSON.stringify(world.requests.at(-1)?.messages)).not.toContain(dot);
  expect(JSON.stringify(world.requests.at(-1)?.messages)).toContain(
    "a.png, image/png, 70 bytes; removed by the user at",
  );
  expect(items[2]?.parts[0]).toMatchObject({ type: "file", data: dot, removedAt: removed[0]?.removedAt });
  const again = await outcomeOf(files.removeMessageFile(id, file.id));
  expect(again).toMatchObject({ code: "MESSAGE_UNKNOWN" });
});

test("removeMessageFile replaces a file across a restart, and the audit reports history-edited", async () => {
  const world = await createWorld({ takesFiles: true });
  const { id } = await world.ask([png]);
  const bmp = Buffer.from(dot, "base64");
  const other = await new Bun.Image(bmp).resize(2, 2).png().buffer();
  const files = world.service(messageFilesHandle);
  const [file] = await files.messageFiles(id);
  await files.removeMessageFile(id, file?.id ?? "", { mediaType: "image/png", data: other.toString("base64") });
  await world[Symbol.asyncDispose]();
  await using restarted = await createWorld({ takesFiles: true, storage: world.storage });
  await restarted.turn(id, "two");
  await restarted.turn(id, "three");

  const [first] = restarted.requests;
  expect(first?.messages[0]?.parts).toMatchObject([
    { type: "text", text: expect.stringContaining("removed by the user") },
    { type: "file", data: other.toString("base64") },
  ]);
  const { items } = await restarted.records.steps(id, { limit: 10 });
  expect(items.map(({ differenceReason }) => differenceReason)).toEqual(["first-step", "history-edited", null]);
});

test("messageFiles lists a file at its newest message", async () => {
  await using world = await createWorld({ takesFiles: true });
  const { id } = await world.conversations.create({});
  const made = await new Bun.Image(Buffer.from(dot, "base64")).resize(2, 2).png().buffer();
  const other = { ...png, data: made.toString("base64"), filename: "b.png" };
  for (const file of [png, other, png]) await world.turn(id, [file]);

  const listed = await world.service(messageFilesHandle).messageFiles(id);

  expect(listed.map(({ filename }) => filename)).toEqual(["b.png", "a.png"]);
});
