import type { RecordingModelServer } from "@incipit/testkit";
import { join } from "node:path";
import { acpTool } from "../acp-tools/acp-tools.ts";
import { testedCommand } from "../support/host-process.ts";

export interface TriedWorld {
  readonly home: string;
  readonly work: string;
  readonly model: RecordingModelServer;
}

/** The program contacts only the recording model. */
export interface StartedTerminal {
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const window = 100_000;
const longest = 10_000;

export async function startPi({ home, model }: TriedWorld): Promise<StartedTerminal> {
  const cost = { input: 10, output: 20, cacheRead: 1, cacheWrite: 0 };
  const facts = { contextWindow: window, maxTokens: longest, cost, input: ["text", "image"] };
  const models = ["m", "other"].map((id) => ({ id, ...facts }));
  const local = { baseUrl: model.url, api: "openai-completions", apiKey: "none", models };
  await Bun.write(join(home, ".pi/agent/models.json"), JSON.stringify({ providers: { local } }));
  const settings = { defaultProvider: "local", defaultModel: "m", quietStartup: true, showCacheMissNotices: true };
  await Bun.write(join(home, ".pi/agent/settings.json"), JSON.stringify(settings));
  return {
    command: [process.execPath, acpTool("@earendil-works/pi-coding-agent/dist/bundle/cli.js")],
    env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
  };
}

export async function startOpencode({ home, model }: TriedWorld): Promise<StartedTerminal> {
  // Installs a package for plugins in its first conversation.
  await Bun.write(join(home, ".npmrc"), "registry=http://127.0.0.1:9\nfetch-retries=0\n");
  const facts = {
    limit: { context: window, output: longest },
    cost: { input: 10, output: 20, cache_read: 1 },
    attachment: true,
    modalities: { input: ["text", "image"], output: ["text"] },
  };
  const local = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: model.url, apiKey: "none" },
    models: { m: { name: "m", ...facts }, other: { name: "other", ...facts } },
  };
  const config = {
    autoupdate: false,
    share: "disabled",
    model: "local/m",
    small_model: "local/other",
    enabled_providers: ["local"],
    permission: { edit: "ask" },
    provider: { local },
  };
  return {
    command: [acpTool(`opencode-${process.platform}-${process.arch}/bin/opencode`)],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    },
  };
}

export async function startCodex({ home, work, model }: TriedWorld): Promise<StartedTerminal> {
  const config = `model = "m"
model_provider = "local"
model_context_window = ${window}
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[model_providers.local]
name = "local"
base_url = "${model.url}"
wire_api = "responses"
env_key = "LOCAL_KEY"
[analytics]
enabled = false
[projects."${work}"]
trust_level = "trusted"
`;
  await Bun.write(join(home, ".codex/config.toml"), config);
  // Its background server would outlive the trial.
  return {
    command: ["node", acpTool("@openai/codex/bin/codex.js")],
    args: ["--no-daemon"],
    env: { LOCAL_KEY: "none" },
  };
}

export async function startClaude({ home, work, model }: TriedWorld): Promise<StartedTerminal> {
  const state = {
    hasCompletedOnboarding: true,
    theme: "auto",
    customApiKeyResponses: { approved: ["none"], rejected: [] },
    projects: { [work]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
  };
  await Bun.write(join(home, ".claude.json"), JSON.stringify(state));
  return {
    command: [acpTool(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`)],
    args: ["--permission-mode", "manual"],
    env: {
      ANTHROPIC_API_KEY: "none",
      ANTHROPIC_BASE_URL: new URL(model.urlOf("anthropic")).origin,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_TMPDIR: join(home, "tmp"),
      DISABLE_AUTOUPDATER: "1",
    },
  };
}

export async function startIncipit({ home, model }: TriedWorld): Promise<StartedTerminal> {
  const facts = `context_window = ${window}
max_output_tokens = ${longest}
prices = { input = 10, output = 20, cache_read = 1 }`;
  const config = `model = "local/m"
tools = { workspace = true }
[providers.local]
kind = "openai-compatible"
base_url = "${model.url}"
[providers.local.models.m]
${facts}
[providers.local.models.other]
${facts}
`;
  await Bun.write(join(home, ".config/incipit/incipit.toml"), config);
  return { command: testedCommand, env: {} };
}
