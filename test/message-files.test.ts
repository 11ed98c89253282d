import { createTempFolder } from "@incipit/testkit";
import { messageFilesSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess } from "./host-process.ts";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a file of a conversation is listed and removed over HTTP, and one that is no picture is refused", async () => {
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
