import type { PermissionOption, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Approval, ApprovalDecision, ApprovalId, ConversationId } from "@incipit/schema";
import { ApiClientError, routes } from "@incipit/transport-contract";
import type { HostLink } from "../host/host-link.ts";
import type { ToolView } from "../tools/tool-view.ts";
import type { Editor } from "./editor.ts";

export interface PermissionsOptions {
  readonly conversationId: ConversationId;
  readonly link: HostLink;
  readonly editor: Editor;
  readonly log: (line: string) => void;
}

const decisions: ReadonlyMap<string, ApprovalDecision> = new Map([
  ["allow", "allow"],
  ["allow-always", "allow-always"],
  ["deny", "deny"],
]);

/**
 * The host's questions about tool calls, asked at the editor. Each is asked until it is answered there or elsewhere, expires, or
 * its turn ends; whoever answers first decides.
 */
export class Permissions {
  readonly #options: PermissionsOptions;
  readonly #open = new Map<string, AbortController>();

  constructor(options: PermissionsOptions) {
    this.#options = options;
  }

  /** Asks; does not wait for the answer. One that is being asked already is not asked twice. */
  ask(question: Approval, view: ToolView): void {
    const { approvalId } = question;
    if (this.#open.has(approvalId)) return;
    const ended = new AbortController();
    this.#open.set(approvalId, ended);
    void this.#askAndAnswer(question, { view, signal: ended.signal }).finally(() => this.#open.delete(approvalId));
  }

  /** It was answered, or is over: the editor need not ask any more. */
  end(approvalId: string): void {
    this.#open.get(approvalId)?.abort();
  }

  /** For a question that nobody is there to be asked. */
  deny(approvalId: ApprovalId): Promise<void> {
    return this.#answer(approvalId, "deny");
  }

  /** Nobody is there any more who could be asked; what is open waits on at the host. */
  close(): void {
    for (const ended of this.#open.values()) ended.abort();
  }

  async #askAndAnswer(
    question: Approval,
    { view, signal }: { readonly view: ToolView; readonly signal: AbortSignal },
  ): Promise<void> {
    const { conversationId: id, editor } = this.#options;
    const { approvalId } = question;
    const asked = {
      sessionId: id,
      toolCall: toolCallOf(question, view),
      about: aboutOf(question),
      options: optionsFor(question),
    };
    const permission = await editor.askPermission(asked, signal);
    // Others may answer it yet.
    if (signal.aborted || permission.kind === "gone") return;
    // Whoever puts a question away has not allowed anything.
    const decision = permission.kind === "chosen" ? decisions.get(permission.optionId) : undefined;
    await this.#answer(approvalId, decision ?? "deny");
  }

  async #answer(approvalId: ApprovalId, decision: ApprovalDecision): Promise<void> {
    const { conversationId: id, link, log } = this.#options;
    const call = { params: { id, approvalId }, body: { decision } };
    try {
      await link.call((client) => client.call(routes.answerApproval, call));
    } catch (error) {
      const isOver = error instanceof ApiClientError && error.code === "APPROVAL_ENDED";
      if (!isOver) log(`The answer to a question about a tool did not reach the host: ${String(error)}`);
    }
  }
}

/** "Always" where it is more than "once": a question about a folder, or one that says why, is about this call alone. */
function optionsFor({ why, folder }: Approval): PermissionOption[] {
  const always = { optionId: "allow-always", name: "Always allow in this session", kind: "allow_always" } as const;
  return [
    { optionId: "allow", name: "Allow once", kind: "allow_once" },
    ...(why === undefined && folder === undefined ? [always] : []),
    { optionId: "deny", name: "Deny", kind: "reject_once" },
  ];
}

function aboutOf({ why, folder }: Approval): readonly string[] {
  return [
    ...(folder === undefined ? [] : [`This conversation was imported. May its tools use "${folder}"?`]),
    ...(why === undefined ? [] : [why]),
  ];
}

function toolCallOf({ toolCallId, name }: Approval, view: ToolView): ToolCallUpdate {
  return { toolCallId, name, status: "pending", ...view };
}
