import { amounts } from "./amounts.ts";

const { count } = amounts;

export const setupWords = {
  sections: "On this page",
  servers: {
    title: "MCP servers",
    intro:
      "Programs and addresses that give tools to models. A server starts when a conversation first needs its tools.",
    none: "None is configured. A server is a table of the configuration, such as:",
    example:
      '[mcp.servers.files]\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-filesystem", "$cwd"]',
    states: {
      idle: "not started",
      starting: "starting",
      running: "running",
      failed: "failed",
    },
    tools: (tools: number) => (tools === 1 ? "1 tool" : `${count(tools)} tools`),
    told: "What it tells models",
    notListed: "its tools are not known before it has run",
    start: "Start it",
    again: "Start it again",
    readOnly: "says that it only reads",
    approvals: { allow: "runs at once", ask: "asks first", deny: "never runs" },
  },
  folders: {
    title: "Trusted folders",
    intro:
      "A folder may configure the host, and tell models what to do, once a person trusts it with what it holds. That is done at the command alone.",
    none: "No folder is trusted. In a folder that you know, run:",
    since: (time: string) => `trusted ${time}`,
    states: {
      trusted: "as it was trusted",
      "not-trusted": "not trusted: it came later",
      changed: "changed since it was trusted",
      gone: "gone",
    },
    repository: "what git says of it is trusted",
    asksFor: "Its configuration asks for this",
    asksNothing: "Its configuration asks for nothing.",
    trustAgain: "To trust it as it is now:",
    allowed: "Calls of tools that you always allow in its conversations; to be asked again:",
    trustNoMore: "To trust it no more:",
    leftOut: (folders: number) => `${count(folders)} more are trusted: "incipit trust" lists them.`,
  },
  configuration: {
    title: "Configuration in force",
    intro:
      "Each key with its value, and where that was written. It is read when the host starts: change the file, and start the host again.",
    search: "Find a key",
    all: "Also what nobody has set",
    table: "Table of keys",
    columns: ["Key", "Value", "From"],
    none: "No key has these letters in its name or its place.",
    onlyDefaults: "Nothing was set: every key has its default.",
    redacted: "secrets are left out",
    file: (file: string, line: number) => `${file}:${line}`,
    variable: (name: string) => `variable ${name}`,
    flag: (name: string) => name,
    default: "default",
    notSet: "not set",
  },
  profiles: {
    writtenAt: (place: string) => `written at ${place}`,
    begin: "Begin a conversation with it",
    edit: "Edit and try its prompt",
    editIntro:
      "What you write here is tried, and not stored: a profile belongs to the configuration. The preview shows what a new conversation would be told.",
    editor: (name: string) => `Prompt of ${name}`,
    preview: "What it becomes",
    empty: "Nothing: the model gets no system text.",
    toKeep: (place: string) => `To keep it, write this at ${place}, and start the host again:`,
    somewhere: "its table in the configuration",
    snippet: "Lines for the configuration",
  },
  graph: {
    title: "Picture of the extensions",
    intro:
      "Who gives what to whom, from left to right. The list below says the same, and more. A click on an extension leads to its entry.",
    required: "needs it",
    used: "uses it when it is there",
    contributed: "adds to it",
    calls: (calls: number) => `${count(calls)} in flight`,
    refused: (times: number) => `refused ${count(times)}×`,
    powers: (powers: string) => `may: ${powers}`,
    noPowers: "no power of its own",
    services: (services: number) => (services === 1 ? "1 service" : `${count(services)} services`),
  },
} as const;
