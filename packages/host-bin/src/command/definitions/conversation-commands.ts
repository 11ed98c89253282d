import { command } from "../registry/command.ts";

const filters = ["status", "modelFilter", "cwdFilter", "since", "limit", "isUnpaged"] as const;
const ofConversation = ["isContinued", "cwdOfLast"] as const;

export const conversationCommands = [
  command("list [archived|all]", {
    summary: "list conversations",
    options: filters,
    example: "incipit list --cwd . --since yesterday",
    isBasic: true,
    run: async (call) => (await import("../conversations/list.ts")).list(call),
  }),
  command("conversations [list] [archived|all]", {
    summary: "list conversations, as list does",
    options: filters,
    run: async (call) => (await import("../conversations/list.ts")).list(call),
  }),
  command("conversations show ID…", {
    summary: "show model, folder and times",
    options: ofConversation,
    run: async (call) => (await import("../conversations/show.ts")).show(call),
  }),
  command("conversations history ID", {
    summary: "show its messages and tool calls",
    options: ofConversation,
    run: async (call) => (await import("../conversations/history.ts")).history(call),
  }),
  command("conversations search TEXT [archived|all]", {
    summary: "search titles and messages",
    options: ["status", "modelFilter"],
    example: 'incipit conversations search "leap year"',
    run: async (call) => (await import("../conversations/search.ts")).search(call),
  }),
  command("conversations fork ID", {
    summary: "fork a conversation at a message",
    options: [...ofConversation, "after", "before"],
    example: "incipit conversations fork -c --before 01a21cec",
    run: async (call) => (await import("../conversations/change.ts")).fork(call),
  }),
  command("conversations export ID [FILE|-]", {
    summary: "export a conversation",
    options: [...ofConversation, "isGranted"],
    example: "incipit conversations export -c talk.jsonl",
    run: async (call) => (await import("../conversations/export-to.ts")).exportTo(call),
  }),
  command("conversations export ID… FOLDER", {
    summary: "export several, one file each",
    options: [...ofConversation, "isGranted"],
    example: "incipit conversations export 01a21cec 01a21ced ./talks",
    run: async (call) => (await import("../conversations/export-to.ts")).exportTo(call),
  }),
  command("conversations import FILE|-", {
    summary: "import an export",
    example: "incipit conversations import talk.jsonl",
    run: async (call) => (await import("../conversations/change.ts")).importConversation(call),
  }),
  command("conversations tasks ID", {
    summary: "list the tasks of its subagents",
    options: ofConversation,
    run: async (call) => (await import("../conversations/tasks.ts")).tasks(call),
  }),
  command("conversations tools ID", {
    summary: "list the tools in its requests and the deferred tools",
    options: ofConversation,
    run: async (call) => (await import("../conversations/tools.ts")).tools(call),
  }),
  command("conversations explain ID", {
    summary: "show the origin of each part of its prompt",
    options: ofConversation,
    run: async (call) => (await import("../conversations/explain.ts")).explainKept(call),
  }),
  command("conversations drift ID", {
    summary: "show how its prompt would differ if rebuilt now, and why",
    options: ofConversation,
    run: async (call) => (await import("../conversations/drift.ts")).drift(call),
  }),
  command("conversations rebuild ID", {
    summary: "rebuild its prompt",
    options: [...ofConversation, "note"],
    example: 'incipit conversations rebuild -c --note "new rules"',
    run: async (call) => (await import("../conversations/rebuild.ts")).rebuild(call),
  }),
  command("conversations files ID", {
    summary: "list the images and files in its requests",
    options: ofConversation,
    run: async (call) => (await import("../conversations/message-files.ts")).messageFiles(call),
  }),
  command("conversations remove-file ID FILE", {
    summary: "omit an image or file from later requests",
    options: ofConversation,
    example: "incipit conversations remove-file -c 3",
    run: async (call) => (await import("../conversations/message-files.ts")).removeMessageFile(call),
  }),
  command("conversations rename ID TITLE", {
    summary: "change the title",
    options: ofConversation,
    example: 'incipit conversations rename -c "Mend the parser"',
    run: async (call) => (await import("../conversations/change.ts")).rename(call),
  }),
  command("conversations archive|unarchive ID…", {
    summary: "archive conversations, or restore them to the list",
    options: ofConversation,
    example: "incipit conversations archive -c",
    run: async (call) => (await import("../conversations/change.ts")).archive(call),
  }),
  command("conversations delete ID…", {
    summary: "delete permanently, after confirmation",
    options: [...ofConversation, "isGranted"],
    example: "incipit conversations delete 01a21cec",
    run: async (call) => (await import("../conversations/delete.ts")).deleteConversations(call),
  }),
  command("audit [all|broken]", {
    summary: "show whether requests could use the prompt cache",
    options: ["since", "reason"],
    example: "incipit audit broken --since 2d",
    run: async (call) => (await import("../audit/audit-list.ts")).auditList(call),
  }),
  command("audit ID", {
    summary: "show the cache breaks of a conversation, their place and fix",
    options: [...ofConversation, "conversation"],
    run: async (call) => (await import("../audit/conversation-audit.ts")).conversationAudit(call),
  }),
  command("record show ID", {
    summary: "show a request and its reply (-c: the last)",
    options: [...ofConversation, "step"],
    isBasic: true,
    run: async (call) => (await import("../record/record.ts")).showRecord(call),
  }),
  command("record export ID DIR", {
    summary: "write them to a folder, without secrets",
    options: [...ofConversation, "step"],
    example: "incipit record export -c ./call",
    run: async (call) => (await import("../record/record.ts")).exportRecord(call),
  }),
  command("record replay ID", {
    summary: "send the request to another model and compare; ID of a conversation or a model call",
    options: [...ofConversation, "step", "model"],
    example: "incipit record replay -c --model openai/gpt-5.2",
    run: async (call) => (await import("../record/record.ts")).replayRecord(call),
  }),
];
