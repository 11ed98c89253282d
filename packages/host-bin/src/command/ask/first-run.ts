import { shortId } from "../output/short-id.ts";
import { routes } from "@incipit/transport-contract";
import { vendorOf, type KnownProvider, type OfferedVendor } from "../../config/known-providers.ts";
import type { TalkArguments } from "./talk-arguments.ts";
import type { Connection } from "../registry/host-access.ts";
import type { Output } from "../output/output.ts";

export async function printFirstRunNote(
  id: string,
  { client, offered }: Pick<Connection, "client" | "offered">,
  { errLine }: Pick<Output, "errLine">,
): Promise<void> {
  const { conversation } = await client.call(routes.getConversation, { params: { id } });
  if (conversation.model === "offline/echo")
    errLine(`(${firstRunText(offered, (model) => `incipit -m ${model} "…"`)})`);
}

export function firstRunNote(
  { isUnconfigured, offered }: Pick<Connection, "isUnconfigured" | "offered">,
  { conversation, isContinued, profile }: Pick<TalkArguments, "conversation" | "isContinued" | "profile">,
): string | undefined {
  if (!isUnconfigured || conversation !== undefined || isContinued || profile !== undefined) return undefined;
  return firstRunText(offered, (model) => `/model ${model}`);
}

/** Never selects a paid model automatically. */
function firstRunText(offered: readonly OfferedVendor[], asking: (model: string) => string): string {
  const answers = "offline/echo answers: it only repeats what it was told.";
  const [first, ...others] = offered;
  if (first === undefined) return `${answers} "incipit setup" chooses a real model`;
  const example = asking(exampleOf(first.vendor));
  if (others.length === 0)
    return `${answers} ${first.variable} is set: ${example} asks ${first.vendor.title}, and "incipit setup" makes that the default`;
  const names = offered.map(({ vendor }) => vendor.name).join(", ");
  return `${answers} Keys are set for ${names}: name a model, as in ${example}, or choose one with "incipit setup"`;
}

function exampleOf({ name, model = "MODEL" }: KnownProvider): string {
  return `${name}/${model}`;
}

export function continueHint(
  id: string,
  args: Pick<TalkArguments, "model">,
  { errWidth, hasQuestion = false }: Pick<Output, "errWidth"> & { readonly hasQuestion?: boolean },
): string {
  const line = (name: string): string =>
    `Go on with: incipit ${continueCommand(name, args)}${hasQuestion ? ' "…"' : ""}`;
  const whole = line(id);
  return Bun.stringWidth(whole) <= errWidth ? whole : line(shortId(id));
}

/** A local server is probed only when its model is named explicitly. */
function continueCommand(id: string, { model }: Pick<TalkArguments, "model">): string {
  const isLocal = model !== undefined && vendorOf(model)?.start !== undefined;
  return isLocal ? `-m ${model} -s ${id}` : `-s ${id}`;
}
