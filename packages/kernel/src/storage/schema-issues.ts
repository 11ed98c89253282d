import type { SchemaIssue } from "../contract/storage.ts";

/** Formats issues, such as `providers.local.url: Invalid URL`. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ message, path = [] }) => {
      const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
      return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
    })
    .join("; ");
}
