import { version } from "../programs/opencode.ts";
import { notes, type Newcomer } from "./newcomer.ts";

const ask = ["opencode", "run", "--model", "anthropic/claude-sonnet-4-5"];

export const opencode: Newcomer = {
  name: `opencode ${version}`,
  packageName: `opencode-ai@${version}`,
  pointTo: (server) => ({
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        autoupdate: false,
        share: "disabled",
        small_model: "anthropic/claude-sonnet-4-5",
        provider: { anthropic: { options: { baseURL: server.urlOf("anthropic") } } },
      }),
      npm_config_registry: "http://127.0.0.1:9", // Blocks the plugin installation at the first conversation.
      npm_config_fetch_retries: "0",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    },
  }),
  question: [...ask, "What is a monad?"],
  ownPrompt: [
    ["node", "-e", `fs.copyFileSync("${notes.name}", "AGENTS.md")`], // Like cp, which the machine lacks.
    [...ask, "Where is the parser?"],
  ],
};
