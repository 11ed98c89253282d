import { openTrustStore, type TrustStore } from "@incipit/host/trust";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { ApiClientError, createClient, routes, type Client } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cp, mkdir, realpath, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig } from "../config/parse-config.ts";
import { createHost, type RunningHost } from "../create-host.ts";

interface Outcome {
  readonly isAsked: boolean;
  readonly forFolder?: string | undefined;
  readonly allowedBy?: string | undefined;
}

interface World extends AsyncDisposable {
  readonly root: string;
  readonly work: string;
  readonly trust: TrustStore;
  readonly client: Client;
  readonly host: RunningHost;
  readonly model: RecordingModelServer;
  run(
    command: string,
    options?: { readonly cwd?: string; readonly answer?: Answer; readonly id?: string },
  ): Promise<Outcome>;
}

interface Answer {
  readonly decision: "allow" | "allow-always" | "deny";
  readonly scope?: string;
  readonly forFolder?: boolean;
}

const deny: Answer = { decision: "deny" };
const always: Answer = { decision: "allow-always", scope: "prefix", forFolder: true };

async function newWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const model = stack.use(await startRecordingModelServer());
  const root = await realpath(folder.path);
  const work = join(root, "work");
  await mkdir(join(work, ".git"), { recursive: true });
  const dataFolder = join(root, "data");
  const config = parseConfig(
    `listen.port = 0\nmodel = "local/test"\ntools.workspace = true\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"`,
    "test",
  );
  // The host uses it to recognize system programs.
  const env = { PATH: process.env["PATH"] };
  const host = stack.use(await createHost({ config, dataFolder, cwd: root, env, writeLog: () => undefined }));
  const trust = openTrustStore(dataFolder, () => undefined);
  trust.trust(work, {});
  const client = createClient(host);
  const owned = stack.move();
  return {
    root,
    work,
    trust,
    client,
    host,
    model,
    async run(command, { cwd = work, answer = deny, id: known } = {}) {
      model.enqueue(
        { kind: "tool-calls", calls: [{ id: "call-1", name: "shell", arguments: JSON.stringify({ command }) }] },
        { kind: "text", chunks: ["Done."] },
      );
      const id = known ?? (await client.call(routes.createConversation, { body: { cwd } })).conversation.id;
      let outcome: Outcome = { isAsked: false };
      for await (const event of client.sendTurn(id, { input: "Do it now" })) {
        if (event.type === "tool-call-end" && !outcome.isAsked)
          outcome = { isAsked: false, allowedBy: event.allowedBy };
        if (event.type !== "approval-request") continue;
        const params = { id, approvalId: event.approvalId };
        // Permission for an imported conversation to use tools at all is a separate question.
        const folderBody: Answer | undefined = event.folder === undefined ? undefined : { decision: "allow" };
        if (folderBody === undefined) outcome = { isAsked: true, forFolder: event.forFolder };
        await client.call(routes.answerApproval, { params, body: folderBody ?? answer });
      }
      return outcome;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test("a lasting folder approval applies to later conversations, is listed, and ends when revoked", async () => {
  await using world = await newWorld();

  const first = await world.run("git status", { answer: always });
  const later = await world.run("git status --short");
  const other = await world.run("git log");
  const elsewhere = await world.run("git status", { cwd: world.root });
  const { folders } = await world.client.call(routes.listTrustedFolders);
  const id = folders[0]?.allowed[0]?.id ?? "";
  world.trust.takeBack(id);
  const takenBack = await world.run("git status");

  expect(first).toEqual({ isAsked: true, forFolder: world.work });
  expect(later).toEqual({ isAsked: false, allowedBy: `shell(git status:*) of "always" in "${world.work}"` });
  expect([other.isAsked, elsewhere.isAsked]).toEqual([true, true]);
  expect(elsewhere.forFolder).toBeUndefined();
  expect(folders[0]?.allowed).toMatchObject([
    { tool: "shell", by: { kind: "host", extension: "workspace-tools" }, grants: ["shell(git status:*)"] },
  ]);
  expect(takenBack.isAsked).toBe(true);
});

test("a lasting folder approval survives renewed trust and is stored once", async () => {
  await using world = await newWorld();
  await world.run("git status", { answer: always });
  await world.run("git log", { answer: always });

  world.trust.trust(world.work, { "AGENTS.md": "a".repeat(64) });
  world.trust.trustAlso(world.work, { "other.md": "b".repeat(64) });

  expect((await world.run("git status")).isAsked).toBe(false);
  expect(world.trust.folder(world.work)?.allowed).toHaveLength(2);
});

test("a folder approval that cannot be stored allows nothing, and the question stays open", async () => {
  await using world = await newWorld();
  await world.run("git log", { answer: always });
  const before = world.trust.folder(world.work)?.allowed;
  using database = new Database(join(world.root, "data/incipit.db"));
  const { conversation } = await world.client.call(routes.createConversation, { body: { cwd: world.work } });
  world.model.enqueue(
    {
      kind: "tool-calls",
      calls: [{ id: "call-1", name: "shell", arguments: JSON.stringify({ command: "git status" }) }],
    },
    { kind: "text", chunks: ["Done."] },
  );
  let refused: unknown;
  let left: unknown;
  const ends: unknown[] = [];
  for await (const event of world.client.sendTurn(conversation.id, { input: "Do it now" })) {
    if (event.type === "approval-end" || event.type === "turn-end") ends.push(event);
    if (event.type !== "approval-request") continue;
    const params = { id: conversation.id, approvalId: event.approvalId };
    database.run("CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
    refused = await world.client
      .call(routes.answerApproval, { params, body: always })
      .catch((error: unknown) => error);
    left = world.trust.folder(world.work)?.allowed;
    database.run("DROP TRIGGER full");
    await world.client.call(routes.answerApproval, { params, body: { decision: "allow" } });
  }

  expect(refused).toMatchObject({ code: "STORAGE_FAILED", message: expect.stringContaining("the disk is full") });
  expect(left).toEqual(before);
  expect(ends).toMatchObject([{ decision: "allow" }, { status: "completed" }]);
  expect((await world.run("git status")).isAsked).toBe(true);
  expect((await world.run("git log")).isAsked).toBe(false);
});

test("[attack:folder-grant-outlives-trust] folder approvals end with the folder's trust and do not return with it", async () => {
  await using world = await newWorld();
  await world.run("git status", { answer: always });
  expect((await world.run("git status")).isAsked).toBe(false);

  world.trust.forget(world.work);
  const untrusted = await world.run("git status");
  world.trust.trust(world.work, {});
  const again = await world.run("git status");

  expect(untrusted).toEqual({ isAsked: true, forFolder: undefined });
  expect(again).toEqual({ isAsked: true, forFolder: world.work });
});

test("[attack:folder-grant-replaced] a replaced folder and a link to it need new approval", async () => {
  await using world = await newWorld();
  await world.run("git status", { answer: always });
  const link = join(world.root, "link");
  await symlink(world.work, link);
  const linked = await world.run("git status", { cwd: link });
  const moved = join(world.root, "moved");
  await rename(world.work, moved);
  await cp(moved, world.work, { recursive: true });
  const replaced = await world.run("git status");
  await rm(world.work, { recursive: true });
  await rename(moved, world.work);

  expect(linked).toEqual({ isAsked: true, forFolder: undefined });
  expect(replaced.isAsked).toBe(true);
  expect((await world.run("git status")).isAsked).toBe(false);
});

test("[attack:folder-grant-swapped] an approval for a folder replaced during its question is rejected", async () => {
  await using world = await newWorld();
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "c", name: "shell", arguments: '{"command":"git status"}' }] },
    { kind: "text", chunks: ["Done."] },
  );
  const { conversation } = await world.client.call(routes.createConversation, { body: { cwd: world.work } });
  const moved = join(world.root, "moved");
  let refused: unknown;
  for await (const event of world.client.sendTurn(conversation.id, { input: "Do it now" })) {
    if (event.type !== "approval-request") continue;
    await rename(world.work, moved);
    await mkdir(join(world.work, ".git"), { recursive: true });
    const params = { id: conversation.id, approvalId: event.approvalId };
    refused = await world.client
      .call(routes.answerApproval, { params, body: always })
      .catch((error: unknown) => error);
    await world.client.call(routes.answerApproval, { params, body: deny });
  }

  expect(refused).toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringContaining("the folder was replaced"),
  });
  expect(world.trust.folder(world.work)?.allowed).toEqual([]);
  expect((await world.run("git status")).isAsked).toBe(true);
});

test("[attack:archive-folder-grant] an imported conversation in the folder needs approval despite its archive's claims", async () => {
  await using world = await newWorld();
  await world.run("git status", { answer: always });
  const { conversations } = await world.client.call(routes.listConversations);
  const params = { id: conversations[0]?.id ?? "" };
  const archive = await new Response(await world.client.exportConversation(params.id)).text();
  await world.client.call(routes.deleteConversation, { params });
  const { id } = await world.client.importConversation(new Blob([archive]));

  const moved = await world.client.call(routes.updateConversation, { params: { id }, body: { cwd: world.work } });
  const asked = await world.run("git status", { id });

  expect(moved.conversation.cwd).toBe(world.work);
  expect(asked).toEqual({ isAsked: true, forFolder: undefined });
});

test("[attack:tokens-allow-in-folder] a token with answer scope creates no folder approvals; the host's own does", async () => {
  await using world = await newWorld();
  const body = { name: "answers", scopes: ["read" as const, "converse" as const, "admin" as const], days: 1 };
  const { secret } = await world.client.call(routes.createToken, { body });
  const other = createClient({ url: world.host.url, token: secret, fetch: world.host.fetch });
  world.model.enqueue({
    kind: "tool-calls",
    calls: [{ id: "call-1", name: "shell", arguments: JSON.stringify({ command: "git status" }) }],
  });
  const { conversation } = await world.client.call(routes.createConversation, { body: { cwd: world.work } });
  const refused: unknown[] = [];
  for await (const event of world.client.sendTurn(conversation.id, { input: "Do it now" })) {
    if (event.type !== "approval-request") continue;
    const params = { id: conversation.id, approvalId: event.approvalId };
    refused.push(
      await other.call(routes.answerApproval, { params, body: always }).catch((error: unknown) => error),
    );
    await other.call(routes.answerApproval, { params, body: { decision: "deny" } });
  }

  expect(refused).toEqual([expect.any(ApiClientError)]);
  expect(refused).toMatchObject([{ code: "FORBIDDEN_SCOPE" }]);
  expect(world.trust.folder(world.work)?.allowed).toEqual([]);
});
