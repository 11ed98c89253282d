import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk/unstable";
import { escapeBlanks, escapeHidden, escapeHiddenLine } from "@incipit/schema";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import { fenced } from "./fenced.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";

export interface ToolView {
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations: ToolCallLocation[];
  /** Known before the call: its changes. */
  readonly content: ToolCallContent[];
  readonly rawInput: unknown;
}

export interface ToolViewOptions {
  readonly name: string;
  /** JSON text; absent while incomplete. */
  readonly input?: string | undefined;
  readonly preview?: string | undefined;
  /** Absolute. */
  readonly cwd: string;
}

const kinds: ReadonlyMap<string, ToolKind> = new Map([
  ["read_file", "read"],
  ["list_folder", "read"],
  ["search", "search"],
  ["find_files", "search"],
  ["edit_file", "edit"],
  ["write_file", "edit"],
  ["shell", "execute"],
]);
const verbs: ReadonlyMap<string, string> = new Map([
  ["read_file", "Read"],
  ["list_folder", "List"],
  ["edit_file", "Edit"],
  ["write_file", "Write"],
]);

/** Other tools may use these names differently. */
const inputSchema = z.object({
  path: z.string().optional().catch(undefined),
  offset: z.int().positive().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  pattern: z.string().optional().catch(undefined),
  content: z.string().optional().catch(undefined),
  oldText: z.string().optional().catch(undefined),
  newText: z.string().optional().catch(undefined),
});
type KnownInput = z.infer<typeof inputSchema>;

const maxTitleLength = 200;

/** Returns how an editor displays a call: the host's own tools with details, other tools by name. */
export function toolView({ name, input, preview, cwd }: ToolViewOptions): ToolView {
  const rawInput = parsed(input);
  const isOwn = kinds.has(name);
  const known = isOwn ? (inputSchema.safeParse(rawInput).data ?? {}) : {};
  const path = known.path === undefined ? undefined : absolute(known.path, cwd);
  const line = name === "read_file" ? known.offset : undefined;
  const changes = diffs(known, { name, preview, path, cwd });
  return {
    title: escapeHiddenLine(escapeBlanks(titleOf(name, known))).slice(0, maxTitleLength),
    kind: kinds.get(name) ?? "other",
    locations: path === undefined ? [] : [{ path, ...(line === undefined ? {} : { line }) }],
    content: [
      ...changes,
      ...(changes.length > 0 || preview === undefined ? [] : [textContent(fenced(escapeHidden(preview)))]),
    ],
    rawInput,
  };
}

/** Output of the host's own tools is plain text. */
export function toolOutput(
  view: ToolView,
  { text, isError }: { readonly text: string; readonly isError: boolean },
): ToolCallContent[] {
  const changes = view.content.filter(({ type }) => type === "diff");
  if (isError) return [...changes, textContent(text)];
  if (changes.length > 0) return changes;
  if (text.trim() === "") return [];
  return [textContent(view.kind === "other" ? text : fenced(text, view.kind === "execute" ? "console" : ""))];
}

function titleOf(name: string, { path, command, pattern }: KnownInput): string {
  if (command !== undefined) return `\`${command.replaceAll(/\s+/g, " ").trim()}\``;
  const looking = name === "find_files" ? "Find" : "Search for";
  if (pattern !== undefined) return `${looking} "${pattern}"${path === undefined ? "" : ` in ${path}`}`;
  const verb = verbs.get(name);
  return verb === undefined || path === undefined ? name : `${verb} ${path}`;
}

/** A diff that presents an existing file as new would hide its content. */
function diffs(
  { content, oldText, newText }: KnownInput,
  {
    name,
    preview,
    path,
    cwd,
  }: {
    readonly name: string;
    readonly preview: string | undefined;
    readonly path: string | undefined;
    readonly cwd: string;
  },
): ToolCallContent[] {
  const told = preview === undefined ? undefined : parseUnifiedDiff(preview);
  if (told !== undefined) {
    const place = absolute(told.path, cwd);
    return told.hunks.map((hunk) => ({ type: "diff", path: place, ...hunk }));
  }
  if (path === undefined) return [];
  if (name === "edit_file" && oldText !== undefined && newText !== undefined)
    return [{ type: "diff", path, oldText: readable(oldText), newText: readable(newText) }];
  const isNew = preview?.endsWith(" is a new file") === true;
  if (name === "write_file" && content !== undefined && isNew)
    return [{ type: "diff", path, oldText: null, newText: readable(content) }];
  return [];
}

/** Makes control characters visible; keeps CRLF. */
function readable(text: string): string {
  return text.split("\r\n").map(escapeHidden).join("\r\n");
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : join(cwd, path);
}

/** Models may write invalid JSON. */
function parsed(input: string | undefined): unknown {
  if (input === undefined) return undefined;
  try {
    return input.trim() === "" ? {} : JSON.parse(input);
  } catch {
    return input;
  }
}
