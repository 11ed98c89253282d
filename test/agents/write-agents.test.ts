import { openTrustStore } from "@incipit/host/trust";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { systemTexts } from "../support/request-body.ts";
import { TokenWorld } from "../tokens/token-world.ts";
import { agentFile, createAgentsWorld, refusalOf, type AgentsWorld } from "./agents-world.ts";
import { changeAgent, filesBelow, newAgent, readAgent, removeAgent } from "./written.ts";

/** Easily lost: CRLF, a byte order mark, foreign keys, comments, their order, trailing blanks. */
const foreign =
  '\u{feff}---\r\n# ours\r\nzeta: [1,  2]   # kept\r\nname: poet\r\nhooks: { Stop: "x" }\r\n---\r\n\r\nYou rhyme.  \r\n\r\n';

const several = [
  "# Ours\n\nWhat people should know.\n\n\n",
  "## one\n\n```agent\n# why\nmodel:   local/x\nunknown: { a: 1 }\n```\n\nYou are one.\n",
  "\n\n\n",
  "## two ##\n```yaml agent\n```\nYou are two.   \n\nAnd more.\n",
  "\n",
  "### three\n~~~agent\ntools: read_file\n~~~\n\nYou are three.",
];

async function told(world: AgentsWorld, profile: string): Promise<readonly unknown[]> {
  return systemTexts((await world.turn(await world.begin({ profile }), "hello")).body);
}

test("PUT /profiles/NAME updates an agent's own file with immediate and lasting effect", async () => {
  await using world = await createAgentsWorld();
  const file = await world.write(".agents/poet.md", foreign);
  await world.trust(".agents/poet.md");
  const id = await world.begin({ profile: "poet" });
  const { body: before } = await world.turn(id, "one");
  const { text, etag, profile } = await readAgent(world, "poet");

  // As the page's editor sends it: changed, with line feeds.
  const edited = (text ?? "").replaceAll("\r\n", "\n").replace("\u{feff}", "").replace("rhyme", "sing");
  const written = await changeAgent(world, "poet", { text: edited, etag });

  expect(text).toBe(foreign);
  expect(profile).toMatchObject({
    name: "poet",
    source: { tier: "folder", path: file },
    systemPrompt: "You rhyme.  ",
  });
  expect(await Bun.file(file).bytes()).toEqual(Buffer.from(foreign.replace("rhyme", "sing")));
  expect(written).toMatchObject({
    text: foreign.replace("rhyme", "sing"),
    profile: { systemPrompt: "You sing.  " },
  });
  expect(written.etag).not.toBe(etag);
  expect(await readAgent(world, "poet")).toEqual(written);
  expect(systemTexts((await world.turn(id, "two")).body)).toEqual(systemTexts(before));
  expect(await told(world, "poet")).toEqual(["You sing.  "]);
  await world.restart();
  expect(await told(world, "poet")).toEqual(["You sing.  "]);
});

test("PUT /profiles/NAME changes one section of agents.md and keeps all other bytes", async () => {
  await using world = await createAgentsWorld();
  for (const lineEnd of ["\n", "\r\n"]) {
    const parts = several.map((part) => part.replaceAll("\n", lineEnd));
    const file = await world.write("agents.md", parts.join(""));
    await world.trust("agents.md");
    for (const [index, name] of [
      [1, "one"],
      [3, "two"],
      [5, "three"],
    ] as const) {
      const { text, etag } = await readAgent(world, name);
      expect(text).toBe(parts[index] ?? "");

      await changeAgent(world, name, {
        etag,
        text: (text ?? "").replaceAll("\r\n", "\n").replace("You are", "You were"),
      });

      parts[index] = (parts[index] ?? "").replace("You are", "You were");
      expect(await Bun.file(file).text()).toBe(parts.join(""));
    }
    // A section needs a final line break before the next one.
    const { etag } = await readAgent(world, "one");
    await changeAgent(world, "one", { etag, text: "# one\n```agent\n```\nShort." });
    parts[1] = "# one\n```agent\n```\nShort.\n".replaceAll("\n", lineEnd);
    expect(await Bun.file(file).text()).toBe(parts.join(""));
  }
});

test("agents.md keeps its byte order mark before an agent", async () => {
  await using world = await createAgentsWorld();
  const file = await world.write("agents.md", "\u{feff}# one\n```agent\n```\nYou are one.\n");
  await world.trust("agents.md");
  const { text, etag } = await readAgent(world, "one");

  await changeAgent(world, "one", { etag, text: (text ?? "").replace("are", "were") });

  expect(text).toBe("# one\n```agent\n```\nYou are one.\n");
  expect(await Bun.file(file).bytes()).toEqual(Buffer.from("\u{feff}# one\n```agent\n```\nYou were one.\n"));
});

test("PUT and DELETE /profiles/NAME change one entry of a commented list", async () => {
  await using world = await createAgentsWorld();
  const entries = [
    "  - name: one\n    icon: x # kept\n    systemPrompt: |\n      You are one.\n",
    "  - { name: two, systemPrompt: You are two. }\n",
  ];
  const around = ["# Ours\n\n<!-- castle-config\n# ours\nagents:\n", "-->\n\nMore.\n"];
  const file = await world.write("agents.md", around.join(entries.join("")));
  await world.trust("agents.md");
  const { text, etag } = await readAgent(world, "one");

  await changeAgent(world, "one", { etag, text: (text ?? "").replace("You are one", "You were one") });

  expect(text).toBe(entries[0] ?? "");
  const changed = entries.join("").replace("You are one", "You were one");
  expect(await Bun.file(file).text()).toBe(around.join(changed));
  await removeAgent(world, "one", await readAgent(world, "one"));
  expect(await Bun.file(file).text()).toBe(around.join(entries[1]));
  const last = await readAgent(world, "two");
  expect(await refusalOf(removeAgent(world, "two", last))).toMatchObject({
    code: "PROFILE_INVALID",
    message: expect.stringContaining(file),
  });
  expect(await Bun.file(file).text()).toBe(around.join(entries[1]));
});

test("concurrent edits of two agents in agents.md both apply; edits of the same agent conflict", async () => {
  await using world = await createAgentsWorld();
  const names = Array.from({ length: 12 }, (_, index) => `agent ${index}`);
  const section = (name: string, word: string): string => `# ${name}\n\n\`\`\`agent\n\`\`\`\n\n${word}\n\n`;
  const file = await world.write("agents.md", names.map((name) => section(name, "Old.")).join(""));
  await world.trust("agents.md");
  const seen = await Promise.all(names.map((name) => readAgent(world, name)));

  await Promise.all(
    names.map((name, index) =>
      changeAgent(world, name, { etag: seen[index]?.etag ?? null, text: section(name, `New ${index}.`).trimEnd() }),
    ),
  );

  expect(await Bun.file(file).text()).toBe(names.map((name, index) => section(name, `New ${index}.`)).join(""));
  const { etag } = await readAgent(world, "agent 3");
  const texts = ["Ada.", "Ben."].map((word) => section("agent 3", word).trimEnd());
  const outcomes = await Promise.all(texts.map((text) => refusalOf(changeAgent(world, "agent 3", { etag, text }))));
  const conflict = outcomes.find((outcome) => outcome instanceof Error);
  const now = await readAgent(world, "agent 3");
  const loser = texts.find((text) => `${text}\n` !== now.text);
  expect(outcomes.filter((outcome) => outcome instanceof Error)).toHaveLength(1);
  expect(conflict).toMatchObject({
    code: "PROFILE_CONFLICT",
    details: { yours: loser, theirs: now.text, etag: now.etag },
  });
});

test("PUT /profiles/NAME keeps external edits of other agents and conflicts on its own", async () => {
  await using world = await createAgentsWorld();
  const path = join(world.user, "agents.md");
  const own = await world.write(join(world.user, "agents/poet.md"), agentFile("name: poet", "You rhyme."));
  const { etag } = await readAgent(world, "poet");
  const elsewhere = agentFile("name: poet", "An editor was here.");
  await world.write(own, elsewhere);

  const refused = await refusalOf(changeAgent(world, "poet", { etag, text: agentFile("name: poet", "Mine.") }));

  expect(refused).toMatchObject({
    code: "PROFILE_CONFLICT",
    details: { yours: agentFile("name: poet", "Mine."), theirs: elsewhere },
  });
  expect(await Bun.file(own).text()).toBe(elsewhere);
  expect(await Bun.file(path).exists()).toBe(false);
  // In a working folder, an externally edited file is untrusted and unused.
  const file = await world.write("agents.md", several.join(""));
  await world.trust("agents.md");
  const seen = await readAgent(world, "one");
  await world.write("agents.md", several.join("").replace("three.", "Secret."));
  const hidden = await refusalOf(changeAgent(world, "one", { etag: seen.etag, text: several[1] ?? "" }));
  expect(hidden).toMatchObject({ code: "PROFILE_CONFLICT", details: { theirs: null, etag: null } });
  expect(String(hidden)).toContain("incipit trust add");
  expect(JSON.stringify(hidden)).not.toContain("Secret");
  expect(await Bun.file(file).text()).toContain("Secret");
});

test("PUT /profiles/NAME with If-None-Match creates an agent of folder or user, never overwriting", async () => {
  await using world = await createAgentsWorld();
  await world.trust();
  const text = agentFile("description: New\nunknown: kept", "You are new.");

  const here = await newAgent(world, "new one", { text });
  const mine = await newAgent(world, "mine", { text, user: true });
  const hidden = await newAgent(world, "new one", { text, user: true });

  expect(here).toMatchObject({
    text,
    profile: { source: { tier: "folder", path: join(world.work, ".agents/new one.md") } },
  });
  expect(mine).toMatchObject({ profile: { source: { tier: "user", path: join(world.user, "agents/mine.md") } } });
  expect(await Bun.file(join(world.user, "agents/mine.md")).text()).toBe(text);
  expect(hidden.profile.source.tier).toBe("user");
  expect(hidden.profile.warnings.join()).toContain(join(world.work, ".agents/new one.md"));
  expect((await readAgent(world, "new one")).profile.source.tier).toBe("folder");
  expect(await told(world, "new one")).toEqual(["You are new."]);
  const before = await filesBelow(world.home);
  await world.write(".agents/broken.md", "no agent");
  for (const name of ["new one", "broken"])
    expect(await refusalOf(newAgent(world, name, { text }))).toMatchObject({ code: "PROFILE_EXISTS" });
  const list = "# listed\n```agent\n```\nSaid.\n";
  await world.write("agents.md", list);
  await world.trust("agents.md");
  expect(await refusalOf(newAgent(world, "listed", { text }))).toMatchObject({ code: "PROFILE_EXISTS" });
  const after = await filesBelow(world.home);
  for (const [name, bytes] of Object.entries(before))
    if (!name.startsWith("data/")) expect(after[name]).toBe(bytes);
});

test("DELETE /profiles/NAME removes an agent's file or section if its ETag matches", async () => {
  await using world = await createAgentsWorld();
  const file = await world.write("agents.md", several.join(""));
  await world.write(".agents/poet.md", agentFile("name: poet", "You rhyme."));
  await world.trust("agents.md", ".agents/poet.md");
  const poet = await readAgent(world, "poet");
  const two = await readAgent(world, "two");

  expect(await refusalOf(removeAgent(world, "poet", { etag: two.etag }))).toMatchObject({
    code: "PROFILE_CONFLICT",
    details: { yours: null, theirs: poet.text },
  });
  expect(await removeAgent(world, "poet", poet)).toEqual({ deleted: true });
  expect(await removeAgent(world, "two", two)).toEqual({ deleted: true });

  expect(await Bun.file(join(world.work, ".agents/poet.md")).exists()).toBe(false);
  expect(await Bun.file(file).text()).toBe(several.toSpliced(3, 2).join(""));
  const { profiles } = await world.client.call(routes.listProfiles, { query: { cwd: world.work } });
  expect(profiles.map(({ name }) => name)).toEqual(["one", "three"]);
  expect(await refusalOf(removeAgent(world, "poet", poet))).toMatchObject({ code: "PROFILE_CONFLICT" });
});

test("PUT /profiles/NAME rejects invalid text with its line and changes no file", async () => {
  await using world = await createAgentsWorld({ config: '[profiles.set]\nsystem_prompt = "Set."' });
  await world.write(".agents/poet.md", agentFile("name: poet", "You rhyme."));
  await world.write("agents.md", several.join(""));
  await world.trust(".agents/poet.md", "agents.md");
  const before = await filesBelow(world.work);
  const invalid = (line: number | null): object => ({ code: "PROFILE_INVALID", details: { line } });
  const cases: readonly (readonly [string, string, object])[] = [
    ["poet", "You rhyme.", invalid(1)],
    ["poet", "---\nname: poet\n", invalid(1)],
    ["poet", "---\nname: poet\nmodel: [\n---\n", { code: "PROFILE_INVALID" }],
    ["poet", agentFile("name: pirate", "You sail."), invalid(1)],
    ["poet", agentFile("name: ../up", "You climb."), { code: "PROFILE_INVALID" }],
    ["poet", `${agentFile("name: poet", "x")}\0`, invalid(null)],
    ["poet", `${agentFile("name: poet", "x")}\ud800`, invalid(null)],
    ["poet", agentFile("name: poet", "x".repeat(1_200_000)), invalid(null)],
    ["two", "You are two.", invalid(1)],
    ["two", "# two\n\nNo block.\n", invalid(1)],
    ["two", "# other\n```agent\n```\nx\n", invalid(1)],
    ["two", "# two\n```agent\na: [\n```\nx\n", { code: "PROFILE_INVALID" }],
    ["two", "# two\n```agent\n```\nx\n# more\n```agent\n```\ny\n", invalid(null)],
    // An unclosed block would swallow the next agent.
    ["two", "# two\n```agent\n```\nx\n````\n", invalid(1)],
    ["set", agentFile("name: set", "x"), { code: "PROFILE_CONFIGURED" }],
    ["nobody", agentFile("name: nobody", "x"), { code: "PROFILE_CONFLICT" }],
  ];

  for (const [name, text, error] of cases) {
    const etag = (await readAgent(world, name).catch(() => undefined))?.etag ?? "*";
    const refused = await refusalOf(changeAgent(world, name, { text, etag }));
    expect({ text: text.slice(0, 60), refused }).toMatchObject({ text: text.slice(0, 60), refused: error });
  }
  expect(await filesBelow(world.work)).toEqual(before);
});

test("PUT and DELETE /profiles/NAME require a precondition", async () => {
  await using world = await createAgentsWorld();
  await world.write(".agents/poet.md", agentFile("name: poet", "You rhyme."));
  await world.trust(".agents/poet.md");
  const before = await filesBelow(world.work);
  const { client, work: cwd } = world;
  const { etag } = await readAgent(world, "poet");
  const params = { name: "poet" };
  const body = { text: agentFile("name: poet", "x"), cwd };
  const calls: readonly Promise<unknown>[] = [
    client.call(routes.putProfile, { params, body }),
    client.call(routes.putProfile, { params, body, headers: { "if-none-match": etag ?? "" } }),
    client.call(routes.putProfile, { params, body, headers: { "if-none-match": "*", "if-match": etag ?? "" } }),
    client.call(routes.putProfile, { params, body, headers: { "if-match": "nothing" } }),
    client.call(routes.putProfile, { params, body: { ...body, user: true }, headers: { "if-match": etag ?? "" } }),
    client.call(routes.deleteProfile, { params, query: { cwd } }),
  ];

  for (const call of calls) expect(await refusalOf(call)).toMatchObject({ code: "INVALID_REQUEST" });
  expect(await filesBelow(world.work)).toEqual(before);
  const none = await refusalOf(client.call(routes.getProfile, { params: { name: "nobody" }, query: { cwd } }));
  expect(none).toMatchObject({ code: "PROFILE_UNKNOWN" });
});

test("a new agent needs a valid name and an existing folder", async () => {
  await using world = await createAgentsWorld();
  await world.trust();
  const text = agentFile("description: x", "x");
  const before = await filesBelow(world.home);

  for (const name of [
    "../up",
    "..",
    "a/b",
    "/etc/x",
    ".hidden",
    "a\\b",
    "README",
    "x".repeat(101),
    "日".repeat(100),
  ]) {
    const response = await world.host.fetch(
      `${world.host.url}/profiles/${encodeURIComponent(name).replaceAll(".", "%2E")}`,
      {
        method: "PUT",
        headers: {
          authorization: `Bearer ${world.host.token}`,
          "content-type": "application/json",
          "if-none-match": "*",
        },
        body: JSON.stringify({ text, cwd: world.work }),
      },
    );
    expect(response.ok).toBe(false);
  }
  expect(await refusalOf(newAgent(world, "x", { text, cwd: "not/absolute" }))).toMatchObject({
    code: "CWD_INVALID",
  });
  expect(await refusalOf(newAgent(world, "x", { text, cwd: join(world.home, "none") }))).toMatchObject({
    code: "FOLDER_NOT_TRUSTED",
  });
  const after = await filesBelow(world.home);
  for (const name of Object.keys(after)) if (!name.startsWith("data/")) expect(before).toHaveProperty([name]);
});

test("[attack:agent-written-elsewhere] no agent is written to an untrusted folder or through an outside link", async () => {
  await using world = await createAgentsWorld();
  const text = agentFile("description: x", "x");
  const outside = join(world.home, "outside");
  await mkdir(outside);
  const target = await world.write(join(outside, "there.md"), text);
  const before = await filesBelow(outside);
  expect(await refusalOf(newAgent(world, "x", { text }))).toMatchObject({
    code: "FOLDER_NOT_TRUSTED",
    message: expect.stringContaining(`incipit trust add ${world.work}`),
  });
  expect(await filesBelow(world.work)).toEqual({});
  await world.trust();

  await symlink(outside, join(world.work, ".agents"));
  expect(await refusalOf(newAgent(world, "x", { text }))).toMatchObject({ code: "CAPABILITY_DENIED" });
  await rename(join(world.work, ".agents"), join(world.work, ".gone"));
  await mkdir(join(world.work, ".agents"));
  await symlink(target, join(world.work, ".agents/there.md"));
  await symlink(join(outside, "none.md"), join(world.work, ".agents/none.md"));
  for (const name of ["there", "none"])
    expect(await refusalOf(newAgent(world, name, { text: `${text}More.` }))).toMatchObject({
      code: "CAPABILITY_DENIED",
    });

  expect(await filesBelow(outside)).toEqual(before);
  await rename(join(world.work, ".agents"), join(world.work, "own"));
  await symlink("own", join(world.work, ".agents"));
  expect((await newAgent(world, "x", { text })).profile.source.path).toBe(join(world.work, "own/x.md"));
  expect(await told(world, "x")).toEqual(["x"]);
});

test("readers of a repeatedly written agent always see a complete version", async () => {
  await using world = await createAgentsWorld();
  await world.trust();
  const textOf = (count: number): string => agentFile("description: x", `Version ${count}.`);
  let { etag } = await newAgent(world, "x", { text: textOf(0) });
  let isWriting = true;
  const seen = (async () => {
    const missed: unknown[] = [];
    while (isWriting) {
      const refused = await refusalOf(readAgent(world, "x"));
      if (refused instanceof Error) missed.push(refused);
    }
    return missed;
  })();

  for (let count = 1; count <= 60; count += 1)
    ({ etag } = await changeAgent(world, "x", { etag, text: textOf(count) }));
  isWriting = false;

  expect(await seen).toEqual([]);
});

test("a written agent no longer counts once its folder is untrusted or changed elsewhere", async () => {
  await using world = await createAgentsWorld();
  await world.trust();
  const text = agentFile("description: x", "First.");
  const { etag } = await newAgent(world, "x", { text });
  const second = agentFile("description: x", "Second.");
  await changeAgent(world, "x", { etag, text: second });
  const refused = async (): Promise<unknown> => refusalOf(readAgent(world, "x"));

  await world.write(".agents/x.md", text); // Trust covers the current content, not an earlier one.
  expect(await refused()).toMatchObject({ code: "PROFILE_UNKNOWN" });
  await world.write(".agents/x.md", second);
  expect((await readAgent(world, "x")).text).toBe(second);
  openTrustStore(join(world.home, "data"), () => undefined).forget(world.work);
  expect(await refused()).toMatchObject({ code: "PROFILE_UNKNOWN" });
});

test("[attack:tokens-write-agent] a token without the scope `admin` cannot write or remove agents", async () => {
  await using world = await TokenWorld.start();
  const text = agentFile("description: x", "x");
  const path = "/profiles/there";
  const made = await world.ask("PUT", path, {
    token: world.host.token,
    body: { text, user: true },
    headers: { "if-none-match": "*" },
  });
  const etag = made.headers.get("etag") ?? "";
  const { secret } = await world.make(["read", "converse", "prompt", "records"]);
  const { secret: admin } = await world.make(["admin"]);
  const ask = async (token: string): Promise<readonly Response[]> => [
    await world.ask("PUT", "/profiles/planted", {
      token,
      body: { text, user: true },
      headers: { "if-none-match": "*" },
    }),
    await world.ask("PUT", path, { token, body: { text }, headers: { "if-match": etag } }),
    await world.ask("DELETE", path, { token, headers: { "if-match": etag } }),
  ];
  const seen = async (): Promise<unknown> => world.client.call(routes.listProfiles);
  const before = await seen();

  expect(made.status).toBe(200);
  for (const response of await ask(secret)) {
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      error: { code: "FORBIDDEN_SCOPE", details: { needs: "admin" } },
    });
  }
  expect(await seen()).toEqual(before);
  expect((await world.ask("GET", path, { token: secret })).headers.get("etag")).toBe(etag);
  expect((await ask(admin)).map(({ status }) => status)).toEqual([200, 200, 200]);
});
