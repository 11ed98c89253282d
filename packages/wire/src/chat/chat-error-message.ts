import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { hasNestedError, parseVendorError } from "../reply/parse-error.ts";
import { secureJson } from "../json/secure-json.ts";

const bodySchema = lazySchema(() =>
  z.object({
    error: z.looseObject({
      message: z.string(),
      type: z.string().nullish(),
      code: z.union([z.string(), z.number()]).nullish(),
    }),
  }),
);

/** Returns the message of an error in the protocol's format. */
export function chatErrorMessage(body: string): string | undefined {
  try {
    const error = bodySchema.safeParse(secureJson(body)).data?.error;
    return error !== undefined && hasNestedError(error) ? parseVendorError(error).message : error?.message;
  } catch {
    return undefined;
  }
}
