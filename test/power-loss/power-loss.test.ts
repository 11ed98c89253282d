import { createTempFolder, RecordingBotServer, SignInServer } from "@incipit/testkit";
import { createClient, pageKeyHeader, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { writeExtension } from "../extension-manager/manager-world.ts";
import { sourceCommand, type HostProcess } from "../support/host-process.ts";
import { World } from "../support/world.ts";
import { answerNotes } from "../mcp/notes-server.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { DiskSnapshot, DiskRecord, type Survival, type Remains } from "./disk-record.ts";

const seed = Number(process.env["POWER_LOSS_SEED"] ?? Math.floor(Math.random() * 2 ** 32));

const lucks: Readonly<Record<string, () => Survival>> = {
  "nothing of it": () => nothing,
  "names without their content": () => ({ hasContent: () => false, hasNames: () => true }),
  "content without its names": () => ({ hasContent: () => true, hasNames: () => false }),
  "some of it": () => {
    const random = randomNumbers(seed);
    const chosen = new Map<string, boolean>();
    const choose = (what: string): boolean => {
      const isThere = chosen.get(what) ?? random() < 0.5;
      chosen.set(what, isThere);
      return isThere;
    };
    return { hasContent: (id) => choose(`content ${id}`), hasNames: (id) => choose(`names ${id}`) };
  },
};
const nothing: Survival = { hasContent: () => false, hasNames: () => false };
const whole: Survival = { hasContent: () => true, hasNames: () => true };

/** Files without acknowledged data: of the running host, drafts, and files that SQLite rebuilds from its log. */
const passing = /^\.local\/share\/incipit\/(host\.json|.*\.lock|lock|.*-journal|incipit\.db-shm)$|\.(new|tmp)$/;
/** Not compared by content: SQLite syncs the first itself, and the restart at the end shows the content of both. */
const ofDatabase = /^\.local\/share\/incipit\/incipit\.db(-wal)?$/;

function acknowledged(remains: Remains): Readonly<Record<string, string>> {
  const entries = [...remains].filter(([path]) => !passing.test(path));
  return Object.fromEntries(
    entries.map(([path, content]) => {
      if (ofDatabase.test(path)) return [path, "a database"];
      if ("target" in content) return [path, `to ${content.target}`];
      // The time of last use is informational and not acknowledged.
      return [
        path,
        Buffer.from(content)
          .toString()
          .replaceAll(/"lastUsedAt": .*/g, ""),
      ];
    }),
  );
}

interface Running extends Pick<World, "home" | "work" | "model"> {
  readonly signIns: SignInServer;
  readonly bot: RecordingBotServer;
  readonly host: HostProcess;
  readonly client: Client;
  readonly clientWith: (token: string) => Client;
  /** Runs while the host runs; its syncs are recorded, too. */
  readonly run: (...args: readonly string[]) => Promise<string>;
  readonly setup: (config: string, ...answers: readonly (readonly [string, string])[]) => Promise<void>;
}

const agent = (prompt: string): string => `---\ndescription: Helps\n---\n${prompt}\n`;

async function newestOf(client: Client): Promise<string> {
  const { conversations } = await client.call(routes.listConversations, { query: { limit: 1 } });
  return conversations[0]?.id ?? "none";
}

async function signInTo(name: string, { client, signIns }: Running): Promise<void> {
  const { authorizationUrl } = await client.call(routes.beginToolServerSignIn, {
    params: { name },
    body: { redirectUrl: "http://127.0.0.1:9/callback" },
  });
  const address = await signIns.allow(authorizationUrl);
  await client.call(routes.finishToolServerSignIn, { params: { name }, body: { address } });
}

async function signInToPage({ client, host }: Running): Promise<Readonly<Record<string, string>>> {
  const { url } = await client.call(routes.createSignInLink);
  const response = await fetch(`${host.url}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: new URL(url).hash.replace(/^#(?:.*=)?/, "") }),
  });
  const { key } = z.object({ key: z.string() }).parse(await response.json());
  const [cookie = ""] = response.headers.getSetCookie();
  return { cookie: cookie.replace(/;.*/s, ""), [pageKeyHeader]: key, origin: host.url };
}

async function allowAlways(
  command: string,
  { client, model, work }: Running,
  answer: { readonly forFolder?: true },
): Promise<string> {
  const { conversation } = await client.call(routes.createConversation, { body: { title: command, cwd: work } });
  const { id } = conversation;
  model.enqueueCall("shell", { command });
  let isAsked = false;
  for await (const event of client.sendTurn(id, { input: "Run it." }))
    if (event.type === "approval-request") {
      isAsked = true;
      await client.call(routes.answerApproval, {
        params: { id, approvalId: event.approvalId },
        body: { decision: "allow-always", scope: "exact", ...answer },
      });
    }
  if (!isAsked) throw new Error(`Nobody was asked about "${command}"`);
  return id;
}

const changes: Readonly<Record<string, (world: Running) => Promise<unknown>>> = {
  "the start": async () => undefined,
  "an extension is added, with a grant": ({ client, home }) =>
    client.call(routes.addExtension, {
      body: { path: join(home, "one"), grant: { net: ["one.example:443"] } },
    }),
  "another one is added": ({ client, home }) =>
    client.call(routes.addExtension, { body: { path: join(home, "two") } }),
  "one is swapped, with another grant": ({ client, home }) =>
    client.call(routes.swapExtension, {
      params: { id: "acme.one" },
      body: { path: join(home, "one"), grant: {} },
    }),
  "one is removed": ({ client }) => client.call(routes.removeExtension, { params: { id: "acme.two" } }),
  "a token is made": ({ client }) =>
    client.call(routes.createToken, { body: { scopes: ["read"], days: 9, name: "kept" } }),
  "a token is made, used and revoked": async ({ client, clientWith }) => {
    const { token, secret } = await client.call(routes.createToken, {
      body: { scopes: ["read"], days: 9, name: "revoked" },
    });
    await clientWith(secret).call(routes.listExtensions);
    await client.call(routes.revokeToken, { params: { id: token.id } });
  },
  "a token is used": async ({ client, clientWith }) => {
    const { secret } = await client.call(routes.createToken, { body: { scopes: ["read"], days: 9, name: "used" } });
    await clientWith(secret).call(routes.listExtensions);
  },
  "a folder is trusted": async ({ run }) => {
    const [, sha256 = ""] = /--sha256 ([0-9a-f]{64})/.exec(await run("trust")) ?? [];
    await run("trust", "add", "--sha256", sha256);
  },
  "trust is taken back": async ({ home, run }) => {
    const [, sha256 = ""] = /--sha256 ([0-9a-f]{64})/.exec(await run("trust", "show", join(home, "other"))) ?? [];
    await run("trust", "add", join(home, "other"), "--sha256", sha256);
    await run("trust", "remove", join(home, "other"));
  },
  "a schedule is made": ({ client }) =>
    client.call(routes.createSchedule, { body: { id: "kept", task: "Look", every: "1h" } }),
  "a schedule is paused": ({ client }) =>
    client.call(routes.updateSchedule, { params: { id: "kept" }, body: { paused: true } }),
  "an agent is made in a folder": ({ client, work }) =>
    client.call(routes.putProfile, {
      params: { name: "poet" },
      body: { text: agent("Rhyme."), cwd: work },
      headers: { "if-none-match": "*" },
    }),
  "an agent is made for all folders": ({ client, work }) =>
    client.call(routes.putProfile, {
      params: { name: "mine" },
      body: { text: agent("Mine."), cwd: work, user: true },
      headers: { "if-none-match": "*" },
    }),
  "an agent is changed": ({ client, work }) =>
    client.call(routes.putProfile, {
      params: { name: "poet" },
      body: { text: agent("Rhyme well."), cwd: work },
      headers: { "if-match": "*" },
    }),
  "an agent is removed": async ({ client, work }) => {
    await client.call(routes.putProfile, {
      params: { name: "gone" },
      body: { text: agent("Gone."), cwd: work },
      headers: { "if-none-match": "*" },
    });
    await client.call(routes.deleteProfile, {
      params: { name: "gone" },
      query: { cwd: work },
      headers: { "if-match": "*" },
    });
  },
  "the template is changed": ({ client }) =>
    client.call(routes.setSystemPrompt, { body: { template: "Be brief." } }),
  "a conversation is made": ({ client }) => client.call(routes.createConversation, { body: { title: "kept" } }),
  "incipit agents new": ({ run }) => run("agents", "new", "typed"),
  "incipit agents new, for all folders": ({ run }) => run("agents", "new", "typed-mine", "--user"),
  "incipit agents remove": async ({ run }) => {
    await run("agents", "new", "typed-gone");
    await run("agents", "remove", "typed-gone", "--yes");
  },
  "a conversation is deleted": async ({ client }) => {
    const { conversation } = await client.call(routes.createConversation, { body: { title: "gone" } });
    await client.call(routes.deleteConversation, { params: { id: conversation.id } });
  },
  "a model writes and changes a file": async ({ model, run }) => {
    model.enqueueCall("write_file", { path: "made/by/model.md", content: "One\n" });
    model.enqueueCall("read_file", { path: "made/by/model.md" });
    model.enqueueCall("edit_file", { path: "made/by/model.md", oldText: "One", newText: "Two" });
    await run("Write it.", "--allow", "write_file", "--allow", "edit_file");
  },
  "what a model did to files is taken back": async ({ client, model, run }) => {
    model.enqueueCall("write_file", { path: "made/for/nothing.md", content: "Gone\n" });
    await run("Write that.", "--allow", "write_file");
    await run("undo", await newestOf(client), "--yes");
  },
  "an answer goes to a file": ({ run }) => run("Hello", "-o", "answer.md"),
  "a conversation goes to a file": async ({ client, run }) =>
    run("conversations", "export", await newestOf(client), "conversation.jsonl"),
  "a user signs in to an MCP server": (world) => signInTo("kept", world),
  "a user signs out of an MCP server": async (world) => {
    await signInTo("gone", world);
    await world.client.call(routes.signOutOfToolServer, { params: { name: "gone" } });
  },
  "a browser signs in to the page": signInToPage,
  "a browser signs out of the page": async (world) => {
    const headers = await signInToPage(world);
    const response = await fetch(`${world.host.url}/session`, { method: "DELETE", headers });
    expect(response.ok).toBe(true);
  },
  "a call is always allowed in a conversation": (world) => allowAlways("sleep 0", world, {}),
  "a call is always allowed in a folder": (world) => allowAlways("sleep 0.0", world, { forFolder: true }),
  "an allowed call is taken back": async (world) => {
    const id = await allowAlways("sleep 0.00", world, {});
    const { allowed } = await world.client.call(routes.listAllowed, { params: { id } });
    for (const { id: approvalId } of allowed)
      await world.client.call(routes.takeBackAllowed, { params: { id, approvalId } });
  },
  "incipit setup": ({ home, run }) =>
    run("setup", "--yes", "--model", "offline/echo", "--config", join(home, "own/new.toml")),
  "incipit setup over a file that is there": ({ home, setup }) =>
    setup(
      join(home, "own/new.toml"),
      ["Write a new one in its place? [y/N] ", "y\r"],
      ["ask before each change or command? [Y/n] ", "\r"],
    ),
  "a channel keeps a file that a user sent": async ({ bot, client }) => {
    const { pairingCode } = await client.call(routes.createPairingCode, { params: { id: "telegram" } });
    const user = bot.person({ name: "Ada" });
    user.says(pairingCode.code);
    await bot.waitFor(({ sent }) => sent.length > 0);
    const before = bot.sent.length;
    user.sends({ kind: "document", bytes: new TextEncoder().encode("a,b\n"), name: "table.csv" });
    await bot.waitFor(({ sent }) => sent.length > before);
  },
  "incipit mcp add": ({ run }) => run("mcp", "add", "server", "--", "true"),
};

const made = [
  ".config/incipit/agents/mine.md",
  ".config/incipit/agents/typed-mine.md",
  ".local/share/incipit/extensions.json",
  ".local/share/incipit/incipit.db",
  ".local/share/incipit/token",
  ".local/share/incipit/tokens.json",
  ".local/share/incipit/trust.json",
  "work/.agents/poet.md",
  "work/.agents/typed.md",
  expect.stringMatching(/^work\/\.incipit\/inbox\/.*table\.csv$/),
  "own/new.toml",
  expect.stringMatching(/^own\/new\.toml\.old-/),
  "work/answer.md",
  "work/conversation.jsonl",
  "work/made/by/model.md",
];

/** Compared by a host that starts with the files. */
const inDatabase: ReadonlySet<string> = new Set([
  "a schedule is made",
  "a schedule is paused",
  "the template is changed",
  "a conversation is made",
  "a conversation is deleted",
  "a user signs in to an MCP server",
  "a user signs out of an MCP server",
  "a call is always allowed in a conversation",
  "an allowed call is taken back",
]);

async function storedBy({ client }: HostProcess): Promise<object> {
  const { schedules } = await client.call(routes.listSchedules, { query: { limit: 100 } });
  const { conversations } = await client.call(routes.listConversations, { query: { limit: 100 } });
  const states = ["kept", "gone"].map(async (name) => {
    const { server } = await client.call(routes.startToolServer, { params: { name } });
    return { name, state: server.state };
  });
  const allowed = conversations.map(async ({ id }) => {
    const answer = await client.call(routes.listAllowed, { params: { id } });
    return answer.allowed;
  });
  return {
    servers: await Promise.all(states),
    allowed: await Promise.all(allowed),
    schedules: schedules.map(({ id, paused }) => ({ id, paused })),
    template: (await client.call(routes.getSystemPrompt)).template,
    conversations: conversations.map(({ id, title }) => ({ id, title })),
  };
}

async function shownBy(host: HostProcess, work: string): Promise<object> {
  const { token, client } = host;
  const { extensions } = await client.call(routes.listExtensions);
  const { tokens } = await client.call(routes.listTokens);
  const { profiles } = await client.call(routes.listProfiles, { query: { cwd: work } });
  const { folders } = await client.call(routes.listTrustedFolders);
  return {
    token,
    extensions: extensions.flatMap(({ id, path, phase, granted }) =>
      path === null ? [] : [{ id, phase, granted }],
    ),
    tokens: tokens.map(({ id, kind, state }) => ({ id, kind, state })),
    profiles: profiles.map(({ name, source, problem }) => ({ name, source, problem })),
    folders: folders.map(({ path, files, allowed }) => ({
      path,
      files,
      allowed: allowed.map(({ id, grants }) => ({ id, grants })),
    })),
    ...(await storedBy(host)),
  };
}

async function lay(remains: Remains, home: string): Promise<void> {
  await mkdir(join(home, "work"), { recursive: true });
  for (const [path, content] of remains) {
    if (content instanceof Uint8Array) await Bun.write(join(home, path), content, { mode: 0o600 });
    else await symlink(content.target, join(home, path));
  }
}

// Needs `/proc` to resolve an open file, so Linux only.
test.skipIf(process.platform !== "linux")(
  "[never-lost] after a loss of power the host has every change that it or the CLI acknowledged",
  async () => {
    process.stderr.write(`POWER_LOSS_SEED=${seed}\n`);
    await using folder = await createTempFolder();
    await using signIns = new SignInServer({ mcp: answerNotes });
    await using bot = new RecordingBotServer();
    await using world = await World.start({
      config: `tools.workspace = true
[mcp.servers.kept]
url = "${signIns.url}"
oauth = true
[mcp.servers.gone]
url = "${signIns.url}"
oauth = true
[channels.telegram]
enabled = true
api_root = "${bot.url}"
`,
      files: {
        ".git/HEAD": "ref: refs/heads/main\n",
        "incipit.toml": "[prompt]\n",
        "../other/incipit.toml": "[prompt]\n",
      },
    });
    const { home, work, model } = world;
    await writeExtension(join(home, "one"), {
      manifest: { id: "acme.one", capabilities: { net: ["one.example:443"] } },
    });
    await writeExtension(join(home, "two"), { manifest: { id: "acme.two" } });
    const record = DiskRecord.begin(join(folder.path, "record"), home);
    const command = [
      ...sourceCommand.slice(0, -1),
      "--preload",
      join(import.meta.dir, "record-syncs.ts"),
      ...sourceCommand.slice(-1),
    ];
    const env = { SYNC_RECORD: record.path, BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(folder.path, "transpiled") };
    const lost: string[] = [];
    let moment: DiskSnapshot;
    let shown: object;
    {
      // None of its data folders exists yet.
      await using host = await world.host({ command, env: { ...env, TELEGRAM_BOT_TOKEN: bot.token } });
      const clientWith = (token: string): Client => createClient({ url: host.url, token });
      const { client } = host;
      const run = async (...args: readonly string[]): Promise<string> => {
        const { exitCode, stdout, stderr } = await world.run(args, { command, env });
        if (exitCode !== 0) throw new Error(`incipit ${args.join(" ")}: ${stderr}`);
        return stdout;
      };
      const setup: Running["setup"] = async (file, ...answers) => {
        const words = ["setup", "--model", "offline/echo", "--config", file];
        const { exitCode, screen } = await world.atTerminal([], answers, { command: [...command, ...words], env });
        if (exitCode !== 0) throw new Error(screen);
      };
      const look = (): DiskSnapshot =>
        new DiskSnapshot(home, record, { unseen: ".local/share/incipit/incipit.db" });
      const storedAfter = async (name: string): Promise<object> => {
        const copy = join(folder.path, name);
        await lay(moment.after(nothing), copy);
        await using other = await world.host({ data: join(copy, ".local/share/incipit"), home: copy });
        return await storedBy(other);
      };
      moment = look();
      for (const [name, change] of Object.entries(changes)) {
        await change({ home, work, model, signIns, bot, host, client, clientWith, run, setup });
        moment = look();
        const there = acknowledged(moment.after(whole));
        for (const [luck, lucky] of Object.entries(lucks)) {
          const left = acknowledged(moment.after(lucky()));
          const paths = [...new Set([...Object.keys(there), ...Object.keys(left)])];
          lost.push(
            ...paths.filter((path) => there[path] !== left[path]).map((path) => `${name}: ${luck}: ${path}`),
          );
        }
        if (inDatabase.has(name))
          expect({ name, stored: await storedAfter(name) }).toEqual({ name, stored: await storedBy(host) });
      }
      shown = await shownBy(host, work);
      expect([...moment.after(whole).keys()]).toEqual(expect.arrayContaining(made));
      expect(shown).toMatchObject({
        servers: [{ state: "running" }, { state: "failed" }],
        folders: [{ path: work, allowed: [{ grants: ["shell(sleep 0.0)"] }] }],
        allowed: expect.arrayContaining([[expect.objectContaining({ grants: ["shell(sleep 0)"] })]]),
        tokens: expect.arrayContaining([expect.objectContaining({ kind: "browser", state: "active" })]),
      });
    }
    expect(lost).toEqual([]);

    for (const [luck, lucky] of Object.entries(lucks)) {
      await rm(home, { recursive: true });
      await lay(moment.after(lucky()), home);
      await using host = await world.host();
      expect({ luck, shown: await shownBy(host, work) }).toEqual({ luck, shown });
    }
  },
);
