import type { Option, OptionValue } from "./option.ts";
import { UsageError } from "./usage-error.ts";

/** By the name under which handlers receive the value. */
export const options = {
  after: { flag: "after", value: "MESSAGE", summary: "the last message of the fork" },
  allow: {
    flag: "allow",
    value: "GRANT",
    isMultiple: true,
    summary: "allow matching tool calls, such as 'shell(git status:*)' or 'write_file(src/**)'; repeatable",
  },
  answerPath: { flag: "output", short: "o", value: "FILE", summary: "also write the answer to a file" },
  approvalScope: { flag: "scope", value: "SCOPE", summary: "the scope that always covers, by its id" },
  at: { flag: "at", value: "TIME", summary: "run once, at a date and time" },
  before: { flag: "before", value: "MESSAGE", summary: "the first message that the fork omits" },
  channel: { flag: "channel", summary: "start with a channel" },
  config: { flag: "config", value: "FILE", summary: "use this configuration file instead of your own" },
  conversation: {
    flag: "conversation",
    short: "s",
    value: "ID",
    summary: "continue this conversation: its id, or the beginning of its id or title",
  },
  cron: { flag: "cron", value: "EXPRESSION", summary: "run at the times of a cron expression" },
  cwd: { flag: "cwd", value: "DIR", summary: "the working folder; moves a continued conversation" },
  cwdFilter: { flag: "cwd", value: "DIR", summary: "only conversations of this folder" },
  cwdOfLast: { flag: "cwd", value: "DIR", summary: "with -c: the last conversation of this folder" },
  cwdOfNew: { flag: "cwd", value: "DIR", summary: "the default working folder of new conversations" },
  data: { flag: "data", value: "DIR", summary: "the data folder" },
  days: { flag: "days", value: "N", summary: "days until the token expires" },
  effort: {
    flag: "effort",
    value: "none|minimal|low|medium|high|xhigh",
    summary: "the reasoning effort; stored with the conversation",
  },
  env: { flag: "env", value: "VARIABLE", isMultiple: true, summary: "pass a variable to the server; repeatable" },
  every: { flag: "every", value: "TIME", summary: "run at an interval, such as 15m, 2h or 1d" },
  files: { flag: "file", value: "FILE", isMultiple: true, summary: "attach a file; repeatable" },
  host: { flag: "host", value: "ADDRESS", summary: "the address to listen on" },
  isContinued: { flag: "continue", short: "c", summary: "the last conversation of this folder" },
  isDryRun: { flag: "dry-run", summary: "show the changes without making them" },
  isForScreenReader: { flag: "screen-reader", summary: "print lines for a screen reader; draw nothing" },
  isForUser: { flag: "user", summary: "for all folders, not only this one" },
  isGranted: { flag: "yes", short: "y", summary: "do not ask for confirmation" },
  isHelp: { flag: "help", short: "h", summary: "describe a command and its options" },
  isInBackground: { flag: "background", summary: "exit once the host has accepted the task" },
  isJson: { flag: "json", summary: "print JSON, one line per entry or event" },
  isKeepingFiles: { flag: "keep-files", summary: "leave the files unchanged" },
  isOauth: { flag: "oauth", summary: "sign in to the server in a browser" },
  isQuiet: { flag: "quiet", short: "q", summary: "print only the answer and errors" },
  isRepl: { flag: "repl", summary: "open the chat, as chat does" },
  isUnpaged: { flag: "no-pager", summary: "print everything at once, without a pager" },
  isVersion: { flag: "version", summary: "print the version" },
  limit: { flag: "limit", value: "N", summary: "list at most N", parse: wholeNumber },
  maxCost: {
    flag: "max-cost",
    value: "USD",
    summary: "end the turn before the next model call once it has cost this much, such as 0.50",
    parse: usDollars,
  },
  maxSteps: { flag: "max-steps", value: "N", summary: "end the turn after N model calls", parse: wholeNumber },
  maxTokens: { flag: "max-tokens", value: "N", summary: "the token budget per day" },
  maxUsd: { flag: "max-usd", value: "N", summary: "the budget per day, in US dollars" },
  missed: {
    flag: "missed",
    value: "skip|once|all",
    summary: "which runs to make up that were due while no host ran",
  },
  model: { flag: "model", short: "m", value: "PROVIDER/MODEL", summary: "the model that answers" },
  modelFilter: {
    flag: "model",
    short: "m",
    value: "PROVIDER/MODEL",
    summary: "only conversations with this model",
  },
  modelOfNew: {
    flag: "model",
    short: "m",
    value: "PROVIDER/MODEL",
    summary: "the default model of new conversations",
  },
  name: { flag: "name", value: "NAME", summary: "a name for the token" },
  note: { flag: "note", value: "TEXT", summary: "a reason, shown in the list of versions" },
  port: { flag: "port", value: "N", summary: "the port to listen on; 0 selects a free one" },
  profile: { flag: "profile", value: "AGENT", summary: "the agent that answers" },
  provider: { flag: "provider", summary: "start with a model provider" },
  reason: { flag: "reason", value: "REASON", summary: "only cache breaks with this cause" },
  retries: { flag: "retries", value: "N", summary: "retries after a failed run" },
  schedule: {
    flag: "conversation",
    short: "s",
    value: "own|fresh|ID",
    summary: "the conversation of its runs: one of its own, a new one each, or an existing one",
  },
  schemaPath: { flag: "schema", value: "FILE", summary: "request JSON that fits the JSON Schema in a file" },
  scopes: { flag: "scope", value: "SCOPES", summary: "a list of read, converse, prompt, records and admin" },
  sha256: { flag: "sha256", value: "HASH", summary: "trust contents with this hash, without a question" },
  since: { flag: "since", value: "WHEN", summary: "changed since: 3h, 2d, today, yesterday or a date" },
  status: {
    flag: "status",
    value: "idle|running|compacting|waiting|busy|asking",
    summary: "only conversations with this status",
  },
  step: { flag: "step", value: "N|last", summary: "the number of the model call" },
  storage: { flag: "storage", summary: "start with a storage driver" },
  system: {
    flag: "system",
    value: "TEXT",
    isMultiple: true,
    summary: "a system message for this call only; repeatable",
  },
  systemMode: {
    flag: "system-mode",
    value: "replace|append",
    summary: "whether --system replaces the prompt or follows it",
  },
  tell: { flag: "tell", value: "CHANNEL:CHAT", summary: "the chat to notify of the result" },
  timeoutMs: { flag: "timeout", value: "TIME", summary: "stop the turn after 90s, 5m or 2h", parse: milliseconds },
  tokenEnv: { flag: "token-env", value: "VARIABLE", summary: "the variable with the server's token" },
  tool: { flag: "tool", summary: "start with a tool" },
  tools: { flag: "tools", value: "NAME,…", summary: "tools that run without approval" },
  trustedFiles: { flag: "file", value: "FILE", isMultiple: true, summary: "trust this file; repeatable" },
  variable: { flag: "variable", summary: "start with a template variable" },
  zone: { flag: "zone", value: "ZONE", summary: "the time zone, such as Europe/Berlin" },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof options;
export type OptionsOf<Name extends OptionName> = { readonly [N in Name]: OptionValue<(typeof options)[N]> };

export const everywhere = [
  "config",
  "data",
  "isHelp",
  "isJson",
  "isVersion",
] as const satisfies readonly OptionName[];

function wholeNumber(text: string, flag: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`"--${flag} ${text}" is not a number; write one from 1 on, such as --${flag} 20`);
}

function usDollars(text: string, flag: string): number {
  const value = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value > 0 && value <= 1_000_000) return value;
  throw new UsageError(`"--${flag} ${text}" is not an amount; write US dollars, such as --${flag} 0.50`);
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

function milliseconds(text: string, flag: string): number {
  const [, count = "", unit = "s"] = /^([1-9]\d{0,4})([smh])?$/.exec(text) ?? [];
  const result = Number(count) * (unit === "s" || unit === "m" || unit === "h" ? unitMs[unit] : 0);
  // A longer timer fires immediately in this runtime.
  if (count !== "" && result < 2 ** 31) return result;
  throw new UsageError(`"--${flag} ${text}" is not a time; write seconds, or 90s, 5m, 2h`);
}
