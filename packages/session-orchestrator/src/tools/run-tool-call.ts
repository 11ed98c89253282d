import { shorten } from "@incipit/common";
import { errorMessage, KernelError, parseJson } from "@incipit/kernel";
import {
  isToolAllowed,
  lazySchema,
  describeRequester,
  searchToolName,
  repeatedKey,
  type Requester,
  type Failure,
  type MessagePart,
  type ToolDefinition,
  type TurnId,
} from "@incipit/schema";
import {
  ServiceError,
  type PermissionAnswer,
  type Tool,
  type ToolProgress,
  type ToolQuestion,
} from "@incipit/service-contract";
import type { ApprovalEnd, Approvals } from "./approvals.ts";
import { askValues, type Questions } from "./questions.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { fittedInput, inputProblem } from "../lookup/input-problem.ts";
import { callGrants, folderAllowed, approvalReason } from "./call-grants.ts";
import { CallProgress } from "./call-progress.ts";
import { findLiveTool } from "./live-tool-list.ts";
import { previewOf } from "./call-preview.ts";
import { settle } from "../waits/settle.ts";
import { realFolder } from "../call/usable-folder.ts";
import { lookupOwner, type ToolSearch } from "./tool-search.ts";
import { mayUse, type ToolRules } from "./tool-rules.ts";
import type { FileSnapshots } from "./file-snapshots.ts";
import { toolAnswerSchema, type GivenFile } from "./tool-files.ts";
import * as z from "zod";

const maxQuestionLength = 262_144;
const maxWhyLength = 16_384;
const maxLoggedLength = 500;
/** For tools that return partial output when aborted; killing programs takes up to half a second. */
const partialTimeoutMs = 2_000;
const maxTimeoutMs = 86_400_000;

export type ToolCall = Extract<MessagePart, { type: "tool-call" }>;
export type ToolResult = Extract<MessagePart, { type: "tool-result" }>;

export interface ToolCallContext extends Pick<
  OrchestratorContext,
  "clock" | "folderGrants" | "fs" | "settings" | "tools" | "toolSources"
> {
  readonly sent: readonly ToolDefinition[];
  readonly lookup: ToolSearch | undefined;
  /** Possibly stricter than when the request was sent. */
  readonly rules: ToolRules;
  readonly approvals: Approvals;
  readonly questions: Questions;
  readonly keptFiles: FileSnapshots;
  readonly isUnattended: boolean;
  /** The last call of a reply that ended at its output limit, possibly incomplete. */
  readonly cutCallId?: string | undefined;
  readonly allow: readonly string[];
  readonly turnId: TurnId;
  readonly conversationId: string;
  readonly cwd: string;
  readonly isImported: boolean;
  /** The host's log, not the conversation's event log. */
  readonly hostLog: OrchestratorContext["log"];
  readonly readOutput: (path: string) => Promise<string | undefined>;
  /** Never throws. */
  readonly showProgress: (call: ToolCall, progress: ToolProgress) => void;
  readonly signal: AbortSignal;
}

/** Every failure becomes a result for the model. Never rejects. */
export async function runToolCall(
  call: ToolCall,
  given: ToolCallContext,
): Promise<{
  readonly result: ToolResult;
  readonly files?: readonly GivenFile[];
  readonly error: Failure | undefined;
  /** Absent when a user approved the call or no approval was needed. */
  readonly allowedBy?: string;
  readonly preview?: string;
}> {
  const { sent, conversationId, clock, settings, signal } = given;
  let allowed: { readonly allowedBy?: string } = {};
  const fail = (code: string, message: string): Awaited<ReturnType<typeof runToolCall>> & { error: Failure } => ({
    result: errorResult(call, message),
    error: { code, message },
    ...allowed,
  });
  const stop = (): ReturnType<typeof fail> => fail(stopped.code, stopped.message);
  if (signal.aborted) return stop();
  const { lookup } = given;
  const isSent = sent.some(({ name }) => name === call.name);
  const isSearch = lookup !== undefined && call.name === searchToolName;
  const isLookedUp = !isSent && (await lookup?.find(call.name)) !== undefined;
  if (!isSent && !isLookedUp) return fail("TOOL_UNKNOWN", await unknownText(call.name, given));
  if (!(isSearch ? !isToolAllowed(given.rules.denied, searchToolName) : mayUse(given.rules, call.name)))
    return fail("TOOL_NOT_ALLOWED", `This conversation may not use "${call.name}" any more: go on without it`);
  const input = parseInput(call.input);
  if (call.toolCallId === given.cutCallId && (input.kind === "broken" || call.input.trim() === ""))
    return fail(
      "TOOL_INPUT_INVALID",
      `Your reply reached its output limit in the middle of this call of "${call.name}": it was not run. Do the same in smaller pieces, with less in each call`,
    );
  if (input.kind === "broken")
    return fail("TOOL_INPUT_INVALID", `The arguments of "${call.name}" are no JSON object: ${input.reason}`);
  // A link in an imported folder could change after approval, so resolve it now.
  const cwd = given.isImported ? await realFolder(given.cwd, given) : given.cwd;
  const context = { ...given, cwd };
  const { isImported, rules } = given;
  const lookUp = { conversationId, cwd, isImported, rules, timeoutMs: settings.toolSourceTimeoutMs, signal };
  const { found, problems } = isSearch
    ? { found: { tool: lookup.searchTool, owner: lookupOwner }, problems: [] }
    : await findLiveTool(call.name, context, lookUp);
  if (signal.aborted) return stop();
  if (found === undefined) return fail("TOOL_UNAVAILABLE", [goneText(call.name), ...problems].join("; "));
  const { tool, owner } = found;
  // The host knows its own tools' schemas and corrects their input; other owners validate their own.
  const value = owner.kind === "host" ? fittedInput(input.value, tool.inputSchema) : input.value;
  const failed = (code: string, message: string): ReturnType<typeof fail> => {
    if (owner.kind !== "extension") return fail(code, message);
    const told = `The tool "${call.name}" of extension "${owner.extension}" failed: ${message}`;
    given.hostLog.warn(told.slice(0, maxLoggedLength), { extension: owner.extension, code });
    return fail(code, told);
  };
  // The model did not see this schema in the request, so validate the input.
  const problem = isLookedUp ? inputProblem(value, tool.inputSchema) : undefined;
  if (problem !== undefined)
    return fail("TOOL_INPUT_INVALID", `"${call.name}" was not run: ${problem}${schemaText(tool)}`);
  const ended = new AbortController();
  try {
    const why = await approvalReason(tool, value, context);
    const { refusal, preview, allowedPreview, allowedPatterns, ...by } = await refusalOf(call, {
      tool,
      owner,
      input: value,
      why,
      context,
    });
    if (refusal !== undefined) return fail(refusal.code, refusal.message);
    allowed = by;
    let shown = preview;
    const called = AbortSignal.any([signal, ended.signal]);
    const progress = new CallProgress({
      clock,
      timeoutMs: timeoutOf(tool, settings),
      show: (told) => given.showProgress(call, told),
    });
    ended.signal.addEventListener("abort", () => progress.end(), { once: true });
    const about = {
      conversationId,
      turnId: given.turnId,
      toolCallId: call.toolCallId,
      cwd,
      signal: called,
      tellProgress: (told: ToolProgress) => progress.tell(told),
      keepFile: given.keptFiles.keeperFor(
        { turnId: given.turnId, toolCallId: call.toolCallId },
        { cwd, signal: called },
      ),
      readOutput: given.readOutput,
      askPermission: async (question: ToolQuestion) => {
        shown = question.preview ?? shown;
        const go = progress.hold();
        try {
          return await askFor(call, question, { owner, signal: called, context });
        } finally {
          go();
        }
      },
      askValues: askValues(given.questions, {
        asker: owner,
        turnId: given.turnId,
        toolCallId: call.toolCallId,
        isUnattended: given.isUnattended,
        timeoutMs: settings.questionTimeoutMs,
        signal: called,
        progress,
      }),
      ...(why === undefined ? {} : { allowedAlthough: why }),
      ...(allowedPreview === undefined ? {} : { allowedPreview }),
      ...(allowedPatterns === undefined ? {} : { allowedPatterns }),
    };
    // Also accepts a synchronous return or throw.
    const execute = async (): Promise<Awaited<ReturnType<Tool["execute"]>>> => tool.execute(value, about);
    const running = execute();
    let next = await settle(running, { timeoutMs: progress.leftMs, clock, signal });
    while (next.kind === "timeout" && progress.leftMs > 0)
      next = await settle(running, { timeoutMs: progress.leftMs, clock, signal });
    if (next.kind === "value") {
      const given = toolAnswerSchema.safeParse(next.value); // Third-party tools may return any value.
      if (!given.success) return failed("TOOL_FAILED", `"${call.name}" returned no text`);
      const { toolCallId, name } = call;
      return {
        result: { type: "tool-result", toolCallId, name, output: given.data.text, isError: false },
        files: given.data.files,
        error: undefined,
        ...allowed,
        ...(shown === undefined ? {} : { preview: shown }),
      };
    }
    const isLate = next.kind === "timeout";
    ended.abort();
    const partial = tool.givesPartialOutput === true ? await partialOutput(running, clock) : "";
    const told = (message: string): string => (partial === "" ? message : `${message}:\n${partial}`);
    return isLate
      ? failed("TOOL_TIMEOUT", told(`"${call.name}" did not end in time`))
      : fail(stopped.code, told(stopped.message));
  } catch (error) {
    // The tool was unloaded after the lookup, for example during the approval.
    if (KernelError.is(error) && error.code === "GENERATION_GONE")
      return failed("TOOL_UNAVAILABLE", `${goneText(call.name)}; ${error.message}`);
    const isLimit = ServiceError.is(error) && error.code === "TOOL_SERVER_LIMIT";
    return failed(isLimit ? error.code : "TOOL_FAILED", errorMessage(error));
  } finally {
    ended.abort();
  }
}

async function partialOutput(
  running: ReturnType<Tool["execute"]>,
  clock: ToolCallContext["clock"],
): Promise<string> {
  const signal = new AbortController().signal;
  const last = Promise.resolve(running).then(
    (given) => toolAnswerSchema.safeParse(given).data?.text ?? "",
    (error: unknown) => errorMessage(error),
  );
  const next = await settle(last, { timeoutMs: partialTimeoutMs, clock, signal });
  return next.kind === "value" ? next.value : "";
}

/** Third-party tools may set any value. */
function timeoutOf({ timeoutMs }: Tool, { idleTimeoutMs }: ToolCallContext["settings"]): number {
  return timeoutMs !== undefined && timeoutMs > 0 && timeoutMs <= maxTimeoutMs ? timeoutMs : idleTimeoutMs;
}

/** Third-party tools may pass any value. */
const toolQuestionSchema = lazySchema(() =>
  z.object({
    name: z.string(),
    input: z.string().max(maxQuestionLength),
    why: z.string().max(maxWhyLength),
    preview: z.string().max(maxQuestionLength).optional(),
  }),
);

/** Only host tools may ask on behalf of another owner. */
function askFor(
  call: ToolCall,
  question: ToolQuestion,
  {
    owner,
    signal,
    context: { approvals, turnId, settings },
  }: { readonly owner: Requester; readonly signal: AbortSignal; readonly context: ToolCallContext },
): Promise<PermissionAnswer> {
  const { elsewhere } = question;
  const { name, input, why, preview } = toolQuestionSchema.parse(question);
  const isHosts = owner.kind === "host";
  return approvals.ask({
    turnId,
    toolCallId: call.toolCallId,
    ...(isHosts
      ? { name, owner: question.asker ?? owner, why }
      : { name: call.name, owner, why: `${describeRequester(owner)} asks: ${why}` }),
    input,
    preview: () => Promise.resolve(preview),
    timeoutMs: settings.approvalTimeoutMs,
    signal,
    ...(elsewhere === undefined ? {} : { elsewhere }),
  });
}

async function unknownText(
  name: string,
  { sent, lookup }: Pick<ToolCallContext, "sent" | "lookup">,
): Promise<string> {
  const shown = JSON.stringify(shorten(name, maxShownName));
  if (lookup === undefined) {
    const names = sent.map((tool) => `"${tool.name}"`).join(", ");
    return `There is no tool ${shown}; there are ${names || "none"}`;
  }
  const similar = await lookup.similar(name);
  const like = similar.length === 0 ? "" : `; names like it: ${similar.map((one) => `"${one}"`).join(", ")}`;
  return `There is no tool ${shown}${like}; look for others with ${searchToolName}`;
}

const maxShownName = 80;
const maxSchemaLength = 4_000;

function schemaText({ inputSchema }: Tool): string {
  const text = JSON.stringify(inputSchema);
  return text.length > maxSchemaLength ? `; look at its inputSchema with ${searchToolName}` : `; it takes ${text}`;
}

function goneText(name: string): string {
  return `The tool "${name}" is not there any more, and may come back: go on without it`;
}

const stopped: Failure = { code: "CANCELLED", message: "The turn was stopped" };

async function refusalOf(
  { toolCallId, name, input: text }: ToolCall,
  {
    tool,
    owner,
    input,
    why,
    context,
  }: {
    readonly tool: Tool;
    readonly owner: Requester;
    readonly input: object;
    readonly why: string | undefined;
    readonly context: ToolCallContext;
  },
): Promise<{
  readonly refusal?: Failure;
  readonly allowedBy?: string;
  readonly preview?: string;
  readonly allowedPreview?: string;
  readonly allowedPatterns?: readonly string[];
}> {
  const { approvals, turnId, settings, signal, isImported, cwd, rules } = context;
  const ownApproval = tool.approval ?? (tool.isReadOnly === true ? "allow" : "ask");
  const approval = ownApproval === "allow" && isToolAllowed(rules.asked, name) ? "ask" : ownApproval;
  if (approval === "deny")
    return { refusal: { code: "APPROVAL_DENIED", message: `"${name}" is not allowed in this host` } };
  // Invalid calls need no approval. Unknown properties are rejected for host tools only; other owners validate their
  // own.
  const isAsked = approval === "ask" || why !== undefined || isImported;
  const problem = isAsked ? inputProblem(input, tool.inputSchema, { isLenient: owner.kind !== "host" }) : undefined;
  if (problem !== undefined)
    return {
      refusal: { code: "TOOL_INPUT_INVALID", message: `"${name}" was not run: ${problem}${schemaText(tool)}` },
    };
  const timeoutMs = settings.approvalTimeoutMs;
  let shown: { readonly preview?: string } = {};
  let allowedPreview: string | undefined;
  const preview = async (): Promise<string | undefined> => {
    const told = await previewOf(tool, input, context);
    shown = told === undefined ? {} : { preview: told.text };
    // A tool without a preview is limited to an empty one.
    allowedPreview = told === undefined ? undefined : (told.whole ?? "");
    return told?.text;
  };
  const question = { turnId, toolCallId, name, owner, input: text, preview, timeoutMs, signal };
  const refusalBy = ({ decision, reason }: ApprovalEnd, denied: string): Failure | undefined => {
    if (reason === "expired") {
      const message = `Nobody answered within ${timeoutMs / 1_000} s whether "${name}" may run: it was not run`;
      return { code: "APPROVAL_EXPIRED", message };
    }
    if (reason === "unattended")
      return {
        code: "APPROVAL_DENIED",
        message: `Nobody is there to allow this call of "${name}": it was not run`,
      };
    if (signal.aborted) return stopped; // A stopped turn's call must not start, even if just approved.
    return decision === "deny" ? { code: "APPROVAL_DENIED", message: denied } : undefined;
  };
  if (isImported && owner !== lookupOwner) {
    const denied = `The user does not let tools use "${cwd}", the folder of this imported conversation: "${name}" was not run`;
    const refusal = refusalBy(await approvals.askFolder(question, cwd), denied);
    if (refusal !== undefined) return { refusal };
  }
  if (approval === "allow" && why === undefined) return shown;
  const given = [
    ...settings.allow.map((grant) => ({ grant, of: "[approvals] allow" })),
    ...context.allow.map((grant) => ({ grant, of: "the turn" })),
  ];
  const grants = callGrants(tool, input, { ...context, owner, given });
  const {
    allowedBy,
    allowedPatterns,
    isForShown = false,
    ...asked
  } = await approvals.ask({
    ...question,
    grants,
    inFolder: folderAllowed({ name, owner }, context),
    ...(why === undefined ? {} : { why }),
  });
  const refusal = refusalBy(asked, `The user denied this call of "${name}": it was not run`);
  if (refusal !== undefined) return { refusal };
  const held = allowedPatterns === undefined ? {} : { allowedPatterns };
  if (allowedBy !== undefined) return { allowedBy, ...held };
  if (allowedPatterns !== undefined) return { ...shown, ...held };
  return isForShown && allowedPreview !== undefined ? { ...shown, allowedPreview } : shown;
}

export function errorResult(call: ToolCall, message: string): ToolResult {
  return { type: "tool-result", toolCallId: call.toolCallId, name: call.name, output: message, isError: true };
}

function parseInput(
  text: string,
): { readonly kind: "parsed"; readonly value: object } | { readonly kind: "broken"; readonly reason: string } {
  try {
    const value: unknown = text.trim() === "" ? {} : parseJson(text);
    const repeated = repeatedKey(text);
    if (repeated !== undefined)
      return { kind: "broken", reason: `they have the key ${JSON.stringify(repeated)} twice; write each once` };
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { kind: "parsed", value };
    return {
      kind: "broken",
      reason: `they are ${value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`}`,
    };
  } catch (error) {
    return { kind: "broken", reason: errorMessage(error) };
  }
}
