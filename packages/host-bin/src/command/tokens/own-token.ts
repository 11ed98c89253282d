import { tokenOf } from "@incipit/host/data-folder";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";

/** `incipit token`: the host's own, which is made where there is none. Needs no host that runs. */
export function ownToken(
  { dataFolder, args }: { readonly dataFolder: string; readonly args: Arguments },
  { outLine }: Output,
): number {
  refuseOptionsOfNew(args);
  const token = tokenOf(dataFolder);
  outLine(args.isJson ? JSON.stringify({ token }) : token);
  return 0;
}

/** @throws {UsageError} for what describes a token that is not to be made. */
export function refuseOptionsOfNew({ scope, days, name }: Arguments): void {
  if ((scope ?? days ?? name) !== undefined)
    throw new UsageError('"--scope", "--days" and "--name" are for "incipit token new"');
}
