import { expect, test } from "bun:test";
import { join } from "node:path";
import { atTerminal } from "../support/at-terminal.ts";
import { everythingServer, mcpServer } from "../support/mcp-programs.ts";
import { HostWorld } from "../support/host-world.ts";

test("[server-resources] incipit lists resources and sends those named in a question, not in piped text", async () => {
  await using world = await HostWorld.create({
    isStrict: true,
    work: "work",
    config: mcpServer("all", [everythingServer, "stdio"]),
  });
  const { model } = world;
  await Bun.write(join(world.cwd, "a.txt"), "See @all:demo://attached");
  await world.start();

  const listed = await world.run("mcp", "resources");
  const asked = await world.runWith(
    { input: "@all:demo://piped" },
    "Explain @all:demo://resource/static/document/features.md",
    "--file",
    "a.txt",
  );
  const sent = model.requests.at(-1)?.body ?? "";
  const refused = await world.run("Explain @all:demo://nowhere");
  const prompt = await world.run("/all__args-prompt Rome");
  const filled = model.requests.at(-1)?.body;
  await atTerminal({
    ...world.sitting("chat"),
    answers: [
      ["> ", "Explain @all:demo://resource/dynamic/text/7\r"],
      ["> ", "\u0004"],
    ],
  });
  const typed = model.requests.at(-1)?.body;
  const piped = await world.runWith({ input: "Explain @all:demo://nowhere\n" }, "chat");

  expect(listed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(listed.stdout).toMatch(/^@all:demo:\/\/resource\/static\/document\/features\.md +text\/markdown +\S/m);
  expect(asked.exitCode).toBe(0);
  expect(sent).toContain("@all:demo://resource/static/document/features.md (text/markdown):");
  expect(sent).toContain("@all:demo://piped");
  expect(sent).toContain("See @all:demo://attached");
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('has no resource "demo://nowhere"'),
  });
  expect(prompt.exitCode).toBe(0);
  expect(filled).toContain("What's weather in Rome?");
  expect(typed).toContain("@all:demo://resource/dynamic/text/7 (text/plain):");
  expect(piped.exitCode).toBe(0);
  expect(model.requests.at(-1)?.body).toContain("Explain @all:demo://nowhere");
  expect(model.requests).toHaveLength(4);
});
