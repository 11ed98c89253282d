import { jsonObject } from "../requests/json-object.ts";
import { withFields, type JsonObject } from "@incipit/schema";
import * as z from "zod";
import type { Vendor } from "./vendor.ts";

const bodySchema = z.looseObject({ tools: z.unknown().optional() });
const listSchema = z.array(z.unknown());
/** Vendors reject empty messages. */
const emptySchema = z.union([
  z.object({ content: z.array(z.unknown()).length(0) }),
  z.object({ parts: z.array(z.unknown()).length(0) }),
  // A reply without content to send back, such as only reasoning.
  z.object({
    role: z.literal("assistant"),
    content: z.string().regex(/^\s*$/).nullish(),
    tool_calls: z.undefined().optional(),
    reasoning_content: z.literal("").nullish(),
  }),
]);
const callSchema = z.looseObject({ function: z.looseObject({ arguments: z.string() }) });
const callingSchema = z.looseObject({ tool_calls: z.array(callSchema) });
/** Responses: a call is a separate entry. */
const callEntrySchema = z.looseObject({ type: z.literal("function_call"), arguments: z.string() });

const closing = "]}";

export interface RequestBodyOptions {
  readonly growingList: Vendor["growingList"];
  readonly fields?: JsonObject;
  /** JSON of preceding entries, without brackets. */
  readonly sentBefore: string;
  /** Original arguments in order; empty to keep the body's. */
  readonly toolInputs: readonly string[];
}

export interface RequestBody {
  readonly text: string;
  /** JSON of all entries of the growing list, without brackets. */
  readonly list: string;
}

/**
 * Constant parts come first and the growing list last, so that a request without its closing `]}` is a byte prefix of
 * the conversation's next one. Vendors key their caches on tools, system and messages in that order.
 * @throws if the body is not a JSON object with that list.
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
  const settingsText = JSON.stringify(tools === undefined ? settings : { ...settings, tools });
  const head = `${settingsText === "{}" ? "{" : `${settingsText.slice(0, -1)},`}"${growingList}":[`;
  const list = [...(sentBefore === "" ? [] : [sentBefore]), ...added].join(",");
  const text = [head, list, closing].join("");
  // A slice shares the memory of the text, which the record of the request keeps anyway.
  return { text, list: text.slice(head.length, -closing.length) };
}

/**
 * Packages reformat arguments (two encode invalid JSON as a JSON string, one sends `{}`). Anything but a JSON object
 * becomes `{}`, because endpoints that parse it would reject the conversation from then on; the result contains the
 * error.
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
