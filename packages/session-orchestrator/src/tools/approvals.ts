import { errorMessage, type StorageWrite } from "@incipit/kernel";
import {
  describeRequester,
  escapeBlanks,
  escapeHidden,
  escapeHiddenLine,
  isSameAsker,
  type Approval,
  type ApprovalDecision,
  type ApprovalEndReason,
  type ApprovalId,
  type ApprovalScope,
  type Requester,
  type TurnId,
} from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { NewEvent } from "../events/event-log.ts";
import { hostStops } from "../waits/settle.ts";
import { newApprovalId } from "../store/ids.ts";
import { endedApprovalSchema, folderAllowedSchema, keys, toolAllowedSchema } from "../store/stored.ts";
import {
  always,
  permanentGrants,
  type Allowance,
  type CallGrants,
  type FolderAllowed,
  type SeenFolder,
} from "./call-grants.ts";
import { cutPreview } from "./call-preview.ts";
import { StoredQuestions, type AskingOptions, type EndedQuestion } from "./questions.ts";

interface OpenApproval {
  readonly approval: Approval;
  readonly inFolder: SeenFolder | undefined;
  readonly isCovered: () => Promise<boolean>;
}

export interface ApprovalEnd {
  readonly decision: ApprovalDecision;
  readonly reason: ApprovalEndReason;
}

export interface AskedApproval extends ApprovalEnd {
  readonly allowedBy?: string;
  /** Absent when the whole tool is allowed or its preview was approved. */
  readonly allowedPatterns?: readonly string[];
  /** Only this approval allows the call, so it is limited to the shown preview. */
  readonly isForShown?: boolean;
}

export interface ApprovalQuestion {
  readonly turnId: TurnId;
  readonly toolCallId: string;
  readonly name: string;
  /** Approvals apply to one owner. */
  readonly owner: Requester;
  readonly input: string;
  /** Called only if approval is requested. Never rejects. */
  readonly preview: () => Promise<string | undefined>;
  readonly grants?: CallGrants;
  readonly inFolder?: FolderAllowed | undefined;
  /** Despite grants; the answer then applies to this call only. */
  readonly why?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** An answer given on another surface; never rejects. */
  readonly elsewhere?: Promise<ApprovalDecision>;
}

/** Each request ends once, and an answer takes effect once stored. */
export class Approvals {
  readonly #options: AskingOptions;
  readonly #questions: StoredQuestions<OpenApproval, ApprovalEnd>;
  /** Per folder: concurrent calls share one answer. */
  readonly #folderQuestions = new Map<string, Promise<ApprovalEnd>>();
  #allowedFolder: string | undefined;

  constructor(options: AskingOptions) {
    this.#options = options;
    this.#questions = new StoredQuestions({ ...options, kind: "approval", ended: (id) => this.#ended(id) });
  }

  get open(): readonly Approval[] {
    return this.#questions.stored.map(({ approval }) => approval);
  }

  /** Rejects when storing fails. */
  async ask(question: ApprovalQuestion): Promise<AskedApproval> {
    const allowed = async (): Promise<AskedApproval | undefined> => {
      const allowance = await this.#allowanceFor(question);
      if (allowance === undefined) return undefined;
      const { by, patterns } = allowance;
      return { decision: "allow-always", reason: "answered", allowedBy: by, ...heldTo(patterns) };
    };
    const before = await allowed();
    if (before !== undefined) return before;
    const preview = await question.preview();
    const scopes =
      question.why === undefined ? [...((await question.grants?.scopes()) ?? []), wholeTool(question)] : [];
    const inFolder = await question.inFolder?.see();
    const forFolder = inFolder?.folder;
    const told = {
      ...(preview === undefined ? {} : shownPreview(preview)),
      ...(scopes.length === 0 ? {} : { scopes: scopes.map(shownScope) }),
      ...(scopes.length === 0 || forFolder === undefined ? {} : { forFolder }),
    };
    const meanwhile = await allowed();
    if (meanwhile !== undefined) return meanwhile;
    const end = await this.#put(question, told, inFolder);
    const allowance = await this.#allowanceFor(question);
    return { ...end, isForShown: allowance === undefined, ...heldTo(allowance?.patterns) };
  }

  async #allowanceFor(question: ApprovalQuestion): Promise<Allowance | undefined> {
    const { owner, why } = question;
    const allowance = why === undefined ? await this.#grantFor(question) : undefined;
    if (allowance === undefined || isNamedByTool(owner)) return allowance;
    return { ...allowance, by: `${allowance.by}, for ${describeRequester(owner)}` };
  }

  async #grantFor({ name, owner, grants, inFolder }: ApprovalQuestion): Promise<Allowance | undefined> {
    const kept = await this.#options.storage.get(
      keys.toolAllowed(this.#options.conversationId, name),
      toolAllowedSchema,
    );
    if (kept?.by !== undefined && isSameAsker(kept.by, owner)) return { by: `${name} of ${always}` };
    const here = await permanentGrants(this.#options.storage, this.#options.conversationId, { name, owner });
    return grants?.allowedBy([...here, ...((await inFolder?.see())?.grants ?? [])]);
  }

  /** `question` is the first call that uses the folder. */
  async askFolder(question: ApprovalQuestion, folder: string): Promise<ApprovalEnd> {
    const allowed = await this.#options.storage.get(
      keys.folderAllowed(this.#options.conversationId),
      folderAllowedSchema,
    );
    if ((this.#allowedFolder ?? allowed?.folder) === folder) return { decision: "allow", reason: "answered" };
    const open = this.#folderQuestions.get(folder);
    if (open !== undefined) return open;
    const asked = this.#put(question, { folder }).finally(() => this.#folderQuestions.delete(folder));
    this.#folderQuestions.set(folder, asked);
    return asked;
  }

  async #put(
    question: ApprovalQuestion,
    told: Pick<Approval, "folder" | "forFolder" | "isPreviewCut" | "preview" | "scopes">,
    inFolder?: SeenFolder,
  ): Promise<ApprovalEnd> {
    const { turnId, toolCallId, name, owner, input, why, timeoutMs, signal, elsewhere } = question;
    const nowMs = this.#options.clock.now();
    const approvalId = newApprovalId(nowMs);
    const expiresAt = new Date(nowMs + timeoutMs).toISOString();
    const about = { ...told, ...(why === undefined ? {} : { why: shownLine(why) }) };
    const approval = { approvalId, turnId, toolCallId, name, asker: owner, input, expiresAt, ...about };
    const isCovered = async (): Promise<boolean> => (await this.#allowanceFor(question)) !== undefined;
    const asked: OpenApproval = { approval, inFolder, isCovered };
    return this.#questions.ask(approvalId, asked, {
      begin: () => this.#options.log.append([{ type: "approval-request", ...approval }]),
      // May already be answered here.
      onBegun: () =>
        void elsewhere
          ?.then((decision) => this.answer(approvalId, { decision, reason: "answered" }))
          .catch(() => undefined),
      endUnanswered: () => this.#endUnanswered(approval, signal),
      timeoutMs,
      signal,
    });
  }

  /**
   * `allow-always` also allows other pending calls that it covers; it equals `allow` for folder requests and requests
   * with a reason.
   *
   * @param options.isForFolder Stores the grant with the folder instead of the conversation.
   * @throws {ServiceError} `APPROVAL_UNKNOWN`, `APPROVAL_ENDED`, `INVALID_REQUEST` for an unknown scope or folder; a
   * storage failure keeps the request open.
   */
  async answer(
    approvalId: ApprovalId,
    end: ApprovalEnd,
    { scope, isForFolder = false }: { readonly scope?: string | undefined; readonly isForFolder?: boolean } = {},
  ): Promise<void> {
    const open = await this.#questions.answer(approvalId, (asked) => {
      assertShownWhole(asked.approval, end);
      const kept = { scope: scopeOf(asked.approval, scope), inFolder: isForFolder ? folderOf(asked) : undefined };
      return { answer: end, store: () => this.#storeAnswer(asked, end, kept) };
    });
    if (end.decision !== "allow-always" || !isAboutTool(open.approval)) return;
    const same = this.#questions.open.filter(
      ({ approval }) =>
        approval.name === open.approval.name &&
        isSameAsker(approval.asker, open.approval.asker) &&
        isAboutTool(approval),
    );
    await Promise.allSettled(
      same.map(async ({ approval, isCovered }) => {
        if (approval.isPreviewCut !== true && (await isCovered()))
          await this.answer(approval.approvalId, { decision: "allow", reason: "answered" });
      }),
    );
  }

  async #storeAnswer(
    { approval }: OpenApproval,
    end: ApprovalEnd,
    { scope, inFolder }: { readonly scope: ApprovalScope | undefined; readonly inFolder: SeenFolder | undefined },
  ): Promise<void> {
    const { approvalId, turnId, name, asker: by, folder } = approval;
    const { decision } = end;
    const writes: StorageWrite[] = [endWrite(this.#options.conversationId, approvalId, end)];
    const isFolderAllowed = folder !== undefined && decision !== "deny";
    let takeBack = async (): Promise<void> => {};
    if (isFolderAllowed)
      writes.push({
        kind: "set",
        key: keys.folderAllowed(this.#options.conversationId),
        value: { approvalId, folder },
      });
    else if (decision === "allow-always" && inFolder !== undefined)
      takeBack = await inFolder.allow(scope?.grants ?? [name]);
    else if (decision === "allow-always" && isAboutTool(approval))
      writes.push(
        scope === undefined
          ? { kind: "set", key: keys.toolAllowed(this.#options.conversationId, name), value: { approvalId, by } }
          : {
              kind: "set",
              key: keys.grantsAllowed(this.#options.conversationId, approvalId),
              value: { name, by, grants: scope.grants },
            },
      );
    try {
      await this.#options.log.append([{ type: "approval-end", turnId, approvalId, ...end }], writes);
    } catch (error) {
      await takeBack().catch((cause: unknown) => {
        throw grantStays(error, cause);
      });
      throw error;
    }
    if (isFolderAllowed) this.#allowedFolder = folder;
  }

  async #endUnanswered({ approvalId, turnId }: Approval, signal: AbortSignal): Promise<ApprovalEnd> {
    const unanswered = signal.reason === hostStops ? "interrupted" : "stopped";
    const end = { decision: "deny", reason: signal.aborted ? unanswered : "expired" } as const;
    const event: NewEvent = { type: "approval-end", turnId, approvalId, ...end };
    await this.#options.log.append([event], [endWrite(this.#options.conversationId, approvalId, end)]);
    return end;
  }

  async #ended(id: string): Promise<EndedQuestion | undefined> {
    const details = await this.#options.storage.get(
      keys.approval(this.#options.conversationId, id),
      endedApprovalSchema,
    );
    return details === undefined ? undefined : { outcome: details.decision, details };
  }
}

function heldTo(patterns: readonly string[] | undefined): Pick<AskedApproval, "allowedPatterns"> {
  return patterns === undefined ? {} : { allowedPatterns: patterns };
}

/** A truncated preview can only be denied. @throws {ServiceError} `INVALID_REQUEST`. */
function assertShownWhole({ isPreviewCut }: Approval, { decision }: ApprovalEnd): void {
  if (isPreviewCut !== true || decision === "deny") return;
  const message = "The preview of this question is incomplete, so the call can only be denied";
  throw new ServiceError("INVALID_REQUEST", message);
}

/** Escapes hidden characters at the source, so that no client shows a misleading name. */
function shownLine(text: string): string {
  return escapeHiddenLine(escapeBlanks(text));
}

function shownScope({ id, label, covers, grants }: ApprovalScope): ApprovalScope {
  return { id, label: shownLine(label), covers: shownLine(covers), grants };
}

function shownPreview(preview: string): Pick<Approval, "preview" | "isPreviewCut"> {
  const { text, isCut } = cutPreview(preview);
  const lines = escapeBlanks(text).split("\r\n");
  return { preview: lines.map(escapeHidden).join("\r\n"), ...(isCut ? { isPreviewCut: true } : {}) };
}

const wholeToolId = "tool";

function wholeTool({ name }: ApprovalQuestion): ApprovalScope {
  return {
    id: wholeToolId,
    label: "every call of the tool",
    covers: `every call of "${name}", whatever it is called with`,
    grants: [name],
  };
}

/** @throws {ServiceError} `INVALID_REQUEST` */
function scopeOf({ scopes = [] }: Approval, id: string | undefined): ApprovalScope | undefined {
  if (id === undefined) return undefined;
  const found = scopes.find((scope) => scope.id === id);
  if (found !== undefined) return found.id === wholeToolId ? undefined : found;
  const ids = scopes.map((scope) => `"${scope.id}"`).join(", ");
  const what = ids === "" ? 'the question has none: "always" is as "allow" there' : `the question has ${ids}`;
  throw new ServiceError("INVALID_REQUEST", `There is no scope ${JSON.stringify(id)}; ${what}`);
}

/** @throws {ServiceError} `INVALID_REQUEST` */
function folderOf({ approval: { forFolder }, inFolder }: OpenApproval): SeenFolder {
  if (forFolder !== undefined && inFolder !== undefined) return inFolder;
  const message =
    "This question can be answered only for its conversation: the folder is not trusted, or no user is connected";
  throw new ServiceError("INVALID_REQUEST", message);
}

/** Reports that the folder grant remains although the request is still open. */
function grantStays(error: unknown, cause: unknown): ServiceError {
  const message = `${errorMessage(error)}; and what was allowed in the folder for it could not be taken back (${errorMessage(cause)}): "incipit trust" lists it`;
  return new ServiceError("STORAGE_FAILED", message, { cause: error });
}

function isNamedByTool({ kind }: Requester): boolean {
  return kind === "host" || kind === "server";
}

function isAboutTool({ folder, why }: Approval): boolean {
  return folder === undefined && why === undefined;
}

/** Prevents a second answer. */
export function endWrite(
  conversationId: string,
  approvalId: ApprovalId,
  end: ApprovalEnd,
): { readonly kind: "set"; readonly key: string; readonly value: { readonly [key: string]: string } } {
  const { decision, reason } = end;
  return { kind: "set", key: keys.approval(conversationId, approvalId), value: { decision, reason } };
}
