import { errorMessage, parseJson } from "@incipit/kernel";
import { callToolName, isToolAllowed, repeatedKey, searchToolName } from "@incipit/schema";
import { errorResult, runToolCall, type ToolCall, type ToolCallContext } from "./run-tool-call.ts";
import { inputProblem } from "../lookup/input-problem.ts";
import { ownTools } from "../lookup/search-answer.ts";
import * as z from "zod";

type Ran = Awaited<ReturnType<typeof runToolCall>>;

/**
 * `call_tool` is resolved to the underlying tool, which then applies to approvals, events and records. Never rejects.
 */
export async function runActualCall(
  call: ToolCall,
  context: ToolCallContext,
): Promise<Ran & { readonly actual: ToolCall }> {
  if (call.name !== callToolName || context.lookup === undefined)
    return { actual: call, ...(await runToolCall(call, context)) };
  const fail = (code: string, message: string): Ran & { readonly actual: ToolCall } => ({
    actual: call,
    result: errorResult(call, message),
    error: { code, message },
  });
  const { rules } = context;
  if (isToolAllowed(rules.denied, callToolName))
    return fail("TOOL_NOT_ALLOWED", `This conversation may not use "${callToolName}" any more: go on without it`);
  const named = namedCall(call.input);
  if (named.kind === "wrong") return fail("TOOL_INPUT_INVALID", `"${callToolName}" ran nothing: ${named.reason}`);
  const actual: ToolCall = { ...call, name: named.name, input: named.input };
  // An approval rule for `call_tool` applies to the underlying call.
  const asked = isToolAllowed(rules.asked, callToolName) ? [...rules.asked, actual.name] : rules.asked;
  const ran = await runToolCall(actual, { ...context, rules: { ...rules, asked } });
  // The result must carry the name of the model's call.
  return { ...ran, actual, result: { ...ran.result, name: call.name } };
}

function namedCall(text: string): ReturnType<typeof underlyingCall> {
  try {
    const value: unknown = parseJson(text);
    const repeated = repeatedKey(text);
    if (repeated !== undefined)
      return {
        kind: "wrong",
        reason: `its arguments have the key ${JSON.stringify(repeated)} twice; write each once`,
      };
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { kind: "wrong", reason: 'its arguments are no JSON object; write {"name": …, "input": {…}}' };
    return underlyingCall(value);
  } catch (error) {
    return { kind: "wrong", reason: `its arguments are no JSON: ${errorMessage(error)}` };
  }
}

const callSchema = z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) });

type UnderlyingCall =
  | { readonly kind: "call"; readonly name: string; readonly input: string }
  | { readonly kind: "wrong"; readonly reason: string };

function underlyingCall(given: object): UnderlyingCall {
  const [{ inputSchema }] = ownTools([]);
  const unwrapped = withParsedInput(given);
  const problem = inputProblem(unwrapped, inputSchema);
  const { data } = callSchema.safeParse(unwrapped);
  if (problem !== undefined || data === undefined)
    return {
      kind: "wrong",
      reason: `${problem ?? "it takes a name and an input"}; write {"name": …, "input": {…}}`,
    };
  if (data.name === callToolName || data.name === searchToolName)
    return { kind: "wrong", reason: `"${data.name}" is one of your own tools: call it by itself` };
  return { kind: "call", name: data.name, input: JSON.stringify(data.input) };
}

/** Parses nested arguments, which many models encode as a string, or omit if empty. */
function withParsedInput(given: object): object {
  if (!("input" in given) || given.input === null) return { ...given, input: {} };
  if (typeof given.input !== "string") return given;
  try {
    return { ...given, input: given.input.trim() === "" ? {} : parseJson(given.input) };
  } catch {
    return given;
  }
}
