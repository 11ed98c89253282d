import { askOptions, talkOptions } from "../registry/ask-options.ts";
import { command } from "../registry/command.ts";

export const askCommands = [
  command("setup", {
    summary: "choose a model, write a configuration",
    options: ["model", "isGranted"],
    example: "incipit setup --model openai/gpt-5.2 --yes",
    isBasic: true,
    run: async (call) => (await import("../setup/setup.ts")).runSetup(call),
  }),
  command("doctor", {
    summary: "find problems and suggest fixes",
    options: ["model"],
    isBasic: true,
    run: async (call) => (await import("../doctor/doctor.ts")).doctor(call),
  }),
  command("serve", {
    summary: "start the host",
    options: ["cwdOfNew", "host", "modelOfNew", "port"],
    example: "incipit serve --port 4100",
    isBasic: true,
    run: async (call) => (await import("../host/serve.ts")).serve(call),
  }),
  command("ask [QUESTION]", {
    title: 'incipit "QUESTION"',
    summary: "ask a question and print the answer",
    forms: [
      ['incipit -s ID "QUESTION"', "continue a conversation (also with chat)"],
      ['incipit -c "QUESTION"', "continue this folder's last conversation"],
      ['git diff | incipit "QUESTION"', "ask about piped input (or that alone)"],
    ],
    options: askOptions,
    example: 'incipit "What is new?"',
    isBasic: true,
    run: async (call) => (await import("../ask/ask-question.ts")).askQuestion(call),
  }),
  command("chat", {
    summary: "open the interactive terminal (default)",
    options: [...talkOptions, "isRepl", "isForScreenReader"],
    isBasic: true,
    run: async (call) => (await import("../screen/open-chat.ts")).openChat(call),
  }),
  command("run TASK", {
    summary: "run a task; with --background, the running host continues it after the command has exited",
    options: [...askOptions, "isInBackground"],
    example: 'incipit run "Write the release notes" --background',
    run: async (call) => (await import("../ask/ask-question.ts")).run(call),
  }),
  command("acp", {
    summary: "serve an editor over the Agent Client Protocol, on stdin and stdout",
    options: ["model", "profile"],
    run: async (call) => (await import("../acp/acp.ts")).acp(call),
  }),
];
