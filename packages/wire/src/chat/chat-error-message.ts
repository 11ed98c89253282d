import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { secureJson } from "../json/secure-json.ts";

const bodySchema = lazySchema(() =>
  z.object({
    error: z.object({
      message: z.string(),
      type: z.string().nullish(),
      code: z.union([z.string(), z.number()]).nullish(),
    }),
  }),
);

/** What an answer says of an error in the protocol's shape; `undefined`: it has another. */
export function chatErrorMessage(body: string): string | undefined {
  try {
    return bodySchema.safeParse(secureJson(body)).data?.error.message;
  } catch {
    return undefined;
  }
}
