import { messageFilesSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { World } from "../support/world.ts";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("files of a conversation are listed and removed over HTTP, except non-pictures", async () => {
  await using world = await World.start();
  const host = await world.host();
  const { id } = await host.createConversation();
  const file = (data: string): object => ({ type: "file", mediaType: "image/jpeg", data, filename: "photo.jpg" });

  const refused = await host.fetch(`/conversations/${id}/turns`, {
    body: { input: [file(btoa("hello, world!"))] },
  });
  await host.turn(id, { input: [file(dot)] });
  const list = messageFilesSchema.parse(await host.json(`/conversations/${id}/files`));
  const path = `/conversations/${id}/files/${list.files[0]?.id}`;
  const removed = messageFilesSchema.parse(await host.json(path, { method: "DELETE" }));

  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("photo.jpg")]);
  expect(list.files).toMatchObject([{ filename: "photo.jpg", mediaType: "image/png", sizeBytes: 70 }]);
  expect(removed.files).toMatchObject([{ removedAt: expect.any(String) }]);
});

test("a conversation with a rejected picture continues after its replacement or removal", async () => {
  await using world = await World.start();
  const { model } = world;
  model.answer = (body) =>
    body.includes("image_url")
      ? { kind: "error", status: 400, body: '{"error":{"message":"Could not process image"}}' }
      : undefined;
  const host = await world.host();
  const { id } = await host.createConversation();
  const send = async (input: unknown): Promise<unknown> => (await host.turn(id, { input })).at(-1);
  const picture = [{ type: "file", mediaType: "image/png", data: dot, filename: "dot.png" }];

  const refused = await send(picture);
  const listed = await world.run(["conversations", "files", id]);
  const [fileId = ""] = listed.stdout.split(" ");
  const path = `/conversations/${id}/files/${fileId}`;
  const body = { mediaType: "text/plain", data: btoa("a dot"), filename: "dot.txt" };
  await host.json(path, { method: "PUT", body });
  const replaced = await send("What is it?");
  const seen = world.lastBody;
  const other = await send([...picture, { type: "text", text: "Again" }]);
  const removed = await world.run(["conversations", "remove-file", id, fileId]);
  const last = await send("Go on");
  const unknown = await world.run(["conversations", "remove-file", id, "000000000000"]);

  expect(refused).toMatchObject({
    status: "failed",
    error: {
      code: "FILE_REFUSED",
      message: expect.stringContaining(`incipit conversations remove-file ${id} ${fileId}`),
    },
  });
  expect(listed.stdout).toContain("dot.png, image/png, 70 bytes");
  expect([replaced, other, last]).toMatchObject([
    { status: "completed" },
    { status: "failed", error: { code: "FILE_REFUSED" } },
    { status: "completed" },
  ]);
  expect(seen).toContain("removed by the user");
  expect(seen).toContain("dot.txt");
  expect([removed.exitCode, removed.stdout]).toEqual([
    0,
    `Removed ${fileId}: the next message is sent without it\n`,
  ]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining("000000000000")]);
}, 60_000);

test("a picture above 5 MiB from --file is shrunk by the host for the provider", async () => {
  await using world = await World.start();
  // Trailing bytes count towards the size and are dropped by re-encoding.
  const large = Buffer.concat([Buffer.from(dot, "base64"), Buffer.alloc(5_700_000)]);
  await world.write("large.png", large);
  await world.write("far.png", Buffer.concat([large, large]));
  await world.host();

  const asked = await world.run(["What is it?", "--file", "large.png"]);
  const refused = await world.run(["What is it?", "--file", "far.png"]);

  expect([asked.exitCode, asked.stderr]).toEqual([0, expect.any(String)]);
  const [sent] = world.model.requests;
  expect(sent?.body).toContain("data:image/png;base64,iVBORw0KGgo");
  expect(sent?.body.length).toBeLessThan(100_000);
  expect([refused.exitCode, world.model.requests.length]).toEqual([1, 1]);
  expect(refused.stderr).toContain("make it smaller, or attach less");
}, 60_000);
