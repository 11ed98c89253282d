import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess, incipit, type CommandResult, type HostProcessOptions } from "../support/host-process.ts";
import { sentSystemTexts } from "../support/sent-system-texts.ts";

interface World extends AsyncDisposable {
  readonly options: HostProcessOptions;
  readonly model: Awaited<ReturnType<typeof startRecordingModelServer>>;
  run(...args: readonly string[]): Promise<CommandResult>;
}

async function newWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const model = stack.use(await startRecordingModelServer());
  const cwd = await realpath(folder.path);
  const options = { data: join(cwd, "data"), config: join(cwd, "incipit.toml"), cwd };
  await Bun.write(
    options.config,
    `model = "local/test"\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n[profiles.researcher]\nsystem_prompt = "You look things up."\n`,
  );
  const owned = stack.move();
  return {
    options,
    model,
    run: (...args) => incipit([...args, "--data", options.data, "--config", options.config], { cwd, home: cwd }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test("[sent-is-shown] seed 001, step 6: a background task sends its agent's prompt and outlives the command", async () => {
  await using world = await newWorld();
  await using host = await HostProcess.start(world.options);
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
  await using world = await newWorld();
  let id: string;
  {
    await using host = await HostProcess.start(world.options);
    world.model.enqueue({ kind: "text", chunks: ["half", " of it"], gate: true });
    id = (await world.run("run", "Implement it", "--profile", "researcher", "--background")).stdout.trim();
    world.model.release();
    while (world.model.requests.length === 0) await host.json("/health");
    await host.kill("SIGKILL");
  }
  await using host = await HostProcess.start(world.options);
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
  await using world = await newWorld();

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
