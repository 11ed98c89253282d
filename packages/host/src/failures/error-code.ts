export { errorMessage } from "@incipit/kernel";

/** `code` of a system error, such as `ENOENT`; `undefined` when it has none. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
