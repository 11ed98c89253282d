import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess } from "../support/host-process.ts";

const sentSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.unknown() })) });

test("a model finds files by name without approval, newest first, only in its conversation's folder", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer({ isStrict: true });
  const config = join(folder.path, "incipit.toml");
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(config, `model = "local/test"\n[tools]\nworkspace = true\n${provider}`);
  const cwd = join(folder.path, "work");
  for (const [index, name] of ["b.ts", "src/a.ts", "src/c.js", "node_modules/d.ts"].entries()) {
    await Bun.write(join(cwd, name), "");
    await utimes(join(cwd, name), index + 1, index + 1);
  }
  await Bun.write(join(folder.path, "secret.ts"), "");
  await symlink("../secret.ts", join(cwd, "link.ts"));
  const patterns = ["**/*.ts", "../*.ts"];
  for (const [index, pattern] of patterns.entries()) {
    const find = { id: `call-${index}`, name: "find_files", arguments: JSON.stringify({ pattern }) };
    model.enqueue({ kind: "tool-calls", calls: [find] });
  }
  model.enqueue({ kind: "text", chunks: ["Done."] });
  await using host = await HostProcess.start({ data: join(folder.path, "data"), config, cwd: folder.path });
  const client = createClient({ url: host.url, token: host.token });
  const { conversation } = await client.call(routes.createConversation, { body: { cwd } });

  await host.turn(conversation.id, { input: "go" });

  const sent = sentSchema.parse(JSON.parse(model.requests.at(-1)?.body ?? ""));
  const results = sent.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  expect(results).toEqual(["src/a.ts\nb.ts", expect.stringContaining('"pattern" has ".."')]);
}, 300_000);

test("a model reads without approval and edits with it, in its conversation's folder", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer({ isStrict: true });
  const config = join(folder.path, "incipit.toml");
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(config, `model = "local/test"\n[tools]\nworkspace = true\n${provider}`);
  const cwd = join(folder.path, "work");
  await Bun.write(join(cwd, "a.txt"), "old text");
  const edit = { path: "a.txt", oldText: "old", newText: "new" };
  model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call-1", name: "read_file", arguments: '{"path": "a.txt"}' }] },
    { kind: "tool-calls", calls: [{ id: "call-2", name: "edit_file", arguments: JSON.stringify(edit) }] },
    { kind: "text", chunks: ["Done."] },
  );
  await using host = await HostProcess.start({ data: join(folder.path, "data"), config, cwd: folder.path });
  const client = createClient({ url: host.url, token: host.token });
  const { conversation } = await client.call(routes.createConversation, { body: { cwd } });
  const params = { id: conversation.id };
  await host.json(`/conversations/${conversation.id}/turns`, {
    body: { input: "go" },
    headers: { prefer: "respond-async" },
  });

  const asked: string[] = [];
  for await (const event of client.followEvents(conversation.id, { afterSeq: 0 })) {
    if (event.type === "turn-end") break;
    if (event.type !== "approval-request") continue;
    asked.push(event.name);
    expect(await Bun.file(join(cwd, "a.txt")).text()).toBe("old text");
    await client.call(routes.answerApproval, {
      params: { ...params, approvalId: event.approvalId },
      body: { decision: "allow" },
    });
  }

  expect(asked).toEqual(["edit_file"]);
  expect(await Bun.file(join(cwd, "a.txt")).text()).toBe("new text");
  expect(model.requests.map(({ body }) => body.includes("old text"))).toEqual([false, true, true]);
  expect(model.requests.at(-1)?.body).toContain('Edited \\"a.txt\\"');
}, 300_000);
