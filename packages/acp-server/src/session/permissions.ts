import type { PermissionOption, RequestPermissionRequest } from "@agentclientprotocol/sdk/unstable";
import {
  approvalLines,
  renderApproval,
  type Approval,
  type ApprovalDecision,
  type ApprovalId,
  type ConversationId,
  type RenderedApproval,
} from "@incipit/schema";
import { ApiClientError, routes } from "@incipit/transport-contract";
import type { HostLink } from "../host/host-link.ts";
import { fenced } from "../tools/fenced.ts";
import { textContent, type ToolView } from "../tools/tool-view.ts";
import type { Editor } from "./editor.ts";

export interface PermissionsOptions {
  readonly conversationId: ConversationId;
  readonly link: HostLink;
  readonly editor: Editor;
  readonly log: (line: string) => void;
}

interface Answer {
  readonly decision: ApprovalDecision;
  /** Scope of `allow-always`. */
  readonly scope?: string;
}

interface OfferedAnswer {
  readonly option: PermissionOption;
  readonly answer: Answer;
}

/** Menus show one line. */
const maxNameLength = 120;

/** A request ends when any client answers, it expires, or its turn ends. */
export class Permissions {
  readonly #options: PermissionsOptions;
  readonly #open = new Map<string, AbortController>();

  constructor(options: PermissionsOptions) {
    this.#options = options;
  }

  /** Does not wait; ignores a request that is already open. */
  ask(question: Approval, view: ToolView): void {
    const { approvalId } = question;
    if (this.#open.has(approvalId)) return;
    const ended = new AbortController();
    this.#open.set(approvalId, ended);
    void this.#askAndAnswer(question, { view, signal: ended.signal })
      .catch((error: unknown) => this.#options.log(`Cannot ask for approval of a tool call: ${String(error)}`))
      .finally(() => this.#open.delete(approvalId));
  }

  end(approvalId: string): void {
    this.#open.get(approvalId)?.abort();
  }

  deny(approvalId: ApprovalId): Promise<void> {
    return this.#answer(approvalId, { decision: "deny" });
  }

  /** Closes the questions in the editor; the host keeps the requests open. */
  close(): void {
    for (const ended of this.#open.values()) ended.abort();
  }

  async #askAndAnswer(
    question: Approval,
    { view, signal }: { readonly view: ToolView; readonly signal: AbortSignal },
  ): Promise<void> {
    const { conversationId: id, editor } = this.#options;
    const { approvalId } = question;
    const offered = answersTo(renderApproval(question));
    const permission = await editor.askPermission(permissionQuestion(id, question, view), signal);
    // Other clients may still answer.
    if (signal.aborted || permission.kind === "gone") return;
    // A dismissed request allows nothing.
    const chosen = permission.kind === "chosen" ? permission.optionId : undefined;
    const found = offered.find(({ option }) => option.optionId === chosen);
    await this.#answer(approvalId, found?.answer ?? { decision: "deny" });
  }

  async #answer(approvalId: ApprovalId, answer: Answer): Promise<void> {
    const { conversationId: id, link, log } = this.#options;
    const call = { params: { id, approvalId }, body: { ...answer } };
    try {
      await link.call((client) => client.call(routes.answerApproval, call));
    } catch (error) {
      const isOver = error instanceof ApiClientError && error.code === "APPROVAL_ENDED";
      if (!isOver) log(`The answer to a question about a tool did not reach the host: ${String(error)}`);
    }
  }
}

/** Whatever the editor shows of names, the content has the complete request. */
export function permissionQuestion(
  sessionId: string,
  question: Approval,
  view: ToolView,
): RequestPermissionRequest {
  const { toolCallId, name } = question;
  const rendered = renderApproval(question);
  const content = [...aboutOf(rendered).map(textContent), ...view.content];
  return {
    sessionId,
    toolCall: { toolCallId, name, ...view, content }, // The updates of the call report its status.
    options: answersTo(rendered).map(({ option }) => option),
  };
}

/**
 * Offers "always" only where it covers more than this call, not for a folder or with a reason. A truncated request can
 * only be denied.
 */
function answersTo({ reason, folder, scopes, isWhole }: RenderedApproval): readonly OfferedAnswer[] {
  const always = reason === undefined && folder === undefined;
  const parts = scopes.filter(({ id }) => id !== "tool");
  const offer = (
    optionId: string,
    name: string,
    kind: PermissionOption["kind"],
    answer: Answer,
  ): OfferedAnswer => ({
    option: { optionId, name, kind },
    answer,
  });
  if (!isWhole) return [offer("deny", "Deny", "reject_once", { decision: "deny" })];
  return [
    offer("allow", "Allow once", "allow_once", { decision: "allow" }),
    ...(always
      ? parts.map(({ id, covers }) =>
          offer(`allow-always:${id}`, `Always allow in this session: ${oneLine(covers)}`, "allow_always", {
            decision: "allow-always",
            scope: id,
          }),
        )
      : []),
    ...(always
      ? [offer("allow-always", wholeToolName(parts.length > 0), "allow_always", { decision: "allow-always" })]
      : []),
    offer("deny", "Deny", "reject_once", { decision: "deny" }),
  ];
}

function wholeToolName(hasParts: boolean): string {
  return hasParts ? "Always allow in this session: every call of the tool" : "Always allow in this session";
}

function oneLine(text: string): string {
  return text.length <= maxNameLength ? text : `${text.slice(0, maxNameLength).toWellFormed()}…`;
}

/** Text that the call's view lacks, or too long for an option name. */
function aboutOf(rendered: RenderedApproval): readonly string[] {
  const { folder, reason, scopes, isWhole } = rendered;
  const lines = approvalLines({ ...rendered, preview: undefined }, { isTerse: true });
  const long = scopes.filter(({ covers }) => covers.length > maxNameLength).map(({ covers }) => covers);
  return [
    ...(folder === undefined ? [] : [`This conversation was imported. May its tools use "${folder}"?`]),
    ...(reason === undefined ? [] : [reason]),
    ...(lines.length === 0 ? [] : [fenced(lines.join("\n"))]),
    ...(long.length === 0 ? [] : [`"Always" can stand for:\n\n${fenced(long.join("\n"))}`]),
    ...(isWhole ? [] : ["Part of the call is missing: you can only deny it."]),
  ];
}
