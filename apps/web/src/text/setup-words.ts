import { amounts } from "./amounts.ts";

const { count } = amounts;

export const setupWords = {
  sections: "On this page",
  servers: {
    title: "MCP servers",
    intro: "Servers that provide tools to models. A server starts when a conversation first needs its tools.",
    none: "No servers. Add one to the configuration, for example:",
    example:
      '[mcp.servers.files]\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-filesystem", "$cwd"]',
    states: {
      idle: "not started",
      starting: "starting",
      running: "running",
      failed: "failed",
    },
    tools: (tools: number) => (tools === 1 ? "1 tool" : `${count(tools)} tools`),
    told: "Instructions to models",
    notListed: "start it to list its tools",
    start: "Start",
    again: "Restart",
    readOnly: "read-only, according to the server",
    approvals: { allow: "runs without approval", ask: "needs approval", deny: "denied" },
  },
  folders: {
    title: "Trusted folders",
    intro:
      "A trusted folder may configure the host and instruct models. You can trust folders only on the command line.",
    none: "No trusted folders. To trust a folder, run in it:",
    since: (time: string) => `trusted ${time}`,
    states: {
      trusted: "unchanged",
      "not-trusted": "not trusted: added later",
      changed: "changed since it was trusted",
      gone: "missing",
    },
    repository: "git data is trusted",
    asksFor: "Its configuration requests",
    asksNothing: "Its configuration requests nothing.",
    trustAgain: "To trust its current content:",
    allowed: "Tool calls always allowed in its conversations; to require approval again:",
    trustNoMore: "To revoke trust:",
    leftOut: (folders: number) => `${count(folders)} more are trusted: "incipit trust" lists them.`,
  },
  configuration: {
    title: "Effective configuration",
    intro:
      "Each key with its value and source. The host reads it at start: change the file, then restart the host.",
    search: "Find a key",
    all: "Include unset keys",
    table: "Table of keys",
    columns: ["Key", "Value", "From"],
    none: "No key has these letters in its name or source.",
    onlyDefaults: "No keys set: all have their defaults.",
    redacted: "secrets are redacted",
    file: (file: string, line: number) => `${file}:${line}`,
    variable: (name: string) => `variable ${name}`,
    flag: (name: string) => name,
    default: "default",
    notSet: "not set",
  },
  profiles: {
    writtenAt: (place: string) => `defined in ${place}`,
    begin: "Start a conversation with it",
    edit: "Edit and try its prompt",
    editIntro:
      "Edits here are not stored: profiles belong to the configuration. The preview shows the prompt of a new conversation.",
    editor: (name: string) => `Prompt of ${name}`,
    preview: "Preview",
    empty: "Empty: the model gets no system prompt.",
    toKeep: (place: string) => `To keep it, write this in ${place} and restart the host:`,
    somewhere: "its table in the configuration",
    snippet: "Lines for the configuration",
  },
  graph: {
    title: "Extension graph",
    intro:
      "Providers on the left, users on the right. The list below has the same data and more. Click an extension to go to its entry.",
    required: "requires it",
    used: "uses it optionally",
    contributed: "contributes to it",
    calls: (calls: number) => `${count(calls)} in flight`,
    refused: (times: number) => `refused ${count(times)}×`,
    powers: (powers: string) => `may: ${powers}`,
    noPowers: "no permissions",
    services: (services: number) => (services === 1 ? "1 service" : `${count(services)} services`),
  },
} as const;
