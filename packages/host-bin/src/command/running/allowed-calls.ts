import { clippedLine } from "@incipit/schema/text";
import { describeRequester, type AllowedCalls } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { UsageError } from "../arguments/arguments.ts";
import { checkBeginning } from "../arguments/check-beginning.ts";
import type { RunningOptions } from "./running.ts";

export async function allowedCalls(
  { client, id, args, output }: RunningOptions,
  taken: { readonly named: string | undefined } | undefined,
): Promise<number> {
  const { allowed } = await client.call(routes.listAllowed, { params: { id } });
  if (taken === undefined) {
    for (const one of allowed) output.outLine(args.isJson ? JSON.stringify(one) : `${one.id}  ${grantsText(one)}`);
    if (allowed.length === 0 && !args.isJson) output.errLine(`Nothing is allowed for good in ${id}`);
    return 0;
  }
  const one = chosen(allowed, { named: taken.named, id });
  const left = await client.call(routes.takeBackAllowed, { params: { id, approvalId: one.id } });
  if (args.isJson) output.outLine(JSON.stringify(left));
  else output.outLine(`From now on you are asked again about: ${grantsText(one)}`);
  return 0;
}

function chosen(
  allowed: readonly AllowedCalls[],
  { named, id: conversation }: { readonly named: string | undefined; readonly id: string },
): AllowedCalls {
  if (named !== undefined)
    checkBeginning(named, {
      names: "the id of what was allowed",
      toSee: `incipit approve ${conversation} list`,
    });
  const [one, other] = allowed.filter(({ id }) => named !== undefined && id.startsWith(named));
  if (one !== undefined && other === undefined) return one;
  if (allowed.length === 0) throw new UsageError("Nothing is allowed for good there");
  const lines = allowed.map((known) => `\n  ${known.id}  ${grantsText(known)}`).join("");
  throw new UsageError(`Which one? Write: incipit approve ${conversation} take-back ALLOWED${lines}`);
}

function grantsText({ grants, asker }: AllowedCalls): string {
  return clippedLine(`${describeRequester(asker)}: ${grants.join(", ")}`, { maxCharacters: 300 });
}
