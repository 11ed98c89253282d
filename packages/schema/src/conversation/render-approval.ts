import { escapeBlanks, escapeHidden, escapeHiddenLine } from "../text/hidden-characters.ts";
import { repeatedKey } from "../text/repeated-key.ts";
import type { Approval, ApprovalScope } from "./approval.ts";
import { describeRequester, type Requester } from "./requester.ts";

/** Limit for indented JSON, in UTF-16 units; longer JSON stays on one line. */
const maxSetOut = 20_000;

interface RenderedArgument {
  /** One line; quoted unless a plain word. */
  readonly name: string;
  readonly value: string;
  /** The preview shows this value verbatim. */
  readonly isInPreview: boolean;
}

interface RenderedPreview {
  readonly kind: "diff" | "text";
  readonly text: string;
}

/** A complete approval request that is safe to display: no part contains hidden characters. */
export interface RenderedApproval {
  /** Name, with the owner unless the name implies it. */
  readonly tool: string;
  /** Owner, as a suffix of the name; empty if the name implies it. */
  readonly owner: string;
  readonly heading: string;
  /** Why approval is required regardless of permissions. */
  readonly reason: string | undefined;
  readonly folder: string | undefined;
  /** As received by the tool, in order. */
  readonly arguments: readonly RenderedArgument[];
  /** Raw input if it is not a JSON object or has a duplicate key; the host runs no tool with such input. */
  readonly rawInput: string | undefined;
  readonly preview: RenderedPreview | undefined;
  /** Choices for "always", narrowest first; empty if not available. */
  readonly scopes: readonly Pick<ApprovalScope, "id" | "label" | "covers">[];
  /** Folder to whose later conversations "always" may extend. */
  readonly forFolder: string | undefined;
  /** `false` if content was truncated before it was rendered; offer only "deny" then. */
  readonly isWhole: boolean;
}

type AskedCall = Pick<
  Approval,
  "name" | "input" | "preview" | "why" | "folder" | "scopes" | "forFolder" | "isPreviewCut"
> &
  Partial<Pick<Approval, "asker">>;

/** Returns the owner unless the name implies it, as for built-in tools and configured servers. */
function ownerText(asker: Requester | undefined): string {
  if (asker === undefined || asker.kind === "host" || asker.kind === "server") return "";
  return ` of ${shown(describeRequester(asker))}`;
}

/** Renders an approval request for users. All clients build their UI from this result. */
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
        ? `"${tool}"${owner} needs approval to run`
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

/** Renders a call as plain lines: complete arguments, then the preview. Lines of values are indented. */
export function approvalLines(
  { arguments: given, rawInput, preview }: RenderedApproval,
  { isTerse = false }: { /** Omits arguments that the preview shows. */ readonly isTerse?: boolean } = {},
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

/** Whether a preview is a diff rather than a description. */
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

/**
 * Returns `undefined` for anything but a JSON object, and for duplicate keys, which parsers resolve differently.
 */
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

/** Compares arguments by the names that built-in tools use. */
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

/** Returns one side of a diff, without omitted sections. */
function sideOf(diff: string, sign: "+" | "-"): string {
  return diff
    .split("\n")
    .slice(2)
    .filter((line) => line.startsWith(sign) || line.startsWith(" ") || line.startsWith("@@"))
    .map((line) => (line.startsWith("@@") ? "\u0000" : line.slice(1)))
    .join("\n");
}

/** Whether the lines below the preview's first one equal the text, except for breaks in place of spaces. */
function isShownBelowHead(text: string, preview: string): boolean {
  const head = preview.indexOf("\n");
  if (head < 0) return false;
  const body = preview.slice(head + 1);
  const [begin, end] = [body.slice(0, text.length), body.slice(text.length)];
  if (end !== "" && !end.startsWith("\n")) return false;
  return begin === text || (!text.includes("\n") && begin.replaceAll("\n", " ") === text);
}
