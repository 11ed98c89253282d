import type { JsonValue } from "@incipit/kernel";
import type { JsonObject } from "@incipit/schema";
import { routes, type ChatCompletionRequest } from "@incipit/transport-contract";
import * as z from "zod";
import { invalidField } from "../calls/invalid-field.ts";

const fieldSchema = z.json();

/** Includes `logit_bias`, which not every vendor supports; ignores `null` values. */
export function toVendorFields(request: ChatCompletionRequest): JsonObject | undefined {
  const { logit_bias: bias } = request;
  const fields = otherFields(request, routes.createChatCompletion.body.shape);
  const biased = bias && Object.keys(bias).length > 0 ? [["logit_bias", bias] as const] : [];
  if (fields.length + biased.length === 0) return undefined;
  return Object.fromEntries([...fields, ...biased].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Ignores `null` values.
 * @throws {ServiceError} `INVALID_REQUEST` for an invalid field name.
 */
export function otherFields(request: object, shape: object): readonly (readonly [string, JsonValue])[] {
  const others = Object.entries(request).filter(([name, value]) => !Object.hasOwn(shape, name) && value !== null);
  return others.map(([name, value]) => {
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name))
      throw invalidField(name.slice(0, 100), "is not the name of a field");
    return [name, fieldSchema.parse(value)];
  });
}
