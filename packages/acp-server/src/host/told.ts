import { requestError } from "./request-error.ts";

/** @throws {RequestError} */
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
