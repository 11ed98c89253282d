import { expect, test } from "bun:test";
import { spawnIncipit } from "../support/host-process.ts";
import { World } from "../support/world.ts";

test("a command reports a silent host and continues once it responds", async () => {
  await using world = await World.start();
  const host = await world.host();
  await host.createConversation();

  process.kill(host.pid, "SIGSTOP");
  const command = spawnIncipit(["list", "--json"], "ignore", { cwd: world.work, home: world.home });
  const said = await command.stderr.getReader().read();
  process.kill(host.pid, "SIGCONT");
  const stdout = await new Response(command.stdout).text();

  expect(new TextDecoder().decode(said.value)).toStartWith(
    `The host, process ${host.pid}, does not answer; it is waited for.`,
  );
  expect([await command.exited, stdout.trim().split("\n").length]).toEqual([0, 1]);
}, 300_000);
