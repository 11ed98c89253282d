import { requestError } from "./request-error.ts";

/** What a method gives, its failures as errors of the protocol. @throws {RequestError} */
export async function told<Result>(
  work: Promise<Result> | (() => Promise<Result>),
  about: { readonly sessionId?: string } = {},
): Promise<Result> {
  try {
    return await (typeof work === "function" ? work() : work);
  } catch (error) {
    throw requestError(error, about);
  }
}
