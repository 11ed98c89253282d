import { methods, type SetSessionConfigOptionResponse } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createAcpWorld, messagesOf, openSession } from "./acp-world.ts";
import { everythingServer, mcpServer } from "../support/mcp-programs.ts";

test("an editor lists the commands, sends one by name, and other slashes are text", async () => {
  await using world = await createAcpWorld();
  const file = join(dirname(world.options.config), "commands/review.md");
  await mkdir(dirname(file), { recursive: true });
  await Bun.write(file, "---\ndescription: Reviews a change\nargument-hint: branch\n---\nReview $1.");
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);

  const told = (): ReturnType<typeof editor.updates> => editor.updatesOf(session, "available_commands_update");
  await editor.waitFor(() => told().length > 0);
  const [update] = told();
  await editor.prompt(session, "/review main");
  await editor.prompt(session, "/etc/hosts says what?");
  await editor.prompt(session, "/unknown words");

  expect(update).toMatchObject({
    availableCommands: [{ name: "review", description: "Reviews a change", input: { hint: "branch" } }],
  });
  expect(
    messagesOf(world.model.requests.at(-1)?.body)
      .filter(({ role }) => role === "user")
      .map(({ text }) => text),
  ).toEqual(["Review main.", "/etc/hosts says what?", "/unknown words"]);
});

test("[server-resources] an editor lists a server's prompts, and its user's resource mentions are resolved", async () => {
  await using opened = await openSession(mcpServer("all", [everythingServer, "stdio"]));
  const { world, editor, session } = opened;
  const told = (): ReturnType<typeof editor.updates> => editor.updatesOf(session, "available_commands_update");
  await editor.waitFor(() => told().length > 0);
  const [update] = told();
  const embedded = { uri: "file:///a.txt", text: "See @all:demo://embedded" };

  await editor.prompt(session, "/all__args-prompt Rome");
  await editor.agent.request(methods.agent.session.prompt, {
    sessionId: session,
    prompt: [
      { type: "resource", resource: embedded },
      { type: "text", text: "Explain @all:demo://resource/dynamic/text/7" },
    ],
  });
  const refused = await editor.prompt(session, "Explain @all:demo://nowhere").catch(String);

  expect(JSON.stringify(update)).toContain('"name":"all__args-prompt"');
  const said = messagesOf(world.model.requests.at(-1)?.body).filter(({ role }) => role === "user");
  expect(said.map(({ text }) => text)).toEqual([
    "What's weather in Rome?",
    expect.stringMatching(
      /^@all:demo:\/\/resource\/dynamic\/text\/7 \(text\/plain\):\n\nResource 7: [^]*@all:demo:\/\/embedded[^]*Explain/,
    ),
  ]);
  expect(refused).toContain('has no resource "demo://nowhere"');
});

test("an editor selects model and agent, also in a running session; invalid values are rejected", async () => {
  await using world = await createAcpWorld('[profiles.poet]\ndescription = "Rhymes"\nsystem_prompt = "Rhyme."');
  const editor = await world.editor();
  const { agent } = editor;
  const created = await agent.request(methods.agent.session.new, { cwd: world.cwd, mcpServers: [] });
  const { sessionId } = created;
  const choose = (configId: string, value: string): Promise<SetSessionConfigOptionResponse> =>
    agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value });

  const chosen = await choose("profile", "poet");
  await editor.prompt(sessionId, "Hello");
  await choose("model", "local/other");
  await editor.prompt(sessionId, "And now?");
  const refused = await Promise.all(
    [choose("model", "nobody/x"), choose("profile", "nobody"), choose("mood", "good")].map((call) =>
      call.catch(String),
    ),
  );
  const again = await world.editor();
  const loaded = await again.agent.request(methods.agent.session.load, {
    sessionId,
    cwd: world.cwd,
    mcpServers: [],
  });

  expect(created.configOptions).toMatchObject([
    { id: "model", type: "select", currentValue: "local/test" },
    { id: "profile", currentValue: "-", options: [{ value: "-" }, { value: "poet", description: "Rhymes" }] },
    { id: "effort", currentValue: "default" },
  ]);
  expect(chosen.configOptions[1]).toMatchObject({ currentValue: "poet" });
  const [first, second] = world.model.requests.map(({ body }) => body);
  expect(messagesOf(first)[0]).toEqual({ role: "system", text: "Rhyme." });
  expect(JSON.parse(first ?? "")).toMatchObject({ model: "test" });
  expect(JSON.parse(second ?? "")).toMatchObject({ model: "other" });
  expect(refused[0]).toContain('"nobody/x"');
  expect(refused[1]).toContain('Unknown profile "nobody"');
  expect(refused[2]).toContain('unknown option "mood"');
  expect(loaded.configOptions).toMatchObject([
    { currentValue: "local/other" },
    { currentValue: "poet" },
    { currentValue: "default" },
  ]);
});
