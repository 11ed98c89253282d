import { parseArgs } from "node:util";
import { nearestWord } from "@incipit/common/suggestion";
import type { ReasoningEffort } from "@incipit/schema";
import { commandsWithAction } from "./suggest-command.ts";
import { optionProblem } from "./option-problem.ts";

export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const options = {
  after: { type: "string" },
  allow: { type: "string", multiple: true },
  at: { type: "string" },
  background: { type: "boolean" },
  before: { type: "string" },
  channel: { type: "boolean" },
  config: { type: "string" },
  continue: { type: "boolean", short: "c" },
  conversation: { type: "string", short: "s" },
  cron: { type: "string" },
  cwd: { type: "string" },
  data: { type: "string" },
  days: { type: "string" },
  "dry-run": { type: "boolean" },
  effort: { type: "string" },
  env: { type: "string", multiple: true },
  every: { type: "string" },
  file: { type: "string", multiple: true },
  help: { type: "boolean", short: "h" },
  host: { type: "string" },
  json: { type: "boolean" },
  "keep-files": { type: "boolean" },
  limit: { type: "string" },
  "max-cost": { type: "string" },
  "max-tokens": { type: "string" },
  "max-usd": { type: "string" },
  missed: { type: "string" },
  "max-steps": { type: "string" },
  model: { type: "string", short: "m" },
  name: { type: "string" },
  "no-pager": { type: "boolean" },
  note: { type: "string" },
  oauth: { type: "boolean" },
  output: { type: "string", short: "o" },
  port: { type: "string" },
  profile: { type: "string" },
  provider: { type: "boolean" },
  quiet: { type: "boolean", short: "q" },
  reason: { type: "string" },
  repl: { type: "boolean" },
  tell: { type: "string" },
  tool: { type: "boolean" },
  tools: { type: "string" },
  retries: { type: "string" },
  schema: { type: "string" },
  scope: { type: "string" },
  "screen-reader": { type: "boolean" },
  sha256: { type: "string" },
  since: { type: "string" },
  status: { type: "string" },
  step: { type: "string" },
  storage: { type: "boolean" },
  timeout: { type: "string" },
  "token-env": { type: "string" },
  system: { type: "string", multiple: true },
  "system-mode": { type: "string" },
  user: { type: "boolean" },
  variable: { type: "boolean" },
  version: { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  zone: { type: "string" },
} as const;
export type OptionName = keyof typeof options;

export const everywhere: readonly OptionName[] = ["config", "data", "help", "json", "version"];
const talking = [
  "allow",
  "continue",
  "conversation",
  "cwd",
  "effort",
  "model",
  "profile",
  "system",
  "system-mode",
] as const;
const asking = [...talking, "file", "max-cost", "max-steps", "output", "quiet", "schema", "timeout"] as const;

const extensionKinds = ["channel", "provider", "storage", "tool", "variable"] as const;

export const commands = {
  acp: ["model", "profile"],
  agents: ["cwd", "user", "yes"],
  answer: ["continue", "cwd"],
  approve: ["continue", "cwd", "scope"],
  ask: asking,
  audit: ["continue", "conversation", "reason", "since"],
  channels: [],
  chat: [...talking, "repl", "screen-reader"],
  commands: ["cwd"],
  completions: [],
  compact: ["continue", "cwd"],
  config: [],
  doctor: ["model"],
  conversations: [
    "after",
    "before",
    "continue",
    "cwd",
    "limit",
    "model",
    "no-pager",
    "note",
    "since",
    "status",
    "yes",
  ],
  extensions: [...extensionKinds, "yes"],
  follow: ["continue", "cwd"],
  heartbeat: [],
  man: [],
  mcp: ["env", "oauth", "token-env"],
  models: [],
  page: [],
  prompt: ["cwd", "model", "note", "profile", "yes"],
  queue: ["continue", "cwd"],
  record: ["continue", "cwd", "model", "step"],
  redo: ["continue", "cwd", "dry-run", "keep-files", "yes"],
  run: [...asking, "background"],
  schedules: [
    "at",
    "conversation",
    "cron",
    "cwd",
    "every",
    "max-tokens",
    "max-usd",
    "missed",
    "model",
    "profile",
    "tell",
    "tools",
    "retries",
    "zone",
  ],
  send: [],
  skills: ["cwd"],
  stop: ["continue", "cwd"],
  serve: ["cwd", "host", "model", "port"],
  setup: ["model", "yes"],
  token: ["days", "name", "scope"],
  trust: ["file", "sha256"],
  undo: ["continue", "cwd", "dry-run", "keep-files", "yes"],
  uninstall: [],
  update: [],
} as const satisfies Record<string, readonly OptionName[]>;
type CommandName = keyof typeof commands;
export const commandWords = [
  "acp",
  "agents",
  "answer",
  "approve",
  "audit",
  "channels",
  "chat",
  "commands",
  "compact",
  "completions",
  "config",
  "conversations",
  "doctor",
  "extensions",
  "follow",
  "man",
  "mcp",
  "models",
  "page",
  "prompt",
  "queue",
  "record",
  "redo",
  "run",
  "heartbeat",
  "schedules",
  "send",
  "serve",
  "setup",
  "skills",
  "stop",
  "token",
  "trust",
  "undo",
  "uninstall",
  "update",
] as const;
const alone: ReadonlySet<string> = new Set([
  "acp",
  "chat",
  "doctor",
  "man",
  "page",
  "serve",
  "setup",
  "uninstall",
  "update",
]);

export interface Arguments {
  readonly command: CommandName | "help" | "version";
  readonly words: readonly string[];
  /** Tool calls that run without approval in the turns of this command. */
  readonly allow: readonly string[];
  readonly after: string | undefined;
  readonly at: string | undefined;
  readonly before: string | undefined;
  readonly config: string | undefined;
  readonly conversation: string | undefined;
  readonly answerPath: string | undefined;
  readonly cron: string | undefined;
  readonly cwd: string | undefined;
  readonly data: string | undefined;
  readonly days: string | undefined;
  readonly effort: ReasoningEffort | undefined;
  readonly env: readonly string[];
  readonly extensionKinds: readonly (typeof extensionKinds)[number][];
  readonly every: string | undefined;
  readonly files: readonly string[];
  readonly host: string | undefined;
  readonly isForUser: boolean;
  readonly isForScreenReader: boolean;
  /** Grants everything requested without asking. */
  readonly isGranted: boolean;
  readonly isContinued: boolean;
  readonly isQuiet: boolean;
  readonly isDryRun: boolean;
  readonly isKeepingFiles: boolean;
  readonly isInBackground: boolean;
  readonly isJson: boolean;
  readonly isOauth: boolean;
  readonly isUnpaged: boolean;
  readonly limit: number | undefined;
  readonly maxCost: number | undefined;
  readonly maxSteps: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly maxTokens: string | undefined;
  readonly maxUsd: string | undefined;
  readonly tools: string | undefined;
  /** How to treat times that passed while no host was running. */
  readonly missed: string | undefined;
  readonly model: string | undefined;
  readonly name: string | undefined;
  readonly note: string | undefined;
  readonly port: string | undefined;
  readonly profile: string | undefined;
  readonly reason: string | undefined;
  readonly tell: string | undefined;
  readonly retries: string | undefined;
  readonly schemaPath: string | undefined;
  /** For a new token; for a lasting answer, the scope that it covers. */
  readonly scope: string | undefined;
  readonly sha256: string | undefined;
  readonly since: string | undefined;
  readonly status: string | undefined;
  readonly step: string | undefined;
  /** For this call only. */
  readonly system: readonly string[];
  readonly systemMode: "replace" | "append" | undefined;
  readonly tokenEnv: string | undefined;
  readonly zone: string | undefined;
}

/**
 * `isPiped`: standard input is a pipe, a socket or a file, and the question without arguments.
 * @throws {UsageError}
 */
export function parseArguments(
  args: readonly string[],
  { isAtTerminal = false, isPiped = false }: { readonly isAtTerminal?: boolean; readonly isPiped?: boolean } = {},
): Arguments {
  const { values, positionals } = parse(args);
  const {
    allow,
    background,
    continue: isContinued,
    "dry-run": dryRun,
    env,
    file,
    help,
    json,
    "keep-files": keepFiles,
    "no-pager": noPager,
    oauth,
    quiet,
    repl,
    "screen-reader": isForScreenReader,
    system,
    "system-mode": systemMode,
    user,
    version,
    yes,
    ...texts
  } = values;
  const { command, words } = commandOf(positionals, { isRepl: repl ?? isAtTerminal, isPiped });
  if (repl === true && command === "ask") throw new UsageError('"--repl" takes no question: it asks for each');
  const result = {
    words,
    allow: allow ?? [],
    after: texts.after,
    at: texts.at,
    before: texts.before,
    config: texts.config,
    answerPath: texts.output,
    conversation: texts.conversation,
    cron: texts.cron,
    cwd: texts.cwd,
    data: texts.data,
    days: texts.days,
    effort: effortOf(texts.effort),
    env: env ?? [],
    every: texts.every,
    extensionKinds: extensionKinds.filter((kind) => values[kind] === true),
    files: file ?? [],
    host: texts.host,
    isForUser: user ?? false,
    isForScreenReader: isForScreenReader ?? false,
    isInBackground: background ?? false,
    isContinued: isContinued ?? false,
    isDryRun: dryRun ?? false,
    isGranted: yes ?? false,
    isJson: json ?? false,
    isKeepingFiles: keepFiles ?? false,
    isOauth: oauth ?? false,
    isQuiet: quiet ?? false,
    isUnpaged: noPager ?? false,
    limit: wholeNumber("limit", texts.limit),
    maxCost: usDollars(texts["max-cost"]),
    maxSteps: wholeNumber("max-steps", texts["max-steps"]),
    maxTokens: texts["max-tokens"],
    maxUsd: texts["max-usd"],
    missed: texts.missed,
    model: texts.model,
    name: texts.name,
    note: texts.note,
    port: texts.port,
    profile: texts.profile,
    reason: texts.reason,
    tell: texts.tell,
    tools: texts.tools,
    retries: texts.retries,
    schemaPath: texts.schema,
    scope: texts.scope,
    sha256: texts.sha256,
    since: texts.since,
    status: texts.status,
    step: texts.step,
    system: system ?? [],
    systemMode: systemModeOf(systemMode, system),
    timeoutMs: milliseconds(texts.timeout),
    tokenEnv: texts["token-env"],
    zone: texts.zone,
  };
  if (result.isContinued && result.conversation !== undefined)
    throw new UsageError('"--continue" and "-s" each name a conversation: leave one of them out');
  if (command === "help") return { command, ...result };
  if (help === true)
    return {
      command: "help",
      ...result,
      words: command === undefined || command === "ask" ? [] : [positionals[0] ?? command],
    };
  if (version === true) return { command: "version", ...result };
  if (command === undefined)
    throw new UsageError(
      'Nothing to do: write a question, as in: incipit "What is new?"; or pipe one in; or "incipit --help"',
    );
  const meant = new Set<string>([...everywhere, ...commands[command]]);
  const stray = Object.keys(values).find((name) => !meant.has(name));
  if (stray !== undefined) {
    const known = commands[command].map((name) => `"--${name}"`).join(", ") || "none of its own";
    const what = command === "ask" ? "a question" : `"incipit ${command}"`;
    throw new UsageError(`"--${stray}" means nothing to ${what}, which takes ${known}`);
  }
  return { command, ...result };
}

function wholeNumber(name: OptionName, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`"--${name} ${text}" is not a number; write one from 1 on, such as --${name} 20`);
}

function usDollars(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value > 0 && value <= 1_000_000) return value;
  throw new UsageError(`"--max-cost ${text}" is not an amount; write US dollars, such as --max-cost 0.50`);
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

function milliseconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count = "", unit = "s"] = /^([1-9]\d{0,4})([smh])?$/.exec(text) ?? [];
  const known = unit === "s" || unit === "m" || unit === "h" ? unitMs[unit] : 0;
  const result = Number(count) * known;
  // A longer timer fires immediately in this runtime.
  if (count !== "" && result < 2 ** 31) return result;
  throw new UsageError(`"--timeout ${text}" is not a time; write seconds, or 90s, 5m, 2h`);
}

function systemModeOf(given: string | undefined, system: readonly string[] = []): Arguments["systemMode"] {
  if (given === undefined) return undefined;
  if (given !== "replace" && given !== "append")
    throw new UsageError(`"${given}" is not a system mode; write --system-mode replace or append`);
  if (system.length === 0)
    throw new UsageError('"--system-mode" says what becomes of "--system", which is missing');
  return given;
}

function parse(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>> {
  try {
    const parsed = parseArgs({ args: args.map(marked), options, allowPositionals: true, strict: true });
    for (const [name, value] of Object.entries(parsed.values))
      if (typeof value !== "boolean")
        Object.assign(parsed.values, { [name]: Array.isArray(value) ? value.map(unmarked) : unmarked(value) });
    return { ...parsed, positionals: parsed.positionals.map(unmarked) };
  } catch (error) {
    throw new UsageError(optionProblem(error, args), { cause: error });
  }
}

const numberMark = "\0";

/** Keeps negative numbers, such as the id of a group, from being parsed as options. */
function marked(argument: string): string {
  return /^-\d/.test(argument) ? `${numberMark}${argument}` : argument;
}

function unmarked(argument: string): string {
  return argument.startsWith(numberMark) ? argument.slice(1) : argument;
}

function commandOf(
  positionals: readonly string[],
  { isRepl, isPiped }: { readonly isRepl: boolean; readonly isPiped: boolean },
): { readonly command: CommandName | "help" | undefined; readonly words: readonly string[] } {
  const [first, ...rest] = positionals;
  if (first === undefined) return { command: isRepl ? "chat" : isPiped ? "ask" : undefined, words: [] };
  if (first.trim() === "") throw new UsageError('The question is empty; write one, as in: incipit "What is new?"');
  if (first === "list") return { command: "conversations", words: positionals };
  if (first === "help") return { command: "help", words: rest };
  const command = commandWords.find((word) => word === first);
  if (command !== undefined && alone.has(command)) {
    if (rest.length > 0) throw new UsageError(`"incipit ${command}" takes no "${rest[0] ?? ""}"`);
    return { command, words: [] };
  }
  if (command !== undefined) return { command, words: rest };
  const nearest = /^[a-z]{3,}$/.test(first) ? nearestWord(first, commandWords) : undefined;
  const actions = commandsWithAction(first);
  const meant = actions.length > 0 ? actions : [nearest ?? []].flat();
  if (meant.length > 0) {
    const otherwise = rest.length > 0 ? "a question goes in quotes" : 'a question of one word ends with "?"';
    const which = meant.map((command) => `"${command}"`).join(meant.length > 2 ? ", " : " or ");
    throw new UsageError(`There is no command "${first}"; did you mean ${which}? If not: ${otherwise}`);
  }
  if (rest.length > 0) throw new UsageError("One question at a time: put it in quotes");
  return { command: "ask", words: [first] };
}

/** Duplicated from the schema, so that help does not have to load it. */
const efforts: Readonly<Record<ReasoningEffort, true>> = {
  none: true,
  minimal: true,
  low: true,
  medium: true,
  high: true,
  xhigh: true,
};

function isEffort(text: string): text is ReasoningEffort {
  return Object.hasOwn(efforts, text);
}

function effortOf(given: string | undefined): ReasoningEffort | undefined {
  if (given === undefined || isEffort(given)) return given;
  throw new UsageError(`"--effort" takes one of ${Object.keys(efforts).join(", ")}, and not "${given}"`);
}
