export { errorMessage } from "@incipit/kernel";

/** Returns the `code` of a system error, such as `ENOENT`, or `undefined`. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
