import { errorMessage } from "@incipit/kernel";

/** A server's failure; the message follows its name: `ended (exit code 1)`. */
export class ServerFailure extends Error {
  override readonly name: string = "ServerFailure";
}

/** The server has forgotten the session without processing the request, which can be repeated in a new one. */
export class SessionForgotten extends ServerFailure {
  override readonly name = "SessionForgotten";
}

/** The server states that the resource does not exist. */
export class MissingResource extends Error {
  override readonly name = "MissingResource";
}

/** Longest foreign text within our messages. */
const maxLength = 500;

/** The failure as a phrase that follows the server's name. */
export function failureText(error: unknown): string {
  const text = errorMessage(error).replaceAll(/\s+/g, " ").trim();
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return error instanceof ServerFailure ? shown : `failed: ${shown}`;
}
