import { startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess, incipit, type CommandResult, type HostProcessOptions } from "../support/host-process.ts";
import { attack } from "./attack.ts";

const id = "0199a000-0000-7000-8000-00000000000a";
const turnId = "0199a000-0000-7000-8000-00000000000b";

interface ArchiveWorld {
  readonly options: HostProcessOptions;
  readonly model: RecordingModelServer;
  readonly run: (...words: readonly string[]) => Promise<CommandResult>;
  readonly archive: (cwd: string, records?: readonly unknown[]) => Promise<string>;
}

async function withWorld(
  { folder, command }: { readonly folder: string; readonly command: readonly string[] },
  attempt: (world: ArchiveWorld) => Promise<unknown>,
): Promise<unknown> {
  await using model = await startRecordingModelServer();
  const config = join(folder, "incipit.toml");
  const data = join(folder, "data");
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(config, `model = "local/test"\n[tools]\nworkspace = true\n${provider}`);
  const at = "2026-11-21T10:00:00.000Z";
  const conversation = {
    id,
    model: "local/test",
    profile: null,
    title: null,
    archived: false,
    epoch: 1,
    lastSeq: 0,
  };
  return await attempt({
    options: { data, config, cwd: folder, command },
    model,
    run: (...words) =>
      incipit([...words, "--data", data, "--config", config], { cwd: folder, home: folder, command }),
    async archive(cwd, records = []) {
      const lines = [
        { type: "incipit-conversation", version: 1 },
        { type: "conversation", value: { ...conversation, cwd, createdAt: at, updatedAt: at } },
        ...records,
        { type: "end", records: records.length },
      ];
      const path = join(folder, "sent.jsonl");
      await Bun.write(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return path;
    },
  });
}

attack("archive-waiting-turn", {
  attempt: ({ isControl, ...given }) =>
    withWorld(given, async ({ archive, run, options, model }) => {
      const value = { conversationId: id, turnId, state: "queued", request: { input: "run me" } };
      const record = { type: "record", kind: "waiting", key: turnId, value };
      const { stderr } = await run("conversations", "import", await archive("/", isControl ? [] : [record]));
      await using host = await HostProcess.start(options);
      if (isControl) await host.turn(id, { input: "run me" });
      await host.kill("SIGTERM");
      return [stderr.includes("[NOT_A_HISTORY]"), model.requests.length];
    }),
  held: [true, 0],
  bites: [false, 1],
});

attack("archive-folder-unasked", {
  attempt: ({ isControl, ...given }) =>
    withWorld(given, async ({ archive, run, options, model }) => {
      const cwd = join(options.cwd, "private");
      await Bun.write(join(cwd, "diary.txt"), "dear diary");
      let of: string = id;
      if (isControl) {
        await using host = await HostProcess.start(options);
        ({ id: of } = await host.createConversation({ cwd }));
        await host.kill("SIGTERM");
      } else await run("conversations", "import", await archive(cwd));
      model.enqueue({
        kind: "tool-calls",
        calls: [{ id: "call-1", name: "read_file", arguments: '{"path": "diary.txt"}' }],
      });
      await run("-s", of, "Where were we?");
      const told = model.requests.map(({ body }) => body);
      return [told.length, told.some((body) => body.includes("dear diary"))];
    }),
  held: [2, false],
  bites: [2, true],
});

attack("archive-folder-link", {
  attempt: ({ isControl, ...given }) =>
    withWorld(given, async ({ archive, run, options, model }) => {
      const [cwd, diary] = [join(options.cwd, "sent"), join(options.cwd, "private")];
      await Bun.write(join(diary, "diary.txt"), "dear diary");
      await symlink(diary, cwd);
      if (!isControl) await run("conversations", "import", await archive(cwd));
      model.enqueue({
        kind: "tool-calls",
        calls: [{ id: "call-1", name: "read_file", arguments: '{"path": "diary.txt"}' }],
      });
      await using host = await HostProcess.start(options);
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
      return { asked, isTold: model.requests.some(({ body }) => body.includes("dear diary")) };
    }),
  held: { asked: ["where it leads"], isTold: false },
  bites: { asked: [], isTold: true },
});
