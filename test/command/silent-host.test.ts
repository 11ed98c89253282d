import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, testedCommand } from "../support/host-process.ts";

test("a command reports a silent host and continues once it responds", async () => {
  await using folder = await createTempFolder();
  const [data, config] = [join(folder.path, "data"), join(folder.path, "incipit.toml")];
  await Bun.write(config, "");
  await using host = await HostProcess.start({ data, config, cwd: folder.path });
  await host.createConversation();

  process.kill(host.pid, "SIGSTOP");
  const command = Bun.spawn([...testedCommand, "list", "--json", "--data", data, "--config", config], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder.path },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await command.stderr.getReader().read();
  process.kill(host.pid, "SIGCONT");
  const stdout = await new Response(command.stdout).text();

  expect(new TextDecoder().decode(said.value)).toStartWith(
    `The host, process ${host.pid}, does not answer; it is waited for.`,
  );
  expect([await command.exited, stdout.trim().split("\n").length]).toEqual([0, 1]);
}, 300_000);
