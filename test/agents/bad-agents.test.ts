import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { sentSystemTexts } from "../support/sent-system-texts.ts";
import { agentFile, createAgentsWorld, refusalOf, type AgentsWorld } from "./agents-world.ts";

async function worldWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<AgentsWorld> {
  const world = await createAgentsWorld();
  await world.write(join(world.user, "agents/well.md"), agentFile("description: Well", "Be well."));
  for (const [name, text] of Object.entries(files)) await world.write(join(world.user, "agents", name), text);
  return world;
}

async function toldBy(world: AgentsWorld, profile: string): Promise<readonly string[]> {
  const { body } = await world.turn(await world.begin({ profile }), "Hello");
  return sentSystemTexts("openai-chat", body);
}

const aliases = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi"
  .split("")
  .map(
    (key, index) =>
      `${key}: &${key} [${Array(9)
        .fill(`*${"abcdefghi"[index] ?? ""}`)
        .join(",")}]`,
  )
  .join("\n")}`;

test.each([
  ["no front matter", "Just words.", "no-front-matter"],
  ["front matter that never ends", "---\ndescription: x\nWords.", "not-yaml"],
  ["front matter that is no YAML", "---\ndescription: [x\n---\nWords.", "not-yaml"],
  ["front matter that is a list", "---\n- a\n- b\n---\nWords.", "not-yaml"],
  ["aliases that come to a billion", `---\n${aliases}\n---\nWords.`, "not-yaml"],
  ["bytes that are no text", new Uint8Array([45, 45, 45, 10, 0, 255, 10]), "not-text"],
  ["more than a prompt may have", `---\nname: big\n---\n${"x".repeat(1_200_000)}`, "too-large"],
  ["a name that is a path", "---\nname: ../../well\n---\nWords.", "not-a-name"],
])("a file with %s is skipped with place and advice, and the others are listed", async (_, text, code) => {
  await using world = await worldWith({ "broken.md": text });

  const { profiles, problems } = await world.client.call(routes.listProfiles);

  expect(profiles.map(({ name }) => name)).toEqual(["well"]);
  expect(problems).toMatchObject([
    { code, path: join(world.user, "agents/broken.md"), message: expect.any(String) },
  ]);
  expect(await toldBy(world, "well")).toEqual(["Be well."]);
  expect(await refusalOf(world.begin({ profile: "broken" }))).toMatchObject({ code: "PROFILE_UNKNOWN" });
});

test("agents with invalid YAML values load, and mistakes have line and key", async () => {
  await using world = await worldWith({
    "colon.md": "---\ndescription: Use this. It includes: A\ntools: [read_file]\n---\nBe exact.",
    "bracket.md": "---\ndescription: [Beta] Looks at code\n---\nBe exact.",
    "at.md": "---\ndescription: @team looks at code\n---\nBe exact.",
    "broken.md": "---\nname: broken\ndescription: 'never ends\n---\nBe exact.",
  });

  const { profiles, problems } = await world.client.call(routes.listProfiles);

  expect(profiles.map(({ name, description }) => [name, description])).toEqual([
    ["at", "@team looks at code"],
    ["bracket", "[Beta] Looks at code"],
    ["colon", "Use this. It includes: A"],
    ["well", "Well"],
  ]);
  expect(problems).toMatchObject([
    { code: "not-yaml", line: 3, message: expect.stringContaining('"description"') },
  ]);
  expect(await toldBy(world, "colon")).toEqual(["Be exact."]);
});

test("an agent whose prompt is a file path is rejected with the key", async () => {
  await using world = await worldWith({
    "appends.md": agentFile("append: ./rules.md", "Be brief."),
    "none.md": agentFile("append: /no_think", "Be brief."),
  });

  const { profiles } = await world.client.call(routes.listProfiles);
  const warnings = new Map(profiles.map(({ name, warnings }) => [name, warnings]));

  expect(warnings.get("appends")).toEqual([expect.stringContaining('"append" is left out: it is a file path')]);
  expect(warnings.get("none")).toEqual([]);
  expect(await toldBy(world, "appends")).toEqual(["Be brief."]);
});

test("a pipe, folder or dangling link in place of an agent does not block", async () => {
  await using world = await worldWith({});
  const place = (name: string): string => join(world.user, "agents", name);
  await mkdir(place("folder.md"));
  await symlink("/nowhere", place("link.md"));
  await Bun.spawn(["mkfifo", place("pipe.md")]).exited;

  const { profiles, problems } = await world.client.call(routes.listProfiles);

  expect(profiles.map(({ name }) => name)).toEqual(["well"]);
  expect(problems.every(({ code }) => code === "not-readable")).toBe(true);
});

test("the first of two agents with one name wins, and the other is reported", async () => {
  await using world = await worldWith({
    "a.md": agentFile("name: twin", "First."),
    "b.md": agentFile("name: twin", "Second."),
  });

  const { profiles, problems } = await world.client.call(routes.listProfiles);

  const twin = profiles.find(({ name }) => name === "twin");
  expect(twin).toMatchObject({
    source: { path: join(world.user, "agents/a.md") },
    shadowed: [{ path: join(world.user, "agents/b.md"), reason: expect.stringContaining("comes first there") }],
  });
  expect(problems).toMatchObject([{ code: "same-name", path: join(world.user, "agents/b.md") }]);
  expect(await toldBy(world, "twin")).toEqual(["First."]);
});

test("of 10,000 agents the first 2,000 by name are listed, and the rest reported", async () => {
  await using world = await createAgentsWorld();
  await mkdir(join(world.user, "agents"));
  const write = async (number: number): Promise<void> => {
    const name = `agent-${String(number).padStart(5, "0")}`;
    await Bun.write(
      join(world.user, "agents", `${name}.md`),
      `---\ndescription: Number ${number}\n---\nI am ${number}.\n`,
    );
  };
  for (let from = 0; from < 10_000; from += 500)
    await Promise.all(Array.from({ length: 500 }, (_, at) => write(from + at)));

  const { profiles, problems } = await world.client.call(routes.listProfiles);

  expect(profiles).toHaveLength(2_000);
  expect(profiles.at(-1)?.name).toBe("agent-01999");
  expect(problems).toMatchObject([{ code: "too-many", message: expect.stringContaining("10000 files") }]);
  expect(await toldBy(world, "agent-01999")).toEqual(["I am 1999."]);
  const refused = String(await refusalOf(world.begin({ profile: "agent-09999" })));
  expect(refused).toContain("and 1980 more");
});
