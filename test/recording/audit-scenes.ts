import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { join } from "node:path";
import { HostProcess, incipit, sourceCommand } from "../support/host-process.ts";
import type { Scene } from "./terminal-svg.ts";

const rules = "Answer in one line, and say where you know it from. ".repeat(300);
const questions = ["Where does the Danube rise?", "And where does it end?", "How long is it?"];
const idPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function still(text: string): string {
  let seconds = 0;
  return text
    .replaceAll(idPattern, "01a1fe82-5278-7270-b498-206ec8379df5")
    .replaceAll(/\d{4}-\d\d-\d\d(?= \d\d:\d\d:\d\d)/g, "2026-11-21")
    .replaceAll(/\d\d:\d\d:\d\d/g, () => `14:28:${String(36 + seconds++).padStart(2, "0")}`);
}

/** The server counts tokens like Anthropic's cache. Prices come from the host's catalogue. */
export async function auditScenes(): Promise<readonly Scene[]> {
  await using folder = await createTempFolder();
  await using server = await startRecordingModelServer({
    wire: "anthropic",
    usage: "simulated",
    cache: { unitTokens: 1, minTokens: 1 },
  });
  const config = join(folder.path, "incipit.toml");
  const data = join(folder.path, "data");
  await Bun.write(
    config,
    `model = "anthropic/claude-sonnet-4-5"\nprompt_refresh = "turn"\nsystem_prompt = "To do: [file:TODO.md] ${rules}"\n` +
      `[providers.anthropic]\nkind = "anthropic"\nbase_url = "${server.urlOf("anthropic")}"\n`,
  );
  const env = { ANTHROPIC_API_KEY: "key-0123456789", TZ: "UTC" };
  const options = { cwd: folder.path, home: folder.path, env, command: sourceCommand };
  const run = async (...args: readonly string[]): Promise<string> => {
    const result = await incipit([...args, "--data", data, "--config", config], options);
    if (result.exitCode !== 0) throw new Error(`incipit ${args.join(" ")}: ${result.stderr}`);
    return result.stdout;
  };
  {
    await using host = await HostProcess.start({ data, config, cwd: folder.path, env, command: sourceCommand });
    const { id } = await host.createConversation();
    for (const [index, input] of questions.entries()) {
      await Bun.write(join(folder.path, "TODO.md"), `${questions.length - index} things are left.`);
      await host.turn(id, { input });
    }
    await host.kill("SIGTERM");
  }
  const [id = ""] = idPattern.exec(await run("conversations")) ?? [];
  return [
    { command: "incipit audit 01a1fe82-5278-7270-b498-206ec8379df5", printed: still(await run("audit", id)) },
  ];
}
