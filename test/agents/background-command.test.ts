import { expect, test } from "bun:test";
import { sentSystemTexts } from "../support/sent-system-texts.ts";
import { HostWorld } from "../support/host-world.ts";

const config = '[profiles.researcher]\nsystem_prompt = "You look things up."';

test("[sent-is-shown] seed 001, step 6: a background task sends its agent's prompt and outlives the command", async () => {
  await using world = await HostWorld.create({ config });
  await using host = await world.start();
  world.model.enqueue({ kind: "text", chunks: ["Found ", "it."], gate: true });

  const given = await world.run("run", "Research the tides", "--profile", "researcher", "--background");
  const id = given.stdout.trim();
  const running = await host.conversation(id);
  for (let count = 0; count < 6; count += 1) world.model.release();
  while ((await host.conversation(id)).status !== "idle") await host.json("/health");
  const history = await world.run("conversations", "history", id);

  expect(given).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Status:") });
  expect(running).toMatchObject({ status: "running", profile: "researcher", title: "Research the tides" });
  expect(sentSystemTexts("openai-chat", world.model.requests[0]?.body ?? "")).toEqual(["You look things up."]);
  expect(history.stdout).toContain("Found it.");
});

test("[never-lost] a background task of a killed host is interrupted, not rerun, and can continue", async () => {
  await using world = await HostWorld.create({ config });
  let id: string;
  {
    await using host = await world.start();
    world.model.enqueue({ kind: "text", chunks: ["half", " of it"], gate: true });
    id = (await world.run("run", "Implement it", "--profile", "researcher", "--background")).stdout.trim();
    world.model.release();
    while (world.model.requests.length === 0) await host.json("/health");
    await host.kill("SIGKILL");
  }
  await using host = await world.start();
  const cut = await world.run("conversations", "history", id);
  const again = await world.run("run", "Go on", "--background", "-s", id, "--json");
  while ((await host.conversation(id)).status !== "idle") await host.json("/health");

  expect(await host.conversation(id)).toMatchObject({ status: "idle" });
  expect(cut.stdout).toMatch(/cut off|interrupted/);
  expect(JSON.parse(again.stdout)).toMatchObject({ conversationId: id });
  expect(world.model.requests).toHaveLength(2);
  const second = world.model.requests[1]?.body ?? "";
  expect(sentSystemTexts("openai-chat", second)).toEqual(["You look things up."]);
  expect(second).toContain("Implement it");
  expect(second).toContain("Go on");
});

test("a background task requires a running host and a task text", async () => {
  await using world = await HostWorld.create({ config });

  const alone = await world.run("run", "Look", "--background");
  const nothing = await world.run("run", "--background");
  const words = await world.run("run", "Look", "far");
  const asked = await world.run("run", "Look", "--profile", "researcher");

  expect(alone).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("incipit serve") });
  expect(nothing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("incipit run TASK") });
  expect(words).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("quotes") });
  expect(asked).toMatchObject({ exitCode: 0, stdout: "Reply 1\n" });
  expect(world.model.requests).toHaveLength(1);
});
