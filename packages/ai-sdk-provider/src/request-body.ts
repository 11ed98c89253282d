import { jsonObject } from "@incipit/model-endpoint";
import { withFields, type JsonObject } from "@incipit/schema";
import * as z from "zod";
import type { Vendor } from "./vendor.ts";

const bodySchema = z.looseObject({ tools: z.unknown().optional() });
const listSchema = z.array(z.unknown());
/** What the packages write for a message with nothing in it; vendors refuse it. */
const emptySchema = z.union([
  z.object({ content: z.array(z.unknown()).length(0) }),
  z.object({ parts: z.array(z.unknown()).length(0) }),
  // A reply of which nothing goes back, such as one that was reasoning alone.
  z.object({
    role: z.literal("assistant"),
    content: z.string().regex(/^\s*$/).nullish(),
    tool_calls: z.undefined().optional(),
    reasoning_content: z.literal("").nullish(),
  }),
]);
/** Chat completions: the calls of one message. */
const callSchema = z.looseObject({ function: z.looseObject({ arguments: z.string() }) });
const callingSchema = z.looseObject({ tool_calls: z.array(callSchema) });
/** Responses: a call is an entry of its own. */
const callEntrySchema = z.looseObject({ type: z.literal("function_call"), arguments: z.string() });

export interface RequestBodyOptions {
  readonly growingList: Vendor["growingList"];
  /** Laid over the body; absent: none. */
  readonly fields?: JsonObject;
  /** JSON text of the entries that come before those of the body, without brackets; `""`: none. */
  readonly sentBefore: string;
  /** Arguments of all tool calls in the body's entries, in order, as the model wrote them; none: they stay as they are. */
  readonly toolInputs: readonly string[];
}

export interface RequestBody {
  readonly text: string;
  /** JSON text of all entries of the growing list, without brackets. */
  readonly list: string;
}

/**
 * Writes a package's body so that what stays the same comes first and the growing list last: a request without its closing
 * `]}` is then a byte prefix of the next one of its conversation. Vendors key their caches on tools, system and messages in
 * that order. An entry without content is left out.
 *
 * @throws when the body is no JSON object with that list.
 */
export function requestBody(
  body: string,
  { growingList, fields = {}, sentBefore, toolInputs }: RequestBodyOptions,
): RequestBody {
  const { [growingList]: given, tools, ...written } = bodySchema.parse(JSON.parse(body));
  const settings = withFields(written, fields);
  const inputs = toolInputs.values();
  const entries = listSchema.parse(given).filter((entry) => !emptySchema.safeParse(entry).success);
  const added = entries.map((entry) => JSON.stringify(withInputs(entry, inputs)));
  const list = [...(sentBefore === "" ? [] : [sentBefore]), ...added].join(",");
  const head = JSON.stringify(tools === undefined ? settings : { ...settings, tools });
  return { text: `${head === "{}" ? "{" : `${head.slice(0, -1)},`}"${growingList}":[${list}]}`, list };
}

/**
 * The packages write arguments in their own way (two encode what is no JSON as a JSON string, one puts `{}`). Text that is no
 * JSON object becomes `{}`: endpoints that parse it would refuse the conversation from then on. The result tells what was wrong.
 */
function withInputs(entry: unknown, inputs: Iterator<string>): unknown {
  const called = callEntrySchema.safeParse(entry);
  if (called.success) return { ...called.data, arguments: sent(inputs.next().value, called.data.arguments) };
  const calling = callingSchema.safeParse(entry);
  if (!calling.success) return entry;
  const calls = calling.data.tool_calls.map((call) => {
    const written = sent(inputs.next().value, call.function.arguments);
    return { ...call, function: { ...call.function, arguments: written } };
  });
  return { ...calling.data, tool_calls: calls };
}

function sent(input: string | undefined, written: string): string {
  if (input === undefined) return written;
  return jsonObject(input) === undefined ? "{}" : input;
}
