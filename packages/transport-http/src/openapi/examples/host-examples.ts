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
    description:
      "Tells whether the host is well, for programs that watch it. It needs no token; what is wrong is told to those alone who may read.",
    answer: { status: "ok", version: "0.1.0", problems: [] },
  },
  listModels: {
    description:
      "Lists each model of each configured provider, with what is known of it and what keeps it from being called. A conversation may name other models of these providers, too.",
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
    description:
      "Lists every key of the configuration with its value and the file, variable or flag that it comes from, defaults among them. Secrets are left out.",
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
    description:
      "Lists the folders that a person trusts, whether their files are still those that were trusted, and what their configuration asks for. Only `incipit trust` at the command line trusts one.",
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
    description:
      "Lists the MCP servers of the configuration with the tools that they listed last. A server starts when it is first needed; this starts none.",
    answer: { servers: [toolServer] },
  },
  startToolServer: {
    description:
      "Starts an MCP server of the configuration and waits until it has listed its tools. Where it fails, the answer is still 200, with the state `failed` and why.",
    answer: { server: toolServer },
  },
  listResources: {
    description:
      "Lists the resources of an MCP server as it describes them. A template is an address with blanks in braces: whoever names a resource fills them in.",
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
    description:
      "Reads a resource of an MCP server, which is started for it, unless it runs. Whoever sends a message with `@SERVER:URI` in it puts the contents in front of the message as parts, as the command and the page do. With `conversationId`, a server that depends on the working folder is the one for that conversation's.",
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
    description:
      "Begins to sign in to an MCP server whose table of the configuration has `oauth = true`: a person opens the address, and their browser comes back to `redirectUrl` with a code in its query. `incipit mcp login NAME` does all of it.",
    body: { redirectUrl: "http://127.0.0.1:8976/callback" },
    answer: {
      authorizationUrl:
        "https://auth.acme.dev/authorize?response_type=code&client_id=5b1f&code_challenge=Yp0d&code_challenge_method=S256&redirect_uri=http%3A%2F%2F127.0.0.1%3A8976%2Fcallback&state=6f1c",
      foreignHost: "auth.acme.dev",
    },
  },
  finishToolServerSignIn: {
    description:
      "Takes the address that the browser came back with, once, changes its code for tokens, stores them in the data folder, and starts the server. Nobody is shown the tokens.",
    body: { address: "http://127.0.0.1:8976/callback?code=b7e2&state=6f1c" },
    answer: { server: toolServer },
  },
  signOutOfToolServer: {
    description:
      "Forgets what a sign-in has given, and ends the session with the server. The server is not told: where you want the access ended there, too, do it in your account.",
    answer: { server: { ...toolServer, state: "idle", tools: null } },
  },
  offerToolServers: {
    description:
      "Starts MCP servers and gives their tools to this conversation alone, as an editor does for the session that it opens. The first event says how they are at once, the next ones when that changes. The servers run until the client leaves: then they end, and calls of their tools get an error. Tools count from the next epoch on, where one has begun. This needs the host's own token, as it starts any program.",
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
    description:
      "Lists the MCP servers that clients offer to this conversation at this moment, with what their tools are. What they were started with is not told: neither arguments, nor variables, nor headers.",
    answer: { servers: [{ ...toolServer, target: "/usr/bin/mcp-server-filesystem" }] },
  },
  getOpenApi: {
    description: "Gives this document, with the address at which it was asked for in `servers`. It needs no token.",
    answer: { openapi: "3.1.1" },
  },
} satisfies RouteExamples;
