import type { ToolServerInfo } from "@incipit/transport-contract";
import type { RouteExamples } from "./route-example.ts";

const toolServer: ToolServerInfo = {
  name: "files",
  target: "npx -y @modelcontextprotocol/server-filesystem /home/ada/tides",
  state: "running",
  error: null,
  tools: [{ name: "files__read_file", description: "Reads a file", isReadOnly: true, approval: "allow" }],
  problems: [],
  instructions: "Read a file before you change it.",
};

export const hostExamples = {
  getHealth: {
    answer: { status: "ok", version: "0.1.0", problems: [] },
  },
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
          allowed: [
            {
              id: "019ab3c2-3b1f-7c4e-9f05-7d8a1c6f0e11",
              tool: "shell",
              by: { kind: "host", extension: "workspace-tools" },
              grants: ["shell(git status:*)"],
              allowedAt: "2026-11-23T10:05:00.000Z",
            },
          ],
        },
      ],
      leftOut: 0,
    },
  },
  listToolServers: {
    answer: { servers: [toolServer] },
  },
  startToolServer: {
    answer: { server: toolServer },
  },
  listResources: {
    answer: {
      resources: [
        {
          uri: "issue://tides/12",
          isTemplate: false,
          description: "High water is late",
          mediaType: "text/markdown",
        },
        { uri: "issue://tides/{number}", isTemplate: true, description: "An issue", mediaType: null },
      ],
      problems: [],
    },
  },
  readResource: {
    body: { uri: "issue://tides/12", conversationId: "01a208b1-c2b4-74b6-896b-2d2fac10c570" },
    answer: {
      contents: [
        {
          type: "text",
          uri: "issue://tides/12",
          mediaType: "text/markdown",
          text: "High water comes an hour late.",
        },
      ],
    },
  },
  beginToolServerSignIn: {
    body: { redirectUrl: "http://127.0.0.1:8976/callback" },
    answer: {
      authorizationUrl:
        "https://auth.acme.dev/authorize?response_type=code&client_id=5b1f&code_challenge=Yp0d&code_challenge_method=S256&redirect_uri=http%3A%2F%2F127.0.0.1%3A8976%2Fcallback&state=6f1c",
      foreignHost: "auth.acme.dev",
    },
  },
  finishToolServerSignIn: {
    body: { address: "http://127.0.0.1:8976/callback?code=b7e2&state=6f1c" },
    answer: { server: toolServer },
  },
  signOutOfToolServer: {
    answer: { server: { ...toolServer, state: "idle", tools: null } },
  },
  offerToolServers: {
    body: {
      servers: [
        {
          kind: "stdio",
          name: "files",
          command: "/usr/bin/mcp-server-filesystem",
          args: ["/home/ada/tides"],
          env: { LEVEL: "debug" },
        },
      ],
    },
    answer: { type: "tool-servers", servers: [{ ...toolServer, target: "/usr/bin/mcp-server-filesystem" }] },
  },
  listOfferedToolServers: {
    answer: { servers: [{ ...toolServer, target: "/usr/bin/mcp-server-filesystem" }] },
  },
  getOpenApi: {
    answer: { openapi: "3.1.1" },
  },
} satisfies RouteExamples;
