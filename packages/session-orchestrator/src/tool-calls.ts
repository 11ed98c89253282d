import type { Approvals } from "./approvals.ts";
import type { Failure, MessagePart, Tool, TurnId } from "@incipit/service-contract";
import type { OrchestratorContext } from "./context.ts";
import { nextEvent } from "./next-event.ts";

export type ToolCall = Extract<MessagePart, { type: "tool-call" }>;
export type ToolResult = Extract<MessagePart, { type: "tool-result" }>;

export interface ToolCallContext extends Pick<OrchestratorContext, "clock" | "settings"> {
  readonly tools: readonly Tool[];
  readonly approvals: Approvals;
  readonly turnId: TurnId;
  readonly conversationId: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Runs one call, after approval where its tool needs it; whatever goes wrong is a result that the model can read. Never rejects. */
export async function runToolCall(
  call: ToolCall,
  context: ToolCallContext,
): Promise<{ readonly result: ToolResult; readonly error: Failure | undefined }> {
  const { tools, conversationId, cwd, clock, settings, signal } = context;
  const fail = (code: string, message: string): { readonly result: ToolResult; readonly error: Failure } => ({
    result: errorResult(call, message),
    error: { code, message },
  });
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) {
    return fail(
      "TOOL_UNKNOWN",
      `There is no tool "${call.name}"; there are ${tools.map(({ name }) => `"${name}"`).join(", ") || "none"}`,
    );
  }
  const input = parseInput(call.input);
  if (input.kind === "broken")
    return fail("TOOL_INPUT_INVALID", `The arguments of "${call.name}" are no valid JSON: ${input.reason}`);
  const ended = new AbortController();
  try {
    const refusal = await refusalOf(call, tool, context);
    if (refusal !== undefined) return fail(refusal.code, refusal.message);
    const output = [
      tool.execute(input.value, { conversationId, cwd, signal: AbortSignal.any([signal, ended.signal]) }),
    ];
    const iterator: AsyncIterator<string> = { next: async () => ({ done: false, value: (await output[0]) ?? "" }) };
    const next = await nextEvent(iterator, { timeoutMs: settings.idleTimeoutMs, clock, signal });
    if (next.kind === "value") {
      const { toolCallId, name } = call;
      return {
        result: { type: "tool-result", toolCallId, name, output: next.value, isError: false },
        error: undefined,
      };
    }
    return next.kind === "timeout"
      ? fail("TOOL_TIMEOUT", `"${call.name}" did not end in time`)
      : fail(stopped.code, stopped.message);
  } catch (error) {
    return fail("TOOL_FAILED", error instanceof Error ? error.message : String(error));
  } finally {
    ended.abort();
  }
}

export const stopped: Failure = { code: "CANCELLED", message: "The turn was stopped" };

/** Why a call may not run; `undefined`: it may. */
async function refusalOf(
  { toolCallId, name, input }: ToolCall,
  tool: Tool,
  { approvals, turnId, settings, signal }: ToolCallContext,
): Promise<Failure | undefined> {
  const approval = tool.approval ?? (tool.isReadOnly === true ? "allow" : "ask");
  if (approval === "deny") return { code: "APPROVAL_DENIED", message: `"${name}" is not allowed in this host` };
  if (approval === "allow") return undefined;
  const timeoutMs = settings.approvalTimeoutMs;
  const { decision, reason } = await approvals.ask({ turnId, toolCallId, name, input, timeoutMs, signal });
  if (reason === "expired") {
    const message = `Nobody answered within ${timeoutMs / 1_000} s whether "${name}" may run: it was not run`;
    return { code: "APPROVAL_EXPIRED", message };
  }
  if (signal.aborted) return stopped; // Also when it was allowed at that moment: it has not begun.
  return decision === "deny"
    ? { code: "APPROVAL_DENIED", message: `The user denied this call of "${name}": it was not run` }
    : undefined;
}

export function errorResult(call: ToolCall, message: string): ToolResult {
  return { type: "tool-result", toolCallId: call.toolCallId, name: call.name, output: message, isError: true };
}

function parseInput(
  text: string,
): { readonly kind: "parsed"; readonly value: unknown } | { readonly kind: "broken"; readonly reason: string } {
  try {
    return { kind: "parsed", value: text.trim() === "" ? {} : JSON.parse(text) };
  } catch (error) {
    return { kind: "broken", reason: error instanceof Error ? error.message : String(error) };
  }
}
