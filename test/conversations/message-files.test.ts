import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { messageFilesSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess, incipit, type CommandResult } from "../support/host-process.ts";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("files of a conversation are listed and removed over HTTP, except non-pictures", async () => {
  await using folder = await createTempFolder();
  const config = join(folder.path, "incipit.toml");
  await Bun.write(config, "");
  await using host = await HostProcess.start({ data: join(folder.path, "data"), config, cwd: folder.path });
  const call = async (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${host.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${host.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const made = await (await call("POST", "/conversations", {})).json();
  const { id } = z.object({ conversation: z.object({ id: z.string() }) }).parse(made).conversation;
  const file = (data: string): object => ({ type: "file", mediaType: "image/jpeg", data, filename: "photo.jpg" });

  const refused = await call("POST", `/conversations/${id}/turns`, { input: [file(btoa("hello, world!"))] });
  await (await call("POST", `/conversations/${id}/turns`, { input: [file(dot)] })).text();
  const list = messageFilesSchema.parse(await (await call("GET", `/conversations/${id}/files`)).json());
  const path = `/conversations/${id}/files/${list.files[0]?.id}`;
  const removed = messageFilesSchema.parse(await (await call("DELETE", path)).json());

  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("photo.jpg")]);
  expect(list.files).toMatchObject([{ filename: "photo.jpg", mediaType: "image/png", sizeBytes: 70 }]);
  expect(removed.files).toMatchObject([{ removedAt: expect.any(String) }]);
});

test("a conversation with a rejected picture continues after its replacement or removal", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const config = join(folder.path, "incipit.toml");
  const data = join(folder.path, "data");
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(config, `model = "local/test"\n${provider}`);
  model.answer = (body) =>
    body.includes("image_url")
      ? { kind: "error", status: 400, body: '{"error":{"message":"Could not process image"}}' }
      : undefined;
  await using host = await HostProcess.start({ data, config, cwd: folder.path });
  const command = (...args: readonly string[]): Promise<CommandResult> =>
    incipit([...args, "--data", data, "--config", config], { cwd: folder.path, home: folder.path });
  const { id } = await host.createConversation();
  const send = async (input: unknown): Promise<unknown> => (await host.turn(id, { input })).at(-1);
  const picture = [{ type: "file", mediaType: "image/png", data: dot, filename: "dot.png" }];

  const refused = await send(picture);
  const listed = await command("conversations", "files", id);
  const [fileId = ""] = listed.stdout.split(" ");
  const path = `/conversations/${id}/files/${fileId}`;
  await host.json(path, {
    method: "PUT",
    body: { mediaType: "text/plain", data: btoa("a dot"), filename: "dot.txt" },
  });
  const replaced = await send("What is it?");
  const seen = model.requests.at(-1)?.body;
  const other = await send([...picture, { type: "text", text: "Again" }]);
  const removed = await command("conversations", "remove-file", id, fileId);
  const last = await send("Go on");
  const unknown = await command("conversations", "remove-file", id, "000000000000");

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
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const config = join(folder.path, "incipit.toml");
  const data = join(folder.path, "data");
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(config, `model = "local/test"\n${provider}`);
  // Trailing bytes count towards the size and are dropped by re-encoding.
  const large = Buffer.concat([Buffer.from(dot, "base64"), Buffer.alloc(5_700_000)]);
  await Bun.write(join(folder.path, "large.png"), large);
  await Bun.write(join(folder.path, "far.png"), Buffer.concat([large, large]));
  await using _ = await HostProcess.start({ data, config, cwd: folder.path });
  const command = (...args: readonly string[]): Promise<CommandResult> =>
    incipit([...args, "--data", data, "--config", config], { cwd: folder.path, home: folder.path });

  const asked = await command("What is it?", "--file", "large.png");
  const refused = await command("What is it?", "--file", "far.png");

  expect([asked.exitCode, asked.stderr]).toEqual([0, expect.any(String)]);
  const [sent] = model.requests;
  expect(sent?.body).toContain("data:image/png;base64,iVBORw0KGgo");
  expect(sent?.body.length).toBeLessThan(100_000);
  expect([refused.exitCode, model.requests.length]).toEqual([1, 1]);
  expect(refused.stderr).toContain("make it smaller, or attach less");
}, 60_000);
