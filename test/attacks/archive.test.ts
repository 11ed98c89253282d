import { routes, createClient } from "@incipit/transport-contract";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { HostWorld } from "../support/host-world.ts";
import { attack } from "./attack.ts";

const id = "0199a000-0000-7000-8000-00000000000a";
const turnId = "0199a000-0000-7000-8000-00000000000b";

interface ArchiveWorld {
  readonly world: HostWorld;
  readonly archive: (cwd: string, records?: readonly unknown[]) => Promise<string>;
}

async function withWorld(
  { folder, command }: { readonly folder: string; readonly command: readonly string[] },
  attempt: (given: ArchiveWorld) => Promise<unknown>,
): Promise<unknown> {
  await using world = await HostWorld.create({ folder, command, config: "[tools]\nworkspace = true" });
  const at = "2026-11-21T10:00:00.000Z";
  const times = { createdAt: at, updatedAt: at };
  const fixed = { model: "local/test", profile: null, title: null, archived: false, epoch: 1, lastSeq: 0 };
  return await attempt({
    world,
    async archive(cwd, records = []) {
      const lines = [
        { type: "incipit-conversation", version: 1 },
        { type: "conversation", value: { id, cwd, ...fixed, ...times } },
        ...records,
        { type: "end", records: records.length },
      ];
      const path = join(folder, "sent.jsonl");
      await Bun.write(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return path;
    },
  });
}

const readDiary = {
  kind: "tool-calls",
  calls: [{ id: "call-1", name: "read_file", arguments: '{"path": "diary.txt"}' }],
} as const;

attack("archive-waiting-turn", {
  attempt: ({ isControl, ...given }) =>
    withWorld(given, async ({ archive, world }) => {
      const value = { conversationId: id, turnId, state: "queued", request: { input: "run me" } };
      const record = { type: "record", kind: "waiting", key: turnId, value };
      const { stderr } = await world.run("conversations", "import", await archive("/", isControl ? [] : [record]));
      await using host = await world.start();
      if (isControl) await host.turn(id, { input: "run me" });
      await host.kill("SIGTERM");
      return [stderr.includes("[NOT_A_HISTORY]"), world.model.requests.length];
    }),
  held: [true, 0],
  bites: [false, 1],
});

attack("archive-folder-unasked", {
  attempt: ({ isControl, ...given }) =>
    withWorld(given, async ({ archive, world }) => {
      const cwd = join(world.cwd, "private");
      await Bun.write(join(cwd, "diary.txt"), "dear diary");
      let of: string = id;
      if (isControl) {
        await using host = await world.start();
        ({ id: of } = await host.createConversation({ cwd }));
        await host.kill("SIGTERM");
      } else await world.run("conversations", "import", await archive(cwd));
      world.model.enqueue(readDiary);
      await world.run("-s", of, "Where were we?");
      const told = world.model.requests.map(({ body }) => body);
      return [told.length, told.some((body) => body.includes("dear diary"))];
    }),
  held: [2, false],
  bites: [2, true],
});

attack("archive-folder-link", {
  attempt: ({ isControl, ...given }) =>
    withWorld(given, async ({ archive, world }) => {
      const [cwd, diary] = [join(world.cwd, "sent"), join(world.cwd, "private")];
      await Bun.write(join(diary, "diary.txt"), "dear diary");
      await symlink(diary, cwd);
      if (!isControl) await world.run("conversations", "import", await archive(cwd));
      world.model.enqueue(readDiary);
      await using host = await world.start();
      const of = isControl ? (await host.createConversation({ cwd })).id : id;
      const { url, token } = host;
      const client = createClient({ url, token });
      await host.json(`/conversations/${of}/turns`, {
        body: { input: "go" },
        headers: { prefer: "respond-async" },
      });
      const asked: unknown[] = [];
      for await (const event of client.followEvents(of, { afterSeq: 0 })) {
        if (event.type === "turn-end") break;
        if (event.type !== "approval-request") continue;
        asked.push(event.folder === diary ? "where it leads" : event.folder);
        const params = { id: of, approvalId: event.approvalId };
        await client.call(routes.answerApproval, { params, body: { decision: "deny" } });
      }
      return { asked, isTold: world.model.requests.some(({ body }) => body.includes("dear diary")) };
    }),
  held: { asked: ["where it leads"], isTold: false },
  bites: { asked: [], isTold: true },
});
