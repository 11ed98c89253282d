import {
  type CallPreview,
  type Failure,
  type ModelMessage,
  type StepId,
  type UnaskedCall,
  stepSchema,
  type Step,
} from "@incipit/schema";
import { storedOutputName, type AskedModel } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { EventLog } from "../events/event-log.ts";
import { runActualCall } from "./actual-call.ts";
import { errorResult, type ToolCall, type ToolCallContext, type ToolResult } from "./run-tool-call.ts";
import { fittedFiles, ToolFiles } from "./tool-files.ts";
import { truncateOutput, findToolOutput } from "./tool-output.ts";
import type { Storage, StorageWrite } from "@incipit/kernel";
import { keys } from "../store/stored.ts";

const maxParallel = 16;

export interface ToolRound
  extends
    Omit<ToolCallContext, "showProgress" | "readOutput">,
    Pick<OrchestratorContext, "storage" | "observers" | "files"> {
  readonly stepId: StepId;
  readonly log: EventLog;
  readonly calledBy: AskedModel;
  readonly history: readonly ModelMessage[];
}

/** Streams each end. Resolves after all calls, with results in call order; `failure` is the first storage error. */
export async function runToolCalls(
  calls: readonly ToolCall[],
  round: ToolRound,
): Promise<{
  readonly results: readonly ToolResult[];
  readonly unaskedCalls: readonly UnaskedCall[];
  readonly previews: readonly CallPreview[];
  readonly failure: unknown;
}> {
  const results = calls.map((call) => errorResult(call, "What the tool answered could not be stored"));
  let failure: unknown;
  const showProgress: ToolCallContext["showProgress"] = ({ toolCallId, name }, progress) => {
    const { turnId, stepId, log } = round;
    // Unstored progress is not shown; a storage problem also fails the turn.
    void log
      .show([{ type: "tool-call-progress", turnId, stepId, toolCallId, name, ...progress }])
      .catch(() => undefined);
  };
  const readOutput: ToolCallContext["readOutput"] = async (path) => {
    const name = storedOutputName(path);
    return name === undefined
      ? undefined
      : (await findToolOutput(round.storage, round.conversationId, name))?.output;
  };
  const taken = new ToolFiles(round.history);
  const unasked = new AutoApprovedCalls(round.storage, round);
  const previews: CallPreview[] = [];
  const reader = round.tools.current.find(
    ({ value }) => value.readsOutputs === true && round.sent.some(({ name }) => name === value.name),
  )?.value.name;
  const waiting = calls.entries();
  const work = async (): Promise<void> => {
    for (const [index, call] of waiting) {
      const startedAtMs = round.clock.now();
      try {
        const {
          actual,
          result,
          files: given = [],
          error,
          preview,
          ...allowed
        } = await runActualCall(call, { ...round, showProgress, readOutput });
        const endedAtMs = round.clock.now();
        const bound = await truncateOutput(result.output, { ...round, toolCallId: call.toolCallId, reader });
        const { output, files } = taken.take(bound, await fittedFiles(given, round.files));
        if (preview !== undefined) previews.push({ toolCallId: call.toolCallId, preview });
        results[index] = { ...result, output, ...(files.length === 0 ? {} : { files: [...files] }) };
        await tell({ call: actual, output, error, startedAtMs, endedAtMs }, round);
        await show(actual, { output, fileCount: files.length, error, ...allowed }, { ...round, unasked });
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: maxParallel }, work));
  return { results, unaskedCalls: unasked.all, previews, failure };
}

interface RecordedCall {
  readonly call: ToolCall;
  readonly output: string;
  readonly error: Failure | undefined;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

async function tell(
  { call, output, error, ...times }: RecordedCall,
  { observers, conversationId, turnId, sent, lookup, calledBy }: ToolRound,
): Promise<void> {
  const { toolCallId, name, input } = call;
  // A failed tool's message is its output.
  const message = observers.hasContent ? output : `The call of "${name}" failed`;
  observers.tell({
    type: "tool-call",
    conversationId,
    turnId,
    toolCallId,
    name,
    description: (sent.find((tool) => tool.name === name) ?? (await lookup?.find(name)))?.description ?? "",
    calledBy,
    ...times,
    error: error === undefined ? null : { code: error.code, message },
    ...(observers.hasContent ? { content: { input, output } } : {}),
  });
}

async function show(
  { toolCallId, name, input }: ToolCall,
  {
    output,
    fileCount,
    error,
    allowedBy,
  }: Pick<RecordedCall, "output" | "error"> & { readonly fileCount: number; readonly allowedBy?: string },
  { turnId, stepId, log, unasked }: ToolRound & { readonly unasked: AutoApprovedCalls },
): Promise<void> {
  const outcome = error === undefined ? { output } : { error: { ...error, message: output } };
  const files = fileCount === 0 ? {} : { fileCount };
  const allowed = allowedBy === undefined ? {} : { allowedBy };
  const writes = allowedBy === undefined ? [] : await unasked.add({ toolCallId, name, allowedBy });
  await log.append(
    [{ type: "tool-call-end", turnId, stepId, toolCallId, name, input, ...outcome, ...files, ...allowed }],
    writes,
  );
}

class AutoApprovedCalls {
  readonly #storage: Storage;
  readonly #key: string;
  readonly #calls: UnaskedCall[] = [];
  #step: Promise<Step | undefined> | undefined;

  constructor(
    storage: Storage,
    { conversationId, stepId }: { readonly conversationId: string; readonly stepId: StepId },
  ) {
    this.#storage = storage;
    this.#key = keys.step(conversationId, stepId);
  }

  get all(): readonly UnaskedCall[] {
    return this.#calls;
  }

  /** All calls so far; store it with the end of the call, in the same order. */
  async add(call: UnaskedCall): Promise<readonly StorageWrite[]> {
    this.#step ??= this.#storage.get(this.#key, stepSchema);
    const step = await this.#step;
    this.#calls.push(call);
    return step === undefined
      ? []
      : [{ kind: "set", key: this.#key, value: { ...step, unaskedCalls: [...this.#calls] } }];
  }
}
