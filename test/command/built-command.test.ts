import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { builtCommand } from "./built-command.ts";
import { World } from "../support/world.ts";

test("bun run build creates one file that serves, runs tools, and loads folder extensions", async () => {
  const command = [await builtCommand()];
  await using world = await World.start({ config: "tools.workspace = true", model: { isStrict: true } });
  const host = await world.host({ command });

  const begun = Bun.spawnSync([...command, "extensions", "new", "weather"], { cwd: world.work });
  expect(begun.exitCode).toBe(0);
  expect(begun.stdout.toString()).toContain("come with a clone of Incipit");
  expect(await world.read("weather/tsconfig.json")).not.toContain("packages");
  const { extension } = await host.client.call(routes.addExtension, {
    body: { path: world.path("weather"), grant: { env: ["USER"] } },
  });
  expect(extension.phase).toBe("active");

  const { id } = await host.createConversation();
  world.model.enqueueCall("list_folder");
  const events = await host.turn(id, { input: "What is here?" });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(world.lastBody).toContain("weather/");
  expect(await host.kill("SIGTERM")).toBe(0);
}, 300_000);
