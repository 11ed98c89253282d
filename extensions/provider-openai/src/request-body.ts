import * as z from "zod";

const bodySchema = z.looseObject({ messages: z.array(z.unknown()), tools: z.unknown().optional() });
const callSchema = z.looseObject({ function: z.looseObject({ arguments: z.string() }) });
const callingSchema = z.looseObject({ tool_calls: z.array(callSchema) });

export interface RequestBodyOptions {
  /** JSON text of the messages that come before those of the body, without brackets; `""`: none. */
  readonly sentBefore: string;
  /** Arguments of all tool calls in the body's messages, in order, as the model wrote them. */
  readonly toolInputs: readonly string[];
}

export interface RequestBody {
  readonly text: string;
  /** JSON text of all messages, without brackets. */
  readonly messages: string;
}

/**
 * Writes a package's body so that what stays the same comes first and the messages last: a request without its closing
 * `]}` is then a byte prefix of the next one of its conversation. Vendors key their caches on tools, system and messages in
 * that order.
 *
 * @throws when the body is no JSON object with a list of messages.
 */
export function requestBody(body: string, { sentBefore, toolInputs }: RequestBodyOptions): RequestBody {
  const { messages: added, tools, ...settings } = bodySchema.parse(JSON.parse(body));
  const inputs = toolInputs.values();
  const addedText = added.map((message) => JSON.stringify(withInputs(message, inputs))).join(",");
  const messages = sentBefore === "" || addedText === "" ? sentBefore + addedText : `${sentBefore},${addedText}`;
  const head = JSON.stringify(tools === undefined ? settings : { ...settings, tools });
  return { text: `${head.slice(0, -1)},"messages":[${messages}]}`, messages };
}

/**
 * The packages write arguments in their own way (two encode what is no JSON as a JSON string, one puts `{}`). Text that is no
 * JSON object becomes `{}`: endpoints that parse it would refuse the conversation from then on. The result tells what was wrong.
 */
function withInputs(message: unknown, inputs: Iterator<string>): unknown {
  const calling = callingSchema.safeParse(message);
  if (!calling.success) return message;
  const calls = calling.data.tool_calls.map((call) => {
    const { value: input } = inputs.next();
    if (input === undefined) return call;
    return { ...call, function: { ...call.function, arguments: isJsonObject(input) ? input : "{}" } };
  });
  return { ...calling.data, tool_calls: calls };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
