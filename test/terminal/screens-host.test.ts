import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { testScreens } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";

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

testScreens(
  "the host: /help, /commands, /model, /profile, /mcp, /cwd, /trust and unknown commands",
  { name: "host", config },
  async ({ world, open }) => {
    await Bun.write(
      join(world.home, ".config/incipit/commands/release.md"),
      "---\ndescription: Writes release notes of what was merged since the last tag\nargument-hint: '[SINCE]'\n---\nWrite notes",
    );
    await world.write("AGENTS.md", "Be kind.\n");
    await mkdir(join(world.home, "elsewhere"));
    const bin = join(world.home, "bin");
    await Bun.write(join(bin, "tide-files"), `#!/bin/sh\nexec ${process.execPath} ${fixture}\n`);
    await chmod(join(bin, "tide-files"), 0o755);
    const sitting = await open({ rows: 90, env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` } });

    sitting.enter("/help");
    await sitting.shows("/help", { until: /fg\s+brings\s+it\s+back/, from: /^Commands$/ });
    sitting.enter("/commands");
    await sitting.shows("/commands", { until: /release\.md/, from: /Ctrl-Z/ });
    sitting.enter("/model");
    await sitting.shows("/model", { until: "(current)", from: /^Which model/ });
    sitting.type("oth");
    await sitting.shows("/model, with a search", { until: "1 of 1", from: /^Which model/ });
    await sitting.typeUntil(keys.escape, (screen) => !screen.includes("Esc cancels"));
    await sitting.enterUntil("/profile", "no agent (current)");
    sitting.type(keys.down);
    await sitting.shows("/profile", { until: "│ System prompt: its own", from: /^Which agent/ });
    sitting.type(keys.enter);
    await sitting.shows("An agent was chosen", { until: "Agent: reviewer", from: /release\.md/ });
    sitting.enter("/mcp");
    await sitting.shows("/mcp", { until: "at-all", from: /Agent: reviewer/ });
    sitting.enter("/mcp files");
    await sitting.shows("/mcp with a name", { until: "Does write", from: /at-all/ });
    sitting.enter("/mcp gone");
    await sitting.shows("A server that does not start", { until: /was\s+not\s+found/, from: /Does write|write$/ });
    sitting.enter("/cwd ../elsewhere");
    await sitting.shows("/cwd", { until: /Working folder: /, from: /at-all"$|program/ });
    sitting.enter("/modle");
    await sitting.shows("A command that nobody knows", {
      until: /─\n\/modle\n─/,
      from: /^· Tools work|There is no command/,
    });
    sitting.type(keys.ctrl("c"));
    await sitting.enterUntil("/cwd ../work", /· work/);
    sitting.enter("/trust");
    await sitting.shows("/trust", { until: "> Cancel", from: /^In "/ });
  },
);
