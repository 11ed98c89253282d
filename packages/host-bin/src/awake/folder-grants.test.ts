import { expect, test } from "bun:test";
import { defineExtension, type Extension } from "@incipit/kernel";
import { folderGrantsHandle, type FolderGrant } from "@incipit/service-contract";
import { askingTool } from "./testing/asking-tool.ts";
import { ChatsWorld } from "./testing/chats-world.ts";

const everythingAllowed: Extension = defineExtension(
  { id: "test.grants", version: "1.0.0", api: "^1", provides: ["folder-grants@1"] },
  (host) => {
    const grant: FolderGrant = {
      id: "1",
      tool: "paint",
      by: { kind: "host", extension: "test.tool" },
      grants: ["paint"],
      allowedAt: "2026-11-27T12:00:00.000Z",
    };
    host.provideService(folderGrantsHandle, {
      allowedIn: async () => ({ identity: "1-1", allowed: [grant] }),
      allow: async () => undefined,
      takeBack: async () => {},
    });
  },
);

test("[attack:folder-grant-chat] a lasting approval in a folder does not apply to a request from a chat", async () => {
  const ran: string[] = [];
  await using world = await ChatsWorld.start({
    extensions: [askingTool(ran), everythingAllowed],
    defaults: { model: "tool/model" },
  });

  world.service.say("Paint it");
  await world.service.until(() => world.service.sent.length === 1);

  expect(world.service.texts()[0]).toContain("`paint`");
  expect(ran).toEqual([]);

  const { id } = await world.conversations.create({});
  await world.conversations.send(id, { input: "Paint it" });
  while (ran.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  expect(ran).toEqual(['{"colour":"red"}']);
}, 300_000);
