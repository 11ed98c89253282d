import { UsageError } from "../registry/usage-error.ts";

/** Rejects an empty prefix, which would match everything; an unset variable of a script is a common cause. */
export function checkBeginning(
  text: string,
  { names, toSee }: { readonly names: string; readonly toSee: string },
): void {
  if (text.trim() !== "") return;
  throw new UsageError(
    `${JSON.stringify(text)} names nothing: write the beginning of ${names}; to see them: ${toSee}`,
  );
}
