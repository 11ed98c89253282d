import { callIdSchema, type CallId } from "@incipit/schema";

const prefixes = { message: "msg", function_call: "fc", reasoning: "rs" } as const;

const responsePrefix = "resp_";

export function responseIdOf(callId: CallId): string {
  return `${responsePrefix}${callId}`;
}

export function itemIdOf(responseId: string, type: keyof typeof prefixes, index: number): string {
  return `${prefixes[type]}_${responseId.slice(responsePrefix.length)}_${index}`;
}

export function callIdIn(id: string): CallId | undefined {
  const [, callId] = /^(?:resp|msg|fc|rs)_([0-9a-f-]{36})(?:_\d{1,5})?$/.exec(id) ?? [];
  return callIdSchema.safeParse(callId).data;
}
