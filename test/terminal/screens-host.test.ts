import { test } from "bun:test";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const fixture = join(import.meta.dir, "../../packages/host-bin/src/mcp-tools/testing/mcp-fixture-server.ts");
const config = `
system_prompt = "[file:AGENTS.md]"
[prompt]
untrusted = "ask"
[profiles.reviewer]
description = "Reads a change, and says what is wrong with it and what could be left out"
system_prompt = "You review."
[profiles.writer]
description = "Writes"
model = "local/other"
[mcp.servers.files]
command = "tide-files"
[mcp.servers.gone]
command = "/nowhere/at-all"
[providers.local.models.other]
context_window = 2_000
prices = { input = 1, output = 2, cache_read = 0.1 }`;

for (const columns of recordedWidths("screens-host"))
  test.concurrent(`the host: /help, /commands, /model, /profile, /mcp, /cwd, /trust and unknown commands, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config });
    await using screens = await RecordedScreens.of({ world, columns, name: "host" });
    await Bun.write(
      join(world.home, ".config/incipit/commands/release.md"),
      "---\ndescription: Writes release notes of what was merged since the last tag\nargument-hint: '[SINCE]'\n---\nWrite notes",
    );
    await Bun.write(join(world.work, "AGENTS.md"), "Be kind.\n");
    await mkdir(join(world.home, "elsewhere"));
    const bin = join(world.home, "bin");
    await Bun.write(join(bin, "tide-files"), `#!/bin/sh\nexec ${process.execPath} ${fixture}\n`);
    await chmod(join(bin, "tide-files"), 0o755);
    const sitting = world.sit({ columns, rows: 90, env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` } });
    await sitting.sees("local/test");

    sitting.enter("/help");
    await screens.shows(sitting, "/help", { until: /fg\s+brings\s+it\s+back/, from: /^Commands$/ });
    sitting.enter("/commands");
    await screens.shows(sitting, "/commands", { until: /release\.md/, from: /Ctrl-Z/ });
    sitting.enter("/model");
    await screens.shows(sitting, "/model", { until: "(current)", from: /^Which model/ });
    sitting.type("oth");
    await screens.shows(sitting, "/model, with a search", { until: "1 of 1", from: /^Which model/ });
    sitting.type(keys.escape);
    await sitting.sees((screen) => !screen.includes("Esc cancels"));
    sitting.enter("/profile");
    await sitting.sees("no agent (current)");
    sitting.type(keys.down);
    await screens.shows(sitting, "/profile", { until: "│ System prompt: its own", from: /^Which agent/ });
    sitting.type(keys.enter);
    await screens.shows(sitting, "An agent was chosen", { until: "Agent: reviewer", from: /release\.md/ });
    sitting.enter("/mcp");
    await screens.shows(sitting, "/mcp", { until: "at-all", from: /Agent: reviewer/ });
    sitting.enter("/mcp files");
    await screens.shows(sitting, "/mcp with a name", { until: "Does write", from: /at-all/ });
    sitting.enter("/mcp gone");
    await screens.shows(sitting, "A server that does not start", {
      until: /was\s+not\s+found/,
      from: /Does write|write$/,
    });
    sitting.enter("/cwd ../elsewhere");
    await screens.shows(sitting, "/cwd", { until: /Working folder: /, from: /at-all"$|program/ });
    sitting.enter("/modle");
    await screens.shows(sitting, "A command that nobody knows", {
      until: /─\n\/modle\n─/,
      from: /^· Tools work|There is no command/,
    });
    sitting.type(keys.ctrl("c"));
    sitting.enter("/cwd ../work");
    await sitting.sees(/· work/);
    sitting.enter("/trust");
    await screens.shows(sitting, "/trust", { until: "> Cancel", from: /^In "/ });
  }, 120_000);
