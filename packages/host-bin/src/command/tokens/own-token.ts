import { tokenOf } from "@incipit/host/data-folder";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";

export function ownToken(
  { dataFolder, args }: { readonly dataFolder: string; readonly args: Arguments },
  { outLine }: Output,
): number {
  refuseOptionsOfNew(args);
  const token = tokenOf(dataFolder);
  outLine(args.isJson ? JSON.stringify({ token }) : token);
  return 0;
}

export function refuseOptionsOfNew({ scope, days, name }: Arguments): void {
  if ((scope ?? days ?? name) !== undefined)
    throw new UsageError('"--scope", "--days" and "--name" are for "incipit token new"');
}
