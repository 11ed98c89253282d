import { existsSync } from "node:fs";
import { join } from "node:path";

export interface OtherServer {
  readonly name: string;
  readonly file: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
  readonly http?: (port: number) => OverHttp;
  readonly answer: string;
  readonly isUnlisted?: true;
  readonly prints?: string;
  readonly isError?: true;
}

interface OverHttp {
  readonly path?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const modules = join(import.meta.dir, "../other-mcp-servers/node_modules");
const hostFolder = join(import.meta.dir, "../../packages/host-bin");
const key = "key-of-a-test";

/** From npm, of many authors, SDKs and protocol versions. @param folder Where they may read and write. */
export function otherServers(folder: string): readonly OtherServer[] {
  return [
    {
      name: "chart",
      file: installed("@antv/mcp-server-chart/build/index.js"),
      call: { tool: "generate_pie_chart", input: {} },
      answer: "ECONNREFUSED",
      isError: true,
    },
    {
      name: "git",
      file: installed("@cyanheads/git-mcp-server/dist/index.js"),
      http: (port) => ({ env: { MCP_TRANSPORT_TYPE: "http", MCP_HTTP_PORT: String(port) } }),
      call: { tool: "git_status", input: { path: folder } },
      answer: "not a git repository",
      isError: true,
    },
    {
      name: "eslint",
      file: installed("@eslint/mcp/src/mcp-cli.js"),
      call: { tool: "lint-files", input: { filePaths: [join(folder, "a.js")] } },
      answer: "Could not find config file",
      isError: true,
    },
    {
      name: "heroku",
      file: installed("@heroku/mcp-server/bin/heroku-mcp-server.mjs"),
      env: { HEROKU_API_KEY: key },
      call: { tool: "create_addon", input: {} },
      answer: "Input validation error",
      isError: true,
    },
    {
      name: "brave-search",
      file: installed("@modelcontextprotocol/server-brave-search/dist/index.js"),
      env: { BRAVE_API_KEY: key },
      call: { tool: "brave_web_search", input: {} },
      answer: "Invalid arguments for brave_web_search",
      isError: true,
    },
    {
      name: "github",
      file: installed("@modelcontextprotocol/server-github/dist/index.js"),
      env: { GITHUB_PERSONAL_ACCESS_TOKEN: key },
      call: { tool: "create_issue", input: {} },
      answer: "Invalid input",
      isError: true,
    },
    {
      name: "gitlab",
      file: installed("@modelcontextprotocol/server-gitlab/dist/index.js"),
      env: { GITLAB_PERSONAL_ACCESS_TOKEN: key },
      call: { tool: "create_issue", input: {} },
      answer: "failed",
      isError: true,
    },
    {
      name: "google-maps",
      file: installed("@modelcontextprotocol/server-google-maps/dist/index.js"),
      env: { GOOGLE_MAPS_API_KEY: key },
      call: { tool: "maps_geocode", input: {} },
      answer: "ECONNREFUSED",
      isError: true,
    },
    {
      name: "memory",
      file: installed("@modelcontextprotocol/server-memory/dist/index.js"),
      env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
      call: { tool: "read_graph", input: {} },
      answer: '"entities": []',
    },
    {
      name: "postgres",
      file: installed("@modelcontextprotocol/server-postgres/dist/index.js"),
      args: ["postgresql://127.0.0.1:9/none"],
      call: { tool: "query", input: { sql: "SELECT 1" } },
      answer: "ECONNREFUSED",
      isError: true,
    },
    {
      name: "thinking",
      file: installed("@modelcontextprotocol/server-sequential-thinking/dist/index.js"),
      call: {
        tool: "sequentialthinking",
        input: { thought: "One", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      },
      answer: '"thoughtHistoryLength": 1',
    },
    {
      name: "slack",
      file: installed("@modelcontextprotocol/server-slack/dist/index.js"),
      env: { SLACK_BOT_TOKEN: key, SLACK_TEAM_ID: "T1" },
      call: { tool: "slack_post_message", input: {} },
      answer: "Missing required arguments",
    },
    {
      name: "notion",
      file: installed("@notionhq/notion-mcp-server/bin/cli.mjs"),
      http: (port) => ({ args: ["--transport", "http", "--port", String(port), "--disable-auth"] }),
      env: { NOTION_TOKEN: key },
      call: { tool: "API-retrieve-a-page", input: {} },
      answer: "ECONNREFUSED",
      isError: true,
    },
    {
      name: "playwright",
      file: installed("@playwright/mcp/cli.js"),
      http: (port) => ({ args: ["--allowed-hosts", "*", "--host", "127.0.0.1", "--port", String(port)] }),
      call: { tool: "browser_click", input: {} },
      answer: "Error",
      isError: true,
    },
    {
      name: "sentry",
      file: installed("@sentry/mcp-server/dist/index.js"),
      args: [`--access-token=${key}`],
      call: { tool: "find_projects", input: {} },
      answer: "Input validation error",
      isError: true,
    },
    {
      name: "supabase",
      file: installed("@supabase/mcp-server-supabase/dist/cli.js"),
      env: { SUPABASE_ACCESS_TOKEN: key },
      call: { tool: "get_project", input: {} },
      answer: "There is no tool",
      isUnlisted: true,
      isError: true,
    },
    {
      name: "context7",
      file: installed("@upstash/context7-mcp/dist/index.js"),
      http: (port) => ({ args: ["--transport", "http", "--port", String(port)] }),
      call: { tool: "query-docs", input: {} },
      answer: "Input validation error",
      isError: true,
    },
    {
      name: "exa",
      file: installed("exa-mcp-server/dist/stdio.cjs"),
      call: { tool: "web_search_exa", input: {} },
      answer: "Input validation error",
      isError: true,
    },
    {
      name: "figma",
      file: installed("figma-developer-mcp/dist/bin.js"),
      http: (port) => ({ args: [`--port=${port}`, `--figma-api-key=${key}`] }),
      args: ["--stdio", `--figma-api-key=${key}`],
      call: { tool: "get_figma_data", input: {} },
      answer: "Invalid fileKey",
      isError: true,
    },
    {
      name: "firecrawl",
      file: installed("firecrawl-mcp/dist/index.js"),
      env: { FIRECRAWL_API_KEY: key },
      call: { tool: "firecrawl_scrape", input: {} },
      answer: "parameter validation failed",
      isError: true,
    },
    {
      name: "hostinger",
      file: installed("hostinger-api-mcp/src/servers/all.js"),
      http: (port) => ({ args: ["--http", "--host", "127.0.0.1", "--port", String(port)], path: "/" }),
      env: { API_TOKEN: key },
      call: { tool: "DNS_getDNSRecordsV1", input: {} },
      answer: "ECONNREFUSED",
      isError: true,
    },
    {
      name: "searxng",
      file: installed("mcp-searxng/dist/cli.js"),
      http: (port) => ({ env: { MCP_HTTP_PORT: String(port) } }),
      env: { SEARXNG_URL: "http://127.0.0.1:9" },
      call: { tool: "searxng_web_search", input: { query: "otters" } },
      answer: "Connection Error",
      isError: true,
    },
    {
      name: "code-runner",
      file: installed("mcp-server-code-runner/dist/cli.js"),
      prints: "Code Runner MCP Server running on stdio",
      call: { tool: "run-code", input: { code: "console.log(6 * 7)", languageId: "javascript" } },
      answer: "42",
    },
    {
      name: "tavily",
      file: installed("tavily-mcp/build/index.js"),
      env: { TAVILY_API_KEY: key },
      call: { tool: "tavily_search", input: {} },
      answer: "ECONNREFUSED",
      isError: true,
    },
    {
      name: "everything",
      file: Bun.resolveSync("@modelcontextprotocol/server-everything/dist/index.js", hostFolder),
      call: { tool: "get-sum", input: { a: 2, b: 40 } },
      answer: "42",
    },
    {
      name: "files",
      file: Bun.resolveSync("@modelcontextprotocol/server-filesystem/dist/index.js", hostFolder),
      args: [folder],
      call: { tool: "read_text_file", input: { path: join(folder, "a.js") } },
      answer: "var unused",
    },
  ];
}

export function installed(path: string): string {
  const file = join(modules, path);
  if (existsSync(file)) return file;
  throw new Error('The servers are not installed; "bun run check" does it, or "bun run mcp-servers"');
}
