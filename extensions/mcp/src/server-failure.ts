import { errorMessage } from "@incipit/kernel";

/** What a server did, to be read behind its name: `ended (exit code 1)`. */
export class ServerFailure extends Error {
  override readonly name: string = "ServerFailure";
}

/** The server has forgotten the session; it has not looked at the request, which can be made in a new one. */
export class SessionForgotten extends ServerFailure {
  override readonly name = "SessionForgotten";
}

/** The server's own word that it has no such resource. */
export class MissingResource extends Error {
  override readonly name = "MissingResource";
}

/** Longest text of others in a message of ours. */
const maxLength = 500;

/** The failure as what is read behind the server's name. */
export function failureText(error: unknown): string {
  const text = errorMessage(error).replaceAll(/\s+/g, " ").trim();
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return error instanceof ServerFailure ? shown : `failed: ${shown}`;
}
