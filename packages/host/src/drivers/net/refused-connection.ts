import { errorCode } from "../../failures/error-code.ts";
import type { Endpoint } from "./endpoint.ts";

/** The runtime's message has neither address nor reason. */
export function withPlace(error: unknown, { host, port }: Endpoint): unknown {
  const code = errorCode(error);
  if (code !== "ECONNREFUSED") return error;
  return Object.assign(new Error(`nothing answers at "${host}:${port}" (${code})`, { cause: error }), { code });
}
