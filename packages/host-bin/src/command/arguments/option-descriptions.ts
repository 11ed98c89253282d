import type { commands, OptionName } from "./arguments.ts";

export interface OptionWords {
  readonly value?: string;
  readonly words: string;
}

export const optionDescriptions: Readonly<Record<OptionName, OptionWords>> = {
  allow: {
    value: "GRANT",
    words:
      "calls of tools that run unasked, such as 'shell(git status:*)' or 'write_file(src/**)'; may be repeated",
  },
  channel: { words: "begin with a service on which people write" },
  provider: { words: "begin with a provider of models" },
  storage: { words: "begin with a place for all that is stored" },
  tool: { words: "begin with a tool" },
  variable: { words: "begin with a variable of prompts" },
  after: { value: "MESSAGE", words: "the last message that the fork has" },
  at: { value: "TIME", words: "once, at a date and a time" },
  background: { words: "end once the host has the task" },
  before: { value: "MESSAGE", words: "the first message that the fork leaves out" },
  config: { value: "FILE", words: "read this configuration in place of your own" },
  continue: { words: "the last conversation of this folder" },
  conversation: { value: "ID", words: "this conversation: its id, or how its id or title begins" },
  cron: { value: "EXPRESSION", words: "at the times of a cron expression" },
  cwd: { value: "DIR", words: "work in this folder; with -s, from now on" },
  data: { value: "DIR", words: "where the host keeps what it stores" },
  days: { value: "N", words: "how long the token is good for" },
  "dry-run": { words: "show what it would do, and do nothing" },
  effort: {
    value: "none|minimal|low|medium|high|xhigh",
    words: "how much the model reasons; kept with the conversation",
  },
  env: { value: "VARIABLE", words: "a variable that the server gets; may be repeated" },
  every: { value: "TIME", words: "again and again, such as 15m, 2h or 1d" },
  file: { value: "FILE", words: "a file that goes with the question; may be repeated" },
  help: { words: "say what a command does, and which options it takes" },
  host: { value: "ADDRESS", words: "the address to listen on" },
  json: { words: "print JSON, a line for each entry or event" },
  "keep-files": { words: "go back, and leave the files as they are" },
  limit: { value: "N", words: "list so many" },
  "max-cost": { value: "USD", words: "once it has cost so much, such as 0.50, no other model call begins" },
  "max-tokens": { value: "N", words: "tokens that it may take in a day" },
  "max-usd": { value: "N", words: "US dollars that it may cost in a day" },
  missed: { value: "skip|once|all", words: "what becomes of times that came while no host ran" },
  "max-steps": { value: "N", words: "stop after so many model calls" },
  model: { value: "PROVIDER/MODEL", words: "the model that answers" },
  name: { value: "NAME", words: "by which you know the token" },
  "no-pager": { words: "print all at once, and not a screen at a time" },
  note: { value: "TEXT", words: "why, for whoever looks at the versions later" },
  oauth: { words: "sign in to the server in a browser" },
  output: { value: "FILE", words: "write the answer to a file as well" },
  port: { value: "N", words: "the port to listen on; 0: any that is free" },
  profile: { value: "AGENT", words: "the agent that answers" },
  quiet: { words: "print the answer, and errors, and nothing else" },
  reason: { value: "REASON", words: "only what broke for this reason" },
  repl: { words: "hold a conversation, as chat does" },
  tell: { value: "CHANNEL:CHAT", words: "the chat that is told what came of it" },
  tools: { value: "NAME,…", words: "tools that it may call without a question" },
  retries: { value: "N", words: "how often it is tried again after it failed" },
  schema: { value: "FILE", words: "the answer is JSON that fits the JSON Schema in this file" },
  scope: {
    value: "SCOPES",
    words: "some of read, converse, prompt, records and admin, divided by commas",
  },
  "screen-reader": { words: "lines that can be read out, in the place of a screen that is drawn" },
  sha256: { value: "HASH", words: "trust what has this hash, and ask no question" },
  since: { value: "WHEN", words: "since a time: 3h, 2d, today, yesterday, a date" },
  status: {
    value: "idle|running|compacting|waiting|busy|asking",
    words: "only conversations of which this is true now",
  },
  step: { value: "N|last", words: "which model call of the conversation" },
  timeout: { value: "TIME", words: "stop after 90s, 5m or 2h" },
  "token-env": { value: "VARIABLE", words: "the variable that has the server's token" },
  system: { value: "TEXT", words: "tell the model this, in this call only; may be repeated" },
  "system-mode": { value: "replace|append", words: "--system stands in place of the prompt, or behind it" },
  user: { words: "one of your own, for all folders" },
  version: { words: "print the version" },
  yes: { words: "do it without a question" },
  zone: { value: "ZONE", words: "the time zone that its times are in, such as Europe/Berlin" },
};

type Words = Readonly<Partial<Record<OptionName, string>>>;

const commandOptionDescriptions: Readonly<Partial<Record<keyof typeof commands | "list", Words>>> = {
  approve: { cwd: "with -c: the last conversation of that folder", scope: "what always covers, by its id" },
  conversations: {
    cwd: "with list: those of that folder; with -c: the last one of it",
    model: "with list and search: those with this model",
  },
  doctor: { model: "look at this model, too" },
  list: { cwd: "only conversations of that folder", model: "only conversations with this model" },
  record: { cwd: "with -c: the last conversation of that folder", model: "the model that replay asks" },
  serve: { cwd: "the folder of conversations that name none", model: "the model of conversations that name none" },
  trust: { file: "the file that is trusted" },
};

export function describeOption(name: OptionName, command: string | undefined): string {
  const found = Object.entries(commandOptionDescriptions).find(([known]) => known === command);
  return found?.[1][name] ?? optionDescriptions[name].words;
}
