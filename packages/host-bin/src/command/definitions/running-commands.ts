import { command } from "../registry/command.ts";

const ofConversation = ["isContinued", "cwdOfLast"] as const;
const ofUndo = [...ofConversation, "isDryRun", "isKeepingFiles", "isGranted"] as const;

export const runningCommands = [
  command("follow ID", {
    summary: "show the running turn and later ones",
    options: ofConversation,
    run: async (call) => (await import("../running/follow.ts")).follow(call),
  }),
  command("stop ID", {
    summary: "stop the running turn",
    options: ofConversation,
    run: async (call) => (await import("../running/stop.ts")).stop(call),
  }),
  command("compact ID [WORDS]", {
    summary: "compact the conversation; WORDS name what the summary must keep",
    options: ofConversation,
    example: 'incipit compact -c "the open questions"',
    run: async (call) => (await import("../running/compact.ts")).compact(call),
  }),
  command("undo ID", {
    summary: "remove the last message in a copy and restore its files; prints the ID of the copy",
    options: ofUndo,
    example: "incipit undo -c --dry-run",
    run: async (call) => (await import("../undo/undo.ts")).undo("undo", call),
  }),
  command("redo ID", {
    summary: "reverse an undo; ID is the copy that undo has made",
    options: ofUndo,
    example: "incipit redo 01a21cec",
    run: async (call) => (await import("../undo/undo.ts")).undo("redo", call),
  }),
  command("queue ID", {
    summary: "list the queued messages",
    options: ofConversation,
    run: async (call) => (await import("../running/queue.ts")).listQueue(call),
  }),
  command("queue ID resume", {
    summary: "run the queued messages",
    options: ofConversation,
    run: async (call) => (await import("../running/queue.ts")).resumeQueue(call),
  }),
  command("queue ID remove TURN", {
    summary: "remove a queued message",
    options: ofConversation,
    example: "incipit queue -c remove 01a21cec",
    run: async (call) => (await import("../running/queue.ts")).removeFromQueue(call),
  }),
  command("answer ID [QUESTION]", {
    summary: "show the questions of tools; at a terminal, answer one",
    options: ofConversation,
    run: async (call) => (await import("../running/answer.ts")).answer(call),
  }),
  command("answer ID accept JSON [QUESTION]", {
    summary: "answer with these values",
    options: ofConversation,
    example: `incipit answer -c accept '{"city": "Porto"}'`,
    run: async (call) => (await import("../running/answer.ts")).acceptQuestion(call),
  }),
  command("answer ID decline|cancel [QUESTION]", {
    summary: "answer without values",
    options: ofConversation,
    example: "incipit answer -c decline",
    run: async (call) => (await import("../running/answer.ts")).refuseQuestion(call),
  }),
  command("approve ID", {
    summary: "show the tool calls that wait for approval",
    options: ofConversation,
    run: async (call) => (await import("../running/approve.ts")).listApprovals(call),
  }),
  command("approve ID allow|deny [CALL]", {
    summary: "allow or deny a call once",
    options: ofConversation,
    example: "incipit approve -c allow",
    run: async (call) => (await import("../running/approve.ts")).approve(call),
  }),
  command("approve ID always|always-in-folder [CALL]", {
    summary: "allow a call and later ones, here or in every conversation of this folder",
    options: [...ofConversation, "approvalScope"],
    example: "incipit approve -c always --scope prefix",
    run: async (call) => (await import("../running/approve.ts")).approve(call),
  }),
  command("approve ID list", {
    summary: "list permanent approvals",
    options: ofConversation,
    run: async (call) => (await import("../running/allowed-calls.ts")).listAllowed(call),
  }),
  command("approve ID take-back [ALLOWED]", {
    summary: "revoke a permanent approval",
    options: ofConversation,
    example: "incipit approve -c take-back 01a21cec",
    run: async (call) => (await import("../running/allowed-calls.ts")).takeBackAllowed(call),
  }),
];
