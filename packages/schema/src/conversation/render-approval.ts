import { escapeBlanks, escapeHidden, escapeHiddenLine } from "../text/hidden-characters.ts";
import { repeatedKey } from "../text/repeated-key.ts";
import type { Approval, ApprovalScope } from "./approval.ts";
import { askerText, type Asker } from "./asker.ts";

/** JSON of more UTF-16 units stays on one line. */
const maxSetOut = 20_000;

interface RenderedArgument {
  /** One line; in quotes where it is no plain word. */
  readonly name: string;
  readonly value: string;
  /** The preview shows this value, character by character. */
  readonly isInPreview: boolean;
}

interface RenderedPreview {
  readonly kind: "diff" | "text";
  readonly text: string;
}

/** A question about a tool call, whole, and safe to show: no part of it holds a hidden character. */
export interface RenderedApproval {
  /** Its name, and whose it is where the name does not say so. */
  readonly tool: string;
  /** Whose the tool is, to be put behind its name; empty: the name says so. */
  readonly owner: string;
  /** What is asked, in one line. */
  readonly heading: string;
  /** Why it is asked whatever was allowed. */
  readonly reason: string | undefined;
  readonly folder: string | undefined;
  /** As the tool receives them, in their order. */
  readonly arguments: readonly RenderedArgument[];
  /** The input itself, where it is no JSON object, or has a key twice: the host runs no tool with such an input. */
  readonly rawInput: string | undefined;
  readonly preview: RenderedPreview | undefined;
  /** What "always" may stand for, narrowest first; empty where the answer is for this call alone. */
  readonly scopes: readonly Pick<ApprovalScope, "id" | "label" | "covers">[];
  /** The folder in whose later conversations "always" may hold. */
  readonly forFolder: string | undefined;
  /** False: a part of what is asked was left out before it came here. A surface then offers no answer but "deny". */
  readonly isWhole: boolean;
}

type AskedCall = Pick<
  Approval,
  "name" | "input" | "preview" | "why" | "folder" | "scopes" | "forFolder" | "isPreviewCut"
> &
  Partial<Pick<Approval, "asker">>;

/** Returns whose the tool is, where its name does not say so: of the host's own tools and of a configured server's it does. */
function ownerText(asker: Asker | undefined): string {
  if (asker === undefined || asker.kind === "host" || asker.kind === "server") return "";
  return ` of ${shown(askerText(asker))}`;
}

/** Renders a question for people: the one rendering that every surface turns into its own widgets. */
export function renderApproval(approval: AskedCall): RenderedApproval {
  const { name, asker, input, why, folder, forFolder, scopes = [], isPreviewCut } = approval;
  const tool = shown(name);
  const owner = ownerText(asker);
  const preview = approval.preview === undefined ? undefined : previewOf(approval.preview);
  const parsed = objectIn(input);
  const isForCall = why === undefined && folder === undefined;
  return {
    tool: `${tool}${owner}`,
    owner,
    heading:
      folder === undefined
        ? `"${tool}"${owner} asks to run`
        : `This conversation was imported. "${tool}" asks whether its tools may use the folder "${shown(folder)}"`,
    reason: why === undefined ? undefined : shown(why),
    folder: folder === undefined ? undefined : shown(folder),
    arguments:
      parsed === undefined
        ? []
        : Object.entries(parsed).map(([key, value]) => {
            const text = typeof value === "string" ? value : jsonOf(value);
            return {
              name: /^[\w-]+$/.test(key) ? key : shown(JSON.stringify(key)),
              value: shownText(text),
              isInPreview: preview !== undefined && isShownIn(preview, { key, text: shownText(text) }),
            };
          }),
    rawInput: parsed === undefined && input.trim() !== "" ? shownText(input) : undefined,
    preview,
    scopes: isForCall
      ? scopes.map(({ id, label, covers }) => ({ id, label: shown(label), covers: shown(covers) }))
      : [],
    forFolder: !isForCall || forFolder === undefined ? undefined : shown(forFolder),
    isWhole: isPreviewCut !== true,
  };
}

/** Returns a rendered call as plain lines: its arguments, each whole, and its preview. A value's lines are indented. */
export function approvalLines(
  { arguments: given, rawInput, preview }: RenderedApproval,
  { isTerse = false }: { /** Leaves out the arguments that the preview shows. */ readonly isTerse?: boolean } = {},
): readonly string[] {
  const lines = given
    .filter(({ isInPreview }) => !isTerse || !isInPreview)
    .flatMap(({ name, value }) => {
      if (value === "") return [`${name}: ""`];
      const rows = value.split("\n");
      return rows.length === 1 ? [`${name}: ${value}`] : [`${name}:`, ...rows.map((row) => `  ${row}`)];
    });
  const raw = rawInput === undefined ? [] : rawInput.split("\n");
  return [...lines, ...raw, ...(preview === undefined ? [] : preview.text.split("\n"))];
}

/** Whether a tool's preview is the change itself, and not words about it. */
export function isUnifiedDiff(text: string): boolean {
  return /^--- .*\n\+\+\+ /.test(text);
}

function shown(text: string): string {
  return escapeHiddenLine(escapeBlanks(text));
}

function shownText(text: string): string {
  return escapeHidden(escapeBlanks(text));
}

function previewOf(given: string): RenderedPreview {
  const text = shownText(given).replace(/\n$/, "");
  return { kind: isUnifiedDiff(text) ? "diff" : "text", text };
}

function jsonOf(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > maxSetOut || typeof value !== "object" || value === null
    ? json
    : JSON.stringify(value, null, 2);
}

/** `undefined`: it is no JSON object, or has a key twice, of which readers take one or the other. */
function objectIn(input: string): object | undefined {
  if (input.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(input);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && repeatedKey(input) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Knows the arguments of the host's own tools by their names; whatever else is called so is compared all the same. */
function isShownIn(
  { kind, text: preview }: RenderedPreview,
  { key, text }: { readonly key: string; readonly text: string },
): boolean {
  if (key === "command") return isShownBelowHead(text, preview);
  if (kind !== "diff") return false;
  const [from = "", to = ""] = preview.split("\n", 2);
  if (key === "path") return from === `--- ${text}` && to === `+++ ${text}`;
  if (key === "oldText") return sideOf(preview, "-").includes(text);
  return (key === "newText" || key === "content") && sideOf(preview, "+").includes(text.replace(/\n$/, ""));
}

/** One side of a diff, without what is left out between its parts. */
function sideOf(diff: string, sign: "+" | "-"): string {
  return diff
    .split("\n")
    .slice(2)
    .filter((line) => line.startsWith(sign) || line.startsWith(" ") || line.startsWith("@@"))
    .map((line) => (line.startsWith("@@") ? "\u0000" : line.slice(1)))
    .join("\n");
}

/** Whether nothing but a break in place of a space sets a text apart from the lines below a preview's first one. */
function isShownBelowHead(text: string, preview: string): boolean {
  const head = preview.indexOf("\n");
  if (head < 0) return false;
  const body = preview.slice(head + 1);
  const [begin, end] = [body.slice(0, text.length), body.slice(text.length)];
  if (end !== "" && !end.startsWith("\n")) return false;
  return begin === text || (!text.includes("\n") && begin.replaceAll("\n", " ") === text);
}
