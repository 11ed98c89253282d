import { callToolName, searchToolName } from "@incipit/schema";
import { parseJson } from "@incipit/kernel";
import * as z from "zod";
import { inputProblem } from "./input-problem.ts";
import { ownTools } from "./own-tools.ts";

const callSchema = z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) });

export type UnderlyingCall =
  | { readonly kind: "call"; readonly name: string; readonly input: string }
  | { readonly kind: "wrong"; readonly reason: string };

export function underlyingCall(given: object): UnderlyingCall {
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

/** Many models encode nested arguments as a string, or omit empty ones. */
function withParsedInput(given: object): object {
  if (!("input" in given) || given.input === null) return { ...given, input: {} };
  if (typeof given.input !== "string") return given;
  try {
    return { ...given, input: given.input.trim() === "" ? {} : parseJson(given.input) };
  } catch {
    return given;
  }
}
