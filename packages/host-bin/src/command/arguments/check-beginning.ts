import { UsageError } from "./arguments.ts";

/**
 * For what is named by its beginning: everything begins with nothing, such as with a variable of a script that is not set.
 * @param options.names What is to be named, with its article.
 * @param options.toSee The command that lists what there is.
 * @throws {UsageError}
 */
export function checkBeginning(
  text: string,
  { names, toSee }: { readonly names: string; readonly toSee: string },
): void {
  if (text.trim() !== "") return;
  throw new UsageError(
    `${JSON.stringify(text)} names nothing: write the beginning of ${names}; to see them: ${toSee}`,
  );
}
