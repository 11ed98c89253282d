import type { Failure, StepId } from "@incipit/service-contract";
import type { OrchestratorContext } from "./context.ts";
import type { EventLog } from "./event-log.ts";
import { errorResult, runToolCall, type ToolCall, type ToolCallContext, type ToolResult } from "./tool-calls.ts";
import { boundOutput } from "./tool-output.ts";

/** Calls of one reply that run at once. */
const maxParallel = 16;

export interface ToolRound extends ToolCallContext, Pick<OrchestratorContext, "storage" | "observers"> {
  readonly stepId: StepId;
  readonly log: EventLog;
}

/**
 * Runs the calls of one reply, and shows the end of each as it comes. Resolves when all are over, with a result for each in
 * their order; `failure`: not all that was to be stored could be.
 */
export async function runToolCalls(
  calls: readonly ToolCall[],
  round: ToolRound,
): Promise<{ readonly results: readonly ToolResult[]; readonly failure: unknown }> {
  const results = calls.map((call) => errorResult(call, "What the tool answered could not be stored"));
  let failure: unknown;
  const waiting = calls.entries();
  const work = async (): Promise<void> => {
    for (const [index, call] of waiting) {
      const startedAtMs = round.clock.now();
      try {
        const { result, error } = await runToolCall(call, round);
        tell({ call, output: result.output, error, startedAtMs }, round);
        const output = await boundOutput(result.output, { ...round, toolCallId: call.toolCallId });
        results[index] = { ...result, output };
        await show(call, output, error, round);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: maxParallel }, work));
  return { results, failure };
}

function tell(
  {
    call,
    output,
    error = null,
    startedAtMs,
  }: {
    readonly call: ToolCall;
    readonly output: string;
    readonly error: Failure | null | undefined;
    readonly startedAtMs: number;
  },
  { observers, clock, conversationId, turnId }: ToolRound,
): void {
  const { toolCallId, name, input } = call;
  observers.tell({
    type: "tool-call",
    conversationId,
    turnId,
    toolCallId,
    name,
    startedAtMs,
    endedAtMs: clock.now(),
    error,
    ...(observers.hasContent ? { content: { input, output } } : {}),
  });
}

function show(
  { toolCallId, name, input }: ToolCall,
  output: string,
  error: Failure | undefined,
  { turnId, stepId, log }: ToolRound,
): Promise<void> {
  const outcome = error === undefined ? { output } : { error: { ...error, message: output } };
  return log.append([{ type: "tool-call-end", turnId, stepId, toolCallId, name, input, ...outcome }]);
}
