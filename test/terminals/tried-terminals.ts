import { keys } from "../terminal/sitting.ts";
import {
  startClaude,
  startCodex,
  startIncipit,
  startOpencode,
  startPi,
  type StartedTerminal,
  type TriedWorld,
} from "./start-terminals.ts";

interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

export interface TriedTerminal {
  readonly name: string;
  readonly versionOf: { readonly package: string; readonly field: "version" | "claudeCodeVersion" } | undefined;
  readonly isReady: RegExp;
  readonly start: (world: TriedWorld) => Promise<StartedTerminal>;
  readonly edit: (world: TriedWorld) => ToolCall;
  readonly shell: (command: string) => ToolCall;
  readonly yes: string;
  readonly queue: string;
  readonly takeBack: string;
  readonly interrupt: readonly string[];
  readonly undo: readonly string[];
  readonly unfold: string | undefined;
  readonly models: string;
  readonly conversations: string;
  readonly numbers: readonly string[];
  readonly told: readonly string[];
  readonly once: readonly string[];
  readonly screenReader: string | undefined;
}

export const triedTerminals: readonly TriedTerminal[] = [
  {
    name: "pi",
    versionOf: { package: "@earendil-works/pi-coding-agent", field: "version" },
    isReady: /0\.0%.*\bm\b/,
    start: startPi,
    edit: () => call("edit", { path: "tides.md", edits: [{ oldText: "two", newText: "four" }] }),
    shell: (command) => call("bash", { command }),
    yes: keys.enter,
    queue: keys.enter,
    takeBack: keys.altUp,
    interrupt: [keys.escape],
    undo: ["/tree", keys.enter, keys.up, keys.up, keys.up, keys.enter, keys.enter],
    unfold: keys.ctrl("o"),
    models: "/model",
    conversations: "/resume",
    numbers: ["/session"],
    told: ["/session"],
    once: ["-p", "Review this"],
    screenReader: undefined,
  },
  {
    name: "opencode",
    versionOf: { package: "opencode-ai", field: "version" },
    isReady: /Ask anything/,
    start: startOpencode,
    edit: ({ work }) => call("edit", { filePath: `${work}/tides.md`, oldString: "two", newString: "four" }),
    shell: (command) => call("bash", { command, description: "Runs it" }),
    yes: keys.enter,
    queue: keys.enter,
    takeBack: keys.altUp,
    interrupt: [keys.escape, keys.escape],
    undo: ["/undo", keys.enter],
    unfold: undefined,
    models: "/models",
    conversations: "/sessions",
    numbers: ["/status"],
    told: ["/status"],
    once: ["run", "Review this"],
    screenReader: undefined,
  },
  {
    name: "codex",
    versionOf: { package: "@openai/codex", field: "version" },
    isReady: /› /,
    start: startCodex,
    edit: () =>
      call("exec_command", {
        cmd: "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: tides.md\n@@\n one\n-two\n+four\n three\n*** End Patch\nEOF",
      }),
    shell: (command) => call("exec_command", { cmd: command }),
    yes: "y",
    queue: keys.tab,
    takeBack: keys.altUp,
    interrupt: [keys.escape],
    undo: [keys.escape, keys.escape, keys.enter],
    unfold: keys.ctrl("t"),
    models: "/model",
    conversations: "/resume",
    numbers: ["/status"],
    told: ["debug prompt-input", "/status"],
    once: ["exec", "--skip-git-repo-check", "Review this"],
    screenReader: undefined,
  },
  {
    name: "claude-code",
    versionOf: { package: "@anthropic-ai/claude-agent-sdk", field: "claudeCodeVersion" },
    isReady: /❯/,
    start: startClaude,
    edit: ({ work }) => call("Edit", { file_path: `${work}/tides.md`, old_string: "two", new_string: "four" }),
    shell: (command) => call("Bash", { command, description: "Runs it" }),
    yes: keys.enter,
    queue: keys.enter,
    takeBack: keys.up,
    interrupt: [keys.escape],
    undo: ["/rewind", keys.enter, keys.up, keys.enter, keys.enter],
    unfold: keys.ctrl("o"),
    models: "/model",
    conversations: "/resume",
    numbers: ["/context", "/cost"],
    told: ["/context", "/memory"],
    once: ["-p", "Review this"],
    screenReader: "--ax-screen-reader",
  },
  {
    name: "Incipit",
    versionOf: undefined,
    isReady: /local\/m/,
    start: startIncipit,
    edit: () => call("edit_file", { path: "tides.md", oldText: "two", newText: "four" }),
    shell: (command) => call("shell", { command }),
    yes: "y",
    queue: keys.enter,
    takeBack: keys.altUp,
    interrupt: [keys.escape],
    undo: ["/undo", keys.enter, keys.enter],
    unfold: keys.ctrl("o"),
    models: "/model",
    conversations: "/resume",
    numbers: ["/context", "/audit"],
    told: ["/prompt"],
    once: ["Review this"],
    screenReader: "--screen-reader",
  },
];

function call(name: string, input: Readonly<Record<string, unknown>>): ToolCall {
  return { name, arguments: JSON.stringify(input) };
}
