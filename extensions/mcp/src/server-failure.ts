import { shorten } from "@incipit/common";
import { errorMessage } from "@incipit/kernel";

/** The message follows the server's name: `ended (exit code 1)`. */
export class ServerFailure extends Error {
  override readonly name: string = "ServerFailure";
}

/** The request can be repeated in a new session. */
export class SessionForgotten extends ServerFailure {
  override readonly name = "SessionForgotten";
}

/** The server fails every request of the session, as some servers do with an unknown one. */
export class SessionBroken extends ServerFailure {
  override readonly name = "SessionBroken";
}

export class MissingResource extends Error {
  override readonly name = "MissingResource";
}

const maxLength = 500;

export function failureText(error: unknown): string {
  const text = errorMessage(error).replaceAll(/\s+/g, " ").trim();
  const shown = shorten(text, maxLength);
  return error instanceof ServerFailure ? shown : `failed: ${shown}`;
}
