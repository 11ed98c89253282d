import { expect, test } from "bun:test";
import { parseConfig } from "./config/parse-config.ts";
import { hostDefaults } from "./host-defaults.ts";

test("hostDefaults returns the configured values", () => {
  const config = parseConfig(
    `
      model = "offline/other"
      system_prompt = "Mine"
      prompt_refresh = "turn"
      [profiles.plain]
      [profiles.constructor]
      model = "offline/x"
      system_prompt = ""
    `,
    "incipit.toml",
  );

  const defaults = hostDefaults(config, { cwd: "/work" });

  expect(defaults).toEqual({
    model: "offline/other",
    cwd: "/work",
    systemPrompt: "Mine",
    promptRefresh: "turn",
    profiles: [{ name: "plain" }, { name: "constructor", model: "offline/x", systemPrompt: "" }],
  });
  const whole = parseConfig(
    `
      [profiles.whole]
      description = "Reads changes"
      append_system_prompt = "Be kind."
      tools = { allowed = ["read_file"], denied = ["shell"] }
      mcp_servers = ["files"]
      skills = ["pdf"]
      settings = { temperature = 0.2, max_output_tokens = 100, reasoning_effort = "low" }
      budget = { max_usd_per_day = 0.5 }
    `,
    "incipit.toml",
  );
  expect(hostDefaults(whole, { cwd: "/" }).profiles).toEqual([
    {
      name: "whole",
      description: "Reads changes",
      append: "Be kind.",
      tools: { allowed: ["read_file"], asked: [], denied: ["shell"] },
      mcpServers: ["files"],
      skills: ["pdf"],
      settings: { temperature: 0.2, maxOutputTokens: 100, reasoningEffort: "low" },
      budget: { maxUsdPerDay: 0.5, maxTokensPerDay: null },
    },
  ]);
  expect(hostDefaults(parseConfig("", "f"), { cwd: "/" })).toEqual({
    model: "offline/echo",
    cwd: "/",
    promptRefresh: "compaction",
    profiles: [],
  });
});
