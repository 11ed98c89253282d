import { errorMessage } from "@incipit/kernel";

/** The message follows the server's name: `ended (exit code 1)`. */
export class ServerFailure extends Error {
  override readonly name: string = "ServerFailure";
}

/** The server has not processed the request, which can be repeated in a new session. */
export class SessionForgotten extends ServerFailure {
  override readonly name = "SessionForgotten";
}

/** The server states that the resource does not exist. */
export class MissingResource extends Error {
  override readonly name = "MissingResource";
}

const maxLength = 500;

/** Follows the server's name. */
export function failureText(error: unknown): string {
  const text = errorMessage(error).replaceAll(/\s+/g, " ").trim();
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return error instanceof ServerFailure ? shown : `failed: ${shown}`;
}
