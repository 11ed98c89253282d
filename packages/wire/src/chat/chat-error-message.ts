import { secureJson } from "../json/secure-json.ts";
import { chatErrorSchema } from "./chunk-schemas.ts";

/** What an answer says of an error in the protocol's shape; `undefined`: it has another. */
export function chatErrorMessage(body: string): string | undefined {
  try {
    return chatErrorSchema.safeParse(secureJson(body)).data?.error.message;
  } catch {
    return undefined;
  }
}
