import * as z from "zod";

const bodySchema = z.looseObject({ messages: z.array(z.unknown()), tools: z.unknown().optional() });

/**
 * Puts what stays the same first and the messages last, so that a request without its closing `]}` is a byte prefix of the
 * next one of its conversation. Vendors key their caches on tools, system and messages in that order.
 */
export function orderedBody(body: string): string {
  const parsed = bodySchema.safeParse(JSON.parse(body));
  if (!parsed.success) return body;
  const { messages, tools, ...settings } = parsed.data;
  return JSON.stringify({ ...settings, ...(tools === undefined ? {} : { tools }), messages });
}

const calledSchema = z.looseObject({ function: z.looseObject({ arguments: z.string() }) });
const callingSchema = z.looseObject({ tool_calls: z.array(calledSchema) });

/** Undoes the second JSON encoding that DeepSeek's package gives to arguments that are text already. */
export function unwrappedArguments(body: string): string {
  const parsed = bodySchema.safeParse(JSON.parse(body));
  if (!parsed.success) return body;
  const messages = parsed.data.messages.map((message) => {
    const calling = callingSchema.safeParse(message);
    if (!calling.success) return message;
    const calls = calling.data.tool_calls.map((call) => {
      const text: unknown = JSON.parse(call.function.arguments);
      return typeof text === "string" ? { ...call, function: { ...call.function, arguments: text } } : call;
    });
    return { ...calling.data, tool_calls: calls };
  });
  return JSON.stringify({ ...parsed.data, messages });
}
