import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { builtCommand } from "./built-command.ts";
import { HostProcess } from "../support/host-process.ts";

test("bun run build creates one file that serves, runs tools, and loads folder extensions", async () => {
  const command = [await builtCommand()];
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer({ isStrict: true });
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  await Bun.write(
    options.config,
    `model = "local/test"\ntools.workspace = true\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  await using host = await HostProcess.start({ ...options, command });
  const client = createClient({ url: host.url, token: host.token });

  const begun = Bun.spawnSync([...command, "extensions", "new", "weather"], { cwd: folder.path });
  expect(begun.exitCode).toBe(0);
  expect(begun.stdout.toString()).toContain("come with a clone of Incipit");
  expect(await Bun.file(join(folder.path, "weather/tsconfig.json")).text()).not.toContain("packages");
  const { extension } = await client.call(routes.addExtension, {
    body: { path: join(folder.path, "weather"), grant: { env: ["USER"] } },
  });
  expect(extension.phase).toBe("active");

  const { id } = await host.createConversation();
  const list = { id: "call_1", name: "list_folder", arguments: "{}" };
  model.enqueue({ kind: "tool-calls", calls: [list] });
  const events = await host.turn(id, { input: "What is here?" });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(model.requests.at(-1)?.body).toContain("weather/");
  expect(await host.kill("SIGTERM")).toBe(0);
}, 300_000);
