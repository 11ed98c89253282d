import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";
import { newTerminalWorld } from "./terminal-world.ts";

test("the terminal: a changed prompt file is reported, and a rebuild names the break's byte", async () => {
  await using world = await newTerminalWorld({ config: `system_prompt = "Be brief.\\n[file:AGENTS.md]"` });
  await world.write("AGENTS.md", "Answer in English.\n");
  const sitting = await world.open();
  await sitting.enterUntil("Hello", "all");
  await world.write("AGENTS.md", "Answer in French.\n");

  const drifted = await sitting.enterUntil("Hello again", "changed since");

  expect(drifted).toContain("AGENTS.md changed since the prompt was built · /drift · /rebuild");
});

test("the terminal: switching the model is marked red as a cache miss", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open();
  await sitting.enterUntil("Hello", "all");

  await sitting.enterUntil("/model local/other", "Its first call has no cached prefix");
  const broken = await sitting.enterUntil("Hello again", "The cache broke");

  expect(broken).toContain("● The cache broke: another model");
  expect(broken).toContain("local/other · work");
  expect(sitting.bytes).toContain("\u001B[38;5;203m● The cache broke");
});

test("the terminal: two terminals and a program share a conversation across a host change", async () => {
  await using world = await newTerminalWorld();
  const data = join(world.home, ".local/share/incipit");
  const host = await HostProcess.start({
    data,
    config: join(world.home, ".config/incipit/incipit.toml"),
    cwd: world.work,
  });
  const client = createClient({ url: host.url, token: host.token });
  const { conversation } = await client.call(routes.createConversation, { body: { cwd: world.work } });
  const { id } = conversation;
  const one = world.sit({ args: ["-s", id] });
  const other = world.sit({ args: ["-s", id], columns: 50 });
  await one.sees("local/test");
  await other.sees("local/test");

  one.enter("From one");
  await Promise.all([one.sees("Reply 1"), other.sees("Reply 1")]);
  for await (const event of client.sendTurn(id, { input: "From a program" })) if (event.type === "turn-end") break;
  await Promise.all([one.sees("Reply 2"), other.sees("Reply 2")]);
  await host[Symbol.asyncDispose]();
  await one.sees("The host has ended.");
  await other.sees("The host has ended.");
  other.enter("From the other");
  await Promise.all([one.sees("Reply 3"), other.sees("Reply 3")]);

  const said = ["> From one", "Reply 1", "> From a program", "Reply 2", "> From the other", "Reply 3"];
  for (const sitting of [one, other]) {
    const lines = sitting.everything().split("\n");
    expect(lines.filter((line) => said.includes(line))).toEqual(said);
  }
});
