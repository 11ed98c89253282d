import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { callToolName } from "../values/own-tool-names.ts";
import { harmlessCommand } from "./harmless-commands.ts";
import { shellCommands } from "./shell-commands.ts";

/** Calls of tools that a person allows beforehand. */
export interface Grant {
  /** The tool's name; `SERVER__*`: each tool of that server. */
  readonly tool: string;
  /** Which of its calls; absent: every one. */
  readonly pattern?: string;
}

type ReadGrant =
  | { readonly kind: "grant"; readonly grant: Grant }
  /** What is wrong, and what to write instead, as a sentence. */
  | { readonly kind: "wrong"; readonly why: string };

const maxLength = 4_096;
const maxGrants = 200;

/** What one looks like, for those who wrote something else. */
const shapes = '"shell(git status)", "shell(git status:*)", "write_file(src/**)", "TOOL" or "SERVER__*"';

const pathTools: ReadonlySet<string> = new Set(["edit_file", "read_file", "write_file"]);

/** Reads `TOOL`, `SERVER__*` or `TOOL(PATTERN)`. */
export function readGrant(text: string): ReadGrant {
  const wrong = (why: string): ReadGrant => ({ kind: "wrong", why });
  if (text.length > maxLength) return wrong(`it has more than ${maxLength} characters`);
  const { tool, pattern } = /^(?<tool>[\w-]{1,64})(?:\((?<pattern>.*)\))?$/su.exec(text)?.groups ?? {};
  if (tool === undefined) {
    if (/^[\w-]{1,60}__\*$/u.test(text)) return { kind: "grant", grant: { tool: text } };
    if (text === "*") return wrong("it would allow every tool: name those that are meant");
    return wrong(`it has none of their forms, which are ${shapes}`);
  }
  if (tool === callToolName)
    return wrong(
      'it runs other tools: name the one that may run, such as "crm__read", or "crm__*" for those of a server',
    );
  if (pattern === undefined) return { kind: "grant", grant: { tool } };
  const problem =
    tool === "shell"
      ? shellProblem(pattern)
      : pathTools.has(tool)
        ? pathProblem(tool, pattern)
        : `only "shell", "edit_file", "read_file" and "write_file" take something in brackets; write "${tool}" for each of its calls`;
  return problem === undefined ? { kind: "grant", grant: { tool, pattern } } : wrong(problem);
}

/** How a command has to begin: the words before `:*`; `undefined`: the pattern is a whole command. */
export function prefixOf(pattern: string): string | undefined {
  return pattern.endsWith(":*") ? pattern.slice(0, -2) : undefined;
}

function shellProblem(pattern: string): string | undefined {
  const prefix = prefixOf(pattern);
  if (prefix === undefined) {
    if (pattern.trim() === "") return 'nothing stands in its brackets; write "shell" for every command';
    const begins = /^(?<begins>[^*]*?)\s*\*$/.exec(pattern)?.groups?.["begins"];
    if (begins === undefined) return undefined;
    if (begins === "") return 'it would allow every command; write "shell" if that is meant';
    const open = shellProblem(`${begins}:*`);
    return `"*" stands for nothing there; ${open ?? `write "shell(${begins}:*)" for commands that begin with "${begins}"`}`;
  }
  const read = shellCommands(prefix);
  if (read.kind === "unknown") return `what is before ":*" ${read.why}: write the first words of one command`;
  const [command, second] = read.commands;
  if (second !== undefined) return 'it has several commands before ":*"; write a grant for each of them';
  const judged = harmlessCommand(command.words);
  const [program] = command.words;
  const instead = 'write each whole command instead, without ":*", or "shell" if every one is meant';
  switch (judged.kind) {
    case "harmless":
      return undefined;
    case "not-listed":
      return `"${program}" can run or write something else, as far as the host knows: only commands that read and print can be allowed by how they begin; ${instead}`;
    case "no-subcommand":
      return command.words.length === 1
        ? `"${program}" has commands that write: name the one that is meant, such as "shell(${judged.such}:*)"`
        : `"${prefix}" can run or write something, as far as the host knows: only commands that read and print can be allowed by how they begin; ${instead}`;
    case "word":
      return `with "${judged.word}" behind it, "${judged.begin}" can run or write something, as far as the host knows; ${instead}`;
  }
}

function pathProblem(tool: string, pattern: string): string | undefined {
  if (pattern.trim() === "") return `nothing stands in its brackets; write "${tool}" for every file`;
  if (/^[/~\\]/.test(pattern) || pattern.split("/").includes(".."))
    return `"${pattern}" leads out of the conversation's folder; write a path below it, such as "${tool}(src/**)"`;
  return undefined;
}

/** Why a grant allows more than it seems to; `undefined`: it does not. As the end of a sentence that begins with it. */
export function grantWarning(text: string): string | undefined {
  const read = readGrant(text);
  if (read.kind === "wrong" || read.grant.tool !== "shell") return undefined;
  return read.grant.pattern === undefined ? "allows every command, unasked" : undefined;
}

/** What a person allows beforehand, each as `TOOL`, `SERVER__*` or `TOOL(PATTERN)`. */
export const grantsSchema = lazySchema(() =>
  z
    .array(
      z.string().superRefine((text, context) => {
        const read = readGrant(text);
        if (read.kind === "wrong")
          context.addIssue({ code: "custom", message: `cannot be ${JSON.stringify(text)}: ${read.why}` });
      }),
    )
    .max(maxGrants, `must have at most ${maxGrants} grants`),
);
