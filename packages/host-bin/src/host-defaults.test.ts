import { expect, test } from "bun:test";
import { parseConfig } from "./config/parse-config.ts";
import { hostDefaults } from "./host-defaults.ts";

test("hostDefaults tells what is configured", () => {
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
  expect(hostDefaults(parseConfig("", "f"), { cwd: "/" })).toEqual({
    model: "offline/echo",
    cwd: "/",
    promptRefresh: "compaction",
    profiles: [],
  });
});
