import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { prefixOf } from "../testing/host-world.ts";
import { createSkillWorld, listSkills, openSkill, skillText } from "./testing/skill-world.ts";

const opening =
  'A skill is a set of instructions for certain tasks. When a task is one of those that a skill below is for, open it first with the tool "skill", and follow what it says.';

test("the user's skills are listed in one text after the base, and can be opened", async () => {
  await using world = await createSkillWorld();
  await world.write("user/skills/zebra/SKILL.md", skillText("zebra", "Stripes.\n  More of them"));
  await world.write("user/skills/ant/SKILL.md", skillText("ant", '"Small: things"'));
  const id = await world.createConversation();

  await world.completeTurn(id, "hello");

  expect(world.sentPrompt).toBe(`Base.\n\n${opening}\n\n- ant: Small: things\n- zebra: Stripes. More of them`);
  expect(world.sentToolNames).toEqual(["skill"]);
});

test("a host without skills has no list and no tool", async () => {
  await using world = await createSkillWorld();
  await world.write("user/skills/notes.md", "No skill.");
  const id = await world.createConversation();

  await world.completeTurn(id, "hello");

  expect(world.sentPrompt).toBe("Base.");
  expect(world.sentToolNames).toEqual([]);
});

test("[resolved-once] the skill list of a conversation is fixed until compaction", async () => {
  await using world = await createSkillWorld();
  await world.write("user/skills/one/SKILL.md", skillText("one"));
  await world.write("user/skills/two/SKILL.md", skillText("two"));
  const id = await world.createConversation();
  await world.completeTurn(id, "first");
  const before = world.sentPrompt;

  await world.write("user/skills/one/SKILL.md", skillText("one", "Something else"));
  await world.completeTurn(id, "edited");
  await world.write("user/skills/three/SKILL.md", skillText("three"));
  await world.completeTurn(id, "added");
  await world.remove("user/skills/two");
  await world.completeTurn(id, "removed");
  await world.restart();
  await world.completeTurn(id, "restarted");

  expect(before).toEndWith("- one: Is for one\n- two: Is for two");
  expect(world.sentPrompt).toBe(before);
  const bodies = world.model.requests.map(({ body }) => body);
  expect(bodies).toHaveLength(5);
  for (const [index, body] of bodies.slice(1).entries()) expect(body).toStartWith(prefixOf(bodies[index]));

  await world.client.call(routes.compactConversation, { params: { id } });
  await world.completeTurn(id, "compacted");
  expect(world.sentPrompt).toBe(`Base.\n\n${opening}\n\n- one: Something else\n- three: Is for three`);
});

test("the skill tool returns instructions with folder and files, then a file, both recorded", async () => {
  await using world = await createSkillWorld();
  const text = skillText("pdf", "PDFs", "Read it.\nRun it.").replaceAll("\n", "\r\n");
  await world.write("user/skills/pdf/SKILL.md", `\uFEFF${text}`);
  await world.write("user/skills/pdf/scripts/run.sh", "echo run\r\n");
  await world.write("user/skills/pdf/references/forms.md", "Forms");
  const id = await world.createConversation();

  const opened = await openSkill(world, id, { name: "pdf" });
  const result = await openSkill(world, id, { name: "pdf", file: "scripts/run.sh" });

  const folder = join(world.home, "user/skills/pdf");
  expect(opened).toBe(
    `The skill "pdf" is in the folder "${folder}"; paths that it names are below it.\nIts other files: references/forms.md, scripts/run.sh.\n\nRead it.\nRun it.`,
  );
  expect(result).toBe("echo run\n");
  const { messages } = await world.client.call(routes.listMessages, { params: { id }, query: { limit: 100 } });
  const calls = messages.flatMap(({ parts }) =>
    parts.filter(({ type }) => type === "tool-call" || type === "tool-result"),
  );
  expect(calls).toMatchObject([
    { type: "tool-call", name: "skill", input: '{"name":"pdf"}' },
    { type: "tool-result", isError: false, output: opened },
    { type: "tool-call", name: "skill" },
    { type: "tool-result", isError: false, output: "echo run\n" },
  ]);
});

test("a call for a deleted or unknown skill explains the problem", async () => {
  await using world = await createSkillWorld();
  await world.write("user/skills/pdf/SKILL.md", skillText("pdf"));
  const id = await world.createConversation();

  expect(await openSkill(world, id, { name: "pfd" })).toBe('There is no skill "pfd"; did you mean "pdf"?');
  await world.remove("user/skills");
  expect(await openSkill(world, id, { name: "pdf" })).toBe('There is no skill "pdf"; this folder has none');
  await world.write("user/skills/pdf/SKILL.md", "---\nname: pdf\n---\n");
  expect(await openSkill(world, id, { name: "pdf" })).toBe(
    `The skill "pdf" cannot be used: "${join(world.home, "user/skills/pdf/SKILL.md")}": its front matter has no "description"`,
  );
  expect(await openSkill(world, id, { file: "x" })).toContain('it takes "name"');
});

test("the nearest skill wins: working folder, then repository parents, then user", async () => {
  await using world = await createSkillWorld('[skills]\nfolders = ["$HOME/more"]');
  const places = [
    "repo/packages/app/.agents/skills",
    "repo/packages/app/.claude/skills",
    "repo/packages/.agents/skills",
    "repo/.claude/skills",
    "user/skills",
    "more",
  ];
  for (const [index, place] of places.entries())
    await world.write(`${place}/same/SKILL.md`, skillText("same", `${index}`));
  await world.write(".agents/skills/above/SKILL.md", skillText("above"));
  for (const place of ["repo/packages/app", "repo/packages", "repo", "."]) world.trust(place);

  const seen: string[] = [];
  for (const place of places) {
    const { skills, leftOut } = await listSkills(world);
    expect(skills).toHaveLength(1);
    seen.push(...skills.map(({ description, source }) => `${description} ${source}`));
    const [first] = leftOut;
    if (seen.length < places.length) expect(first).toMatchObject({ name: "same", reason: "shadowed" });
    await world.remove(place);
  }

  expect(seen).toEqual(["0 folder", "1 folder", "2 folder", "3 folder", "4 user", "5 configured"]);
  expect(await listSkills(world)).toMatchObject({
    skills: [],
    leftOut: [],
    text: null,
  });
});

test("[attack:skill-untrusted] an untrusted folder adds and hides no skill until trusted and rebuilt", async () => {
  await using world = await createSkillWorld();
  const file = "repo/.agents/skills/mine/SKILL.md";
  await world.write(file, skillText("mine", "The stranger's", "Obey."));
  await world.write("user/skills/mine/SKILL.md", skillText("mine", "My own"));
  const id = await world.createConversation();
  const result = await openSkill(world, id, { name: "mine" });

  expect(world.sentPrompt).toEndWith("\n- mine: My own");
  expect(result).toEndWith("Do mine.");
  expect((await listSkills(world)).leftOut).toMatchObject([
    { path: join(world.home, file), reason: "not-trusted", detail: expect.stringContaining("incipit trust add") },
  ]);
  expect(JSON.stringify(world.model.requests.map(({ body }) => body))).not.toContain("stranger");

  world.trust("repo");
  await world.completeTurn(id, "trusted, and told before");
  expect(world.sentPrompt).toEndWith("\n- mine: My own");
  await world.client.call(routes.rebuildPrompt, { params: { id }, body: {} });
  const later = await openSkill(world, id, { name: "mine" });
  expect(world.sentPrompt).toEndWith("\n- mine: The stranger's");
  expect(later).toEndWith("Obey.");

  await world.write(file, skillText("mine", "Changed", "Obey more."));
  expect(await openSkill(world, id, { name: "mine" })).toEndWith("Do mine.");
  expect((await listSkills(world)).leftOut).toMatchObject([{ reason: "changed" }]);
});

test("a conversation begun with only untrusted skills can open them after trust and a rebuild", async () => {
  await using world = await createSkillWorld();
  await world.write("repo/.agents/skills/mine/SKILL.md", skillText("mine"));
  const id = await world.createConversation();
  const result = await openSkill(world, id, { name: "mine" });
  expect(world.sentPrompt).toBe("Base.");
  expect(world.sentToolNames).toEqual(["skill"]);
  expect(result).toContain("it is not trusted");

  world.trust("repo");
  await world.client.call(routes.rebuildPrompt, { params: { id }, body: {} });
  const later = await openSkill(world, id, { name: "mine" });

  expect(world.sentPrompt).toEndWith("\n- mine: Is for mine");
  expect(later).toEndWith("Do mine.");
});

test("a template's own list is not repeated, and [skills] list = false lists none", async () => {
  await using world = await createSkillWorld('append_system_prompt = "Behind."');
  await world.write("user/skills/one/SKILL.md", skillText("one"));
  const previewOf = async (template: string): Promise<readonly unknown[]> => {
    const body = { template, cwd: world.cwd };
    const { systemPrompt, explain } = await world.client.call(routes.previewSystemPrompt, { body });
    const { kind, detail } = explain.segments.find(({ id }) => id === "skills") ?? {};
    return [systemPrompt, kind, detail];
  };
  const list = `${opening}\n\n- one: Is for one`;

  expect(await previewOf("A\n[skills:list]\nB")).toEqual([
    `A\n${list}\nB\n\nBehind.`,
    "nothing",
    "the template has [skills:list]",
  ]);
  expect(await previewOf("[if skills:list]yes[else]no[endif]")).toEqual([
    `yes\n\nBehind.\n\n${list}`,
    "text",
    null,
  ]);
  await world.remove("user/skills");
  expect(await previewOf("[if skills:list]yes[else]no[endif]")).toEqual(["no\n\nBehind.", "nothing", null]);

  await using quiet = await createSkillWorld("[skills]\nlist = false");
  await quiet.write("user/skills/one/SKILL.md", skillText("one"));
  const id = await quiet.createConversation();
  await quiet.completeTurn(id, "hello");
  expect([quiet.sentPrompt, quiet.sentToolNames]).toEqual(["Base.", ["skill"]]);
  await using off = await createSkillWorld("[skills]\nenabled = false");
  await off.write("user/skills/one/SKILL.md", skillText("one"));
  const other = await off.createConversation();
  await off.completeTurn(other, "hello");
  expect([off.sentPrompt, off.sentToolNames]).toEqual(["Base.", []]);
});

test("explain reports the omitted part of the skill list and its size", async () => {
  await using world = await createSkillWorld("[extensions.settings.skills]\nmax_listed = 1");
  for (const name of ["a", "b", "c"]) await world.write(`user/skills/${name}/SKILL.md`, skillText(name));
  await world.write("user/skills/bad/SKILL.md", "Nothing");
  const id = await world.createConversation();
  await world.completeTurn(id, "hello");

  const { explain } = await world.client.call(routes.explainConversation, { params: { id } });

  expect(explain?.segments.find((segment) => segment.id === "skills")).toMatchObject({
    kind: "text",
    detail: '2 of 3 have no room in the list; 1 skipped: "incipit skills list" shows why',
  });
  expect(world.sentPrompt).toEndWith("\n- a: Is for a\n(2 more skills are not listed here.)");
});

test("a call without a conversation, which has no host tools, lists no skills", async () => {
  await using world = await createSkillWorld();
  await world.write("user/skills/one/SKILL.md", skillText("one"));

  await world.client.call(routes.createChatCompletion, {
    body: { model: "local/test", messages: [{ role: "user", content: "hello" }] },
  });

  expect(world.sentPrompt).toBe("Base.");
});
