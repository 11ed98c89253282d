import type { RecordingModelServer } from "@incipit/testkit";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { acpTool } from "../acp-tools/acp-tools.ts";

interface OtherAgentOptions {
  readonly home: string;
  readonly model: RecordingModelServer;
}

interface StartedAgent {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface OtherAgent {
  readonly name: string;
  readonly packages: readonly string[];
  readonly by: "system-prompt" | "meta" | "block";
  /** Whether a new process can resume a session of another; `at-times`: only once the session was written. */
  readonly takesUp: boolean | "at-times";
  readonly start: (options: OtherAgentOptions) => Promise<StartedAgent>;
}

/** Work without a login, given a base URL and a dummy key. */
export const otherAgents: readonly OtherAgent[] = [
  { name: "opencode", packages: ["opencode-ai"], by: "block", takesUp: true, start: startOpencode },
  {
    name: "pi",
    packages: ["pi-acp", "@earendil-works/pi-coding-agent"],
    by: "block",
    takesUp: true,
    start: startPi,
  },
  {
    name: "claude",
    packages: ["@agentclientprotocol/claude-agent-acp"],
    by: "system-prompt",
    takesUp: true,
    start: (options) => startClaude(options),
  },
  // The version before the protocol had a field for instructions.
  {
    name: "claude-before",
    packages: ["@zed-industries/claude-agent-acp"],
    by: "meta",
    takesUp: true,
    start: (options) => startClaude(options, "@zed-industries/claude-agent-acp"),
  },
  {
    name: "codex",
    packages: ["@agentclientprotocol/codex-acp"],
    by: "system-prompt",
    takesUp: true,
    start: startCodex,
  },
  { name: "gemini", packages: ["@google/gemini-cli"], by: "block", takesUp: "at-times", start: startGemini },
];

async function startOpencode({ home, model }: OtherAgentOptions): Promise<StartedAgent> {
  // Installs a package for plugins in its first conversation.
  await Bun.write(join(home, ".npmrc"), "registry=http://127.0.0.1:9\nfetch-retries=0\n");
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: model.url, apiKey: "none" },
    models: { m: { name: "m" } },
  };
  const config = {
    autoupdate: false,
    share: "disabled",
    model: "local/m",
    small_model: "local/m",
    enabled_providers: ["local"],
    provider: { local: provider },
  };
  return {
    command: [acpTool(`opencode-${process.platform}-${process.arch}/bin/opencode`), "acp"],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    },
  };
}

async function startPi({ home, model }: OtherAgentOptions): Promise<StartedAgent> {
  const local = { baseUrl: model.url, api: "openai-completions", apiKey: "none", models: [{ id: "m" }] };
  await Bun.write(join(home, ".pi/agent/models.json"), JSON.stringify({ providers: { local } }));
  const settings = { defaultProvider: "local", defaultModel: "m", quietStartup: true };
  await Bun.write(join(home, ".pi/agent/settings.json"), JSON.stringify(settings));
  const pi = join(home, "pi");
  const program = acpTool("@earendil-works/pi-coding-agent/dist/bundle/cli.js");
  await Bun.write(pi, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(pi, 0o755);
  return {
    command: [process.execPath, acpTool("pi-acp/dist/index.js")],
    env: { PI_ACP_PI_COMMAND: pi, PI_OFFLINE: "1", PI_TELEMETRY: "0" },
  };
}

function startClaude(
  { home, model }: OtherAgentOptions,
  name = "@agentclientprotocol/claude-agent-acp",
): Promise<StartedAgent> {
  return Promise.resolve({
    command: [process.execPath, acpTool(`${name}/dist/index.js`)],
    env: {
      ANTHROPIC_API_KEY: "none",
      ANTHROPIC_BASE_URL: new URL(model.urlOf("anthropic")).origin,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_TMPDIR: join(home, "tmp"),
    },
  });
}

async function startCodex({ home, model }: OtherAgentOptions): Promise<StartedAgent> {
  const config = `model = "m"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "${model.url}"
wire_api = "responses"
env_key = "LOCAL_KEY"
[analytics]
enabled = false
`;
  await Bun.write(join(home, ".codex/config.toml"), config);
  return {
    command: [process.execPath, acpTool("@agentclientprotocol/codex-acp/dist/index.js")],
    env: { LOCAL_KEY: "none" },
  };
}

async function startGemini({ home, model }: OtherAgentOptions): Promise<StartedAgent> {
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
  };
  await Bun.write(join(home, ".gemini/settings.json"), JSON.stringify(settings));
  // Without a model name, it calls a model to choose one.
  return {
    command: ["node", acpTool("@google/gemini-cli/bundle/gemini.js"), "--acp", "--model", "gemini-2.5-flash"],
    env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: new URL(model.urlOf("gemini")).origin },
  };
}
