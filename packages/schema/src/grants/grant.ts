import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { callToolName } from "../values/own-tool-names.ts";
import { harmlessCommand } from "./harmless-commands.ts";
import { shellCommands } from "./shell-commands.ts";

/** Tool calls allowed in advance. */
export interface Grant {
  /** Tool name; `SERVER__*` for all tools of a server. */
  readonly tool: string;
  /** Restricts the calls. Defaults to all. */
  readonly pattern?: string;
}

type ReadGrant =
  | { readonly kind: "grant"; readonly grant: Grant }
  /** Problem and correction, as a sentence. */
  | { readonly kind: "wrong"; readonly why: string };

const maxLength = 4_096;
const maxGrants = 200;

/** Examples for error messages. */
const shapes = '"shell(git status)", "shell(git status:*)", "write_file(src/**)", "TOOL" or "SERVER__*"';

const pathTools: ReadonlySet<string> = new Set(["edit_file", "read_file", "write_file"]);

/** Parses `TOOL`, `SERVER__*` or `TOOL(PATTERN)`. */
export function readGrant(text: string): ReadGrant {
  const wrong = (why: string): ReadGrant => ({ kind: "wrong", why });
  if (text.length > maxLength) return wrong(`it has more than ${maxLength} characters`);
  const { tool, pattern } = /^(?<tool>[\w-]{1,64})(?:\((?<pattern>.*)\))?$/su.exec(text)?.groups ?? {};
  if (tool === undefined) {
    if (/^[\w-]{1,60}__\*$/u.test(text)) return { kind: "grant", grant: { tool: text } };
    if (text === "*") return wrong("it would allow every tool: list the tools");
    return wrong(`it is not valid; examples: ${shapes}`);
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

/** Returns the command prefix before `:*`, or `undefined` for a pattern without a wildcard. */
export function prefixOf(pattern: string): string | undefined {
  return pattern.endsWith(":*") ? pattern.slice(0, -2) : undefined;
}

function shellProblem(pattern: string): string | undefined {
  const prefix = prefixOf(pattern);
  if (prefix === undefined) {
    if (pattern.trim() === "") return 'its brackets are empty; write "shell" for every command';
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
  if (pattern.trim() === "") return `its brackets are empty; write "${tool}" for every file`;
  if (/^[/~\\]/.test(pattern) || pattern.split("/").includes(".."))
    return `"${pattern}" leads out of the conversation's folder; write a path below it, such as "${tool}(src/**)"`;
  return undefined;
}

/** Returns a warning if a grant allows more than it seems to, as the end of a sentence about the grant. */
export function grantWarning(text: string): string | undefined {
  const read = readGrant(text);
  if (read.kind === "wrong" || read.grant.tool !== "shell") return undefined;
  return read.grant.pattern === undefined ? "allows every command, unasked" : undefined;
}

/** Grants, each as `TOOL`, `SERVER__*` or `TOOL(PATTERN)`. */
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
