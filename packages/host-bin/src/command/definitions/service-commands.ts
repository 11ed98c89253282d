import { command } from "../registry/command.ts";

export const serviceCommands = [
  command("models [WORD…]", {
    summary: "list models, their input types and prices",
    example: "incipit models claude",
    isBasic: true,
    run: async (call) => (await import("../models/models.ts")).models(call),
  }),
  command("mcp [list]", {
    summary: "list the MCP servers and their state",
    run: async (call) => (await import("../mcp/mcp.ts")).listServers(call),
  }),
  command("mcp test NAME", {
    summary: "start a server and list its tools",
    example: "incipit mcp test github",
    run: async (call) => (await import("../mcp/mcp.ts")).testServer(call),
  }),
  command("mcp resources [NAME]", {
    summary: "list resources; @NAME:URI in a message attaches one",
    run: async (call) => (await import("../mcp/mcp.ts")).listResources(call),
  }),
  command("mcp add NAME -- PROGRAM…", {
    summary: "add a local server to your configuration",
    options: ["env", "tokenEnv", "isOauth"],
    example: "incipit mcp add github --env GITHUB_TOKEN -- github-mcp-server stdio",
    forms: [["incipit mcp add NAME URL", "add a remote server"]],
    run: async (call) => (await import("../mcp/add-servers.ts")).addServer(call),
  }),
  command("mcp import FILE [NAME…]", {
    summary: "add the servers of another host's mcp.json",
    example: "incipit mcp import .mcp.json",
    run: async (call) => (await import("../mcp/add-servers.ts")).importServers(call),
  }),
  command("mcp login|logout NAME", {
    summary: "sign in to a server in a browser, or sign out",
    example: "incipit mcp login linear",
    run: async (call) => (await import("../mcp/mcp.ts")).signInOrOut(call),
  }),
  command("heartbeat [show]", {
    summary: "show when it wakes a model, and the last result",
    run: async (call) => (await import("../heartbeat/heartbeat.ts")).showHeartbeat(call),
  }),
  command("heartbeat wake", {
    summary: "wake it now",
    run: async (call) => (await import("../heartbeat/heartbeat.ts")).wakeHeartbeat(call),
  }),
  command("heartbeat history", {
    summary: "list all wakes",
    run: async (call) => (await import("../heartbeat/heartbeat.ts")).heartbeatHistory(call),
  }),
  command("schedules [list]", {
    summary: "list schedules",
    run: async (call) => (await import("../schedules/schedules.ts")).listSchedules(call),
  }),
  command("schedules add NAME TASK", {
    summary: "create a schedule; takes one of --cron, --every and --at",
    options: [
      "cron",
      "every",
      "at",
      "zone",
      "missed",
      "schedule",
      "model",
      "profile",
      "cwd",
      "tell",
      "retries",
      "tools",
      "maxTokens",
      "maxUsd",
    ],
    example: 'incipit schedules add news "What is new?" --cron "0 9 * * 1-5"',
    run: async (call) => (await import("../schedules/new-schedule.ts")).addSchedule(call),
  }),
  command("schedules run NAME", {
    summary: "run a schedule now",
    example: "incipit schedules run news",
    run: async (call) => (await import("../schedules/schedules.ts")).runSchedule(call),
  }),
  command("schedules history NAME", {
    summary: "list its runs and their results",
    example: "incipit schedules history news",
    run: async (call) => (await import("../schedules/schedules.ts")).scheduleHistory(call),
  }),
  command("schedules costs", {
    summary: "show the daily costs of autonomous runs",
    run: async (call) => (await import("../schedules/schedules.ts")).autonomousCosts(call),
  }),
  command("schedules pause|resume NAME", {
    summary: "pause or resume a schedule",
    example: "incipit schedules pause news",
    run: async (call) => (await import("../schedules/schedules.ts")).pauseSchedule(call),
  }),
  command("schedules remove NAME", {
    summary: "delete a schedule",
    example: "incipit schedules remove news",
    run: async (call) => (await import("../schedules/schedules.ts")).removeSchedule(call),
  }),
  command("channels [list]", {
    summary: "list channels and their state",
    run: async (call) => (await import("../channels/channels.ts")).listChannels(call),
  }),
  command("channels pair CHANNEL", {
    summary: "show a code that pairs one person",
    example: "incipit channels pair telegram",
    run: async (call) => (await import("../channels/channels.ts")).pairPerson(call),
  }),
  command("channels people CHANNEL", {
    summary: "list paired people",
    example: "incipit channels people telegram",
    run: async (call) => (await import("../channels/channels.ts")).listPeople(call),
  }),
  command("channels remove CHANNEL PERSON", {
    summary: "unpair a person",
    example: "incipit channels remove telegram 123456",
    run: async (call) => (await import("../channels/channels.ts")).removePerson(call),
  }),
  command("channels messages CHANNEL", {
    summary: "list sent messages and failed deliveries",
    example: "incipit channels messages telegram",
    run: async (call) => (await import("../channels/channels.ts")).listMessages(call),
  }),
  command("channels retry CHANNEL MESSAGE", {
    summary: "send a message again",
    example: "incipit channels retry telegram 000000000042",
    run: async (call) => (await import("../channels/channels.ts")).retryMessage(call),
  }),
  command("channels continue CHANNEL CHAT ID", {
    summary: "continue a conversation in a chat",
    example: "incipit channels continue telegram 123456 01a21cec-0000-7000-8000-000000000000",
    run: async (call) => (await import("../channels/channels.ts")).continueInChat(call),
  }),
  command("send CHANNEL CHAT TEXT", {
    summary: "send a message to a chat",
    example: 'incipit send telegram 123456 "The build is green"',
    run: async (call) => (await import("../channels/channels.ts")).sendToChannel(call),
  }),
];
