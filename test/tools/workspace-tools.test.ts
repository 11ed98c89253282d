import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { symlink, utimes } from "node:fs/promises";
import * as z from "zod";
import { World } from "../support/world.ts";

const sentSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.unknown() })) });
const options = { config: "tools.workspace = true", model: { isStrict: true } };

test("a model finds files by name without approval, newest first, only in its conversation's folder", async () => {
  await using world = await World.start({ ...options, files: { "../secret.ts": "" } });
  for (const [index, name] of ["b.ts", "src/a.ts", "src/c.js", "node_modules/d.ts"].entries()) {
    await world.write(name, "");
    await utimes(world.path(name), index + 1, index + 1);
  }
  await symlink("../secret.ts", world.path("link.ts"));
  for (const pattern of ["**/*.ts", "../*.ts"]) world.model.enqueueCall("find_files", { pattern });
  const host = await world.host();

  await host.turn((await host.createConversation()).id, { input: "go" });

  const sent = sentSchema.parse(JSON.parse(world.lastBody));
  const results = sent.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  expect(results).toEqual(["src/a.ts\nb.ts", expect.stringContaining('"pattern" has ".."')]);
}, 300_000);

test("a model reads without approval and edits with it, in its conversation's folder", async () => {
  await using world = await World.start({ ...options, files: { "a.txt": "old text" } });
  world.model.enqueueCall("read_file", { path: "a.txt" });
  world.model.enqueueCall("edit_file", { path: "a.txt", oldText: "old", newText: "new" });
  const host = await world.host();
  const { id } = await host.createConversation();

  const asked: string[] = [];
  for await (const event of host.client.sendTurn(id, { input: "go" })) {
    if (event.type !== "approval-request") continue;
    asked.push(event.name);
    expect(await world.read("a.txt")).toBe("old text");
    const { approvalId } = event;
    await host.client.call(routes.answerApproval, { params: { id, approvalId }, body: { decision: "allow" } });
  }

  expect(asked).toEqual(["edit_file"]);
  expect(await world.read("a.txt")).toBe("new text");
  expect(world.bodies.map((body) => body.includes("old text"))).toEqual([false, true, true]);
  expect(world.lastBody).toContain('Edited \\"a.txt\\"');
}, 300_000);
