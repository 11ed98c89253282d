import { tokenOf } from "@incipit/host/data-folder";
import type { Call } from "../registry/command.ts";

export async function ownToken({ args, output, host }: Call): Promise<number> {
  const token = tokenOf((await host.load()).dataFolder);
  output.outLine(args.isJson ? JSON.stringify({ token }) : token);
  return 0;
}
