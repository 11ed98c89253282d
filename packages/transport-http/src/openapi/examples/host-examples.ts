import type { ToolServerInfo } from "@incipit/transport-contract";
import type { RouteExamples } from "./route-example.ts";

const toolServer: ToolServerInfo = {
  name: "files",
  target: "npx -y @modelcontextprotocol/server-filesystem /home/ada/tides",
  state: "running",
  error: null,
  tools: [{ name: "files__read_file", description: "Reads a file", isReadOnly: true, approval: "allow" }],
  problems: [],
};

export const hostExamples = {
  getHealth: { answer: { status: "ok", version: "0.1.0", problems: [] } },
  listModels: {
    answer: {
      models: [
        {
          id: "offline/echo",
          provider: "offline",
          isReady: true,
          problem: null,
          isDefault: true,
          facts: {
            contextWindow: null,
            maxOutputTokens: null,
            prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
            inputs: ["text", "image", "pdf", "audio", "video"],
            source: "the host",
          },
        },
      ],
    },
  },
  listProfiles: { answer: { profiles: [{ name: "reviewer", model: null, hasSystemPrompt: true, problem: null }] } },
  getConfiguration: {
    answer: {
      keys: [
        {
          path: ["listen", "port"],
          value: 4140,
          origin: { kind: "file", file: "/home/ada/.config/incipit/incipit.toml", line: 12 },
          isRedacted: false,
        },
        { path: ["model"], value: "offline/echo", origin: { kind: "default" }, isRedacted: false },
      ],
    },
  },
  listTrustedFolders: {
    answer: {
      folders: [
        {
          path: "/home/ada/tides",
          trustedAt: "2026-11-23T10:00:00.000Z",
          files: [{ name: "AGENTS.md", state: "trusted" }],
          isRepository: true,
          wishes: [],
          problem: null,
        },
      ],
      leftOut: 0,
    },
  },
  listToolServers: { answer: { servers: [toolServer] } },
  startToolServer: { answer: { server: toolServer } },
  getOpenApi: { answer: { openapi: "3.1.1" } },
} satisfies RouteExamples;
