import { shortId } from "../output/short-id.ts";
import { routes } from "@incipit/transport-contract";
import { vendorOf, type KnownVendor, type OfferedVendor } from "../../config/known-vendors.ts";
import type { Arguments } from "../arguments/arguments.ts";
import type { Connection } from "../host/connection.ts";
import type { Output } from "../output/output.ts";

/** A line about the model, for somebody who has chosen none; nothing where the host that runs was given one. */
export async function tellFirstRun(
  id: string,
  { client, offered }: Pick<Connection, "client" | "offered">,
  { errLine }: Pick<Output, "errLine">,
): Promise<void> {
  const { conversation } = await client.call(routes.getConversation, { params: { id } });
  if (conversation.model === "offline/echo")
    errLine(`(${firstRunWords(offered, (model) => `incipit -m ${model} "…"`)})`);
}

/** The same for the terminal, which begins a conversation with the first message; `undefined`: they have chosen one. */
export function firstRunNote(
  { isUnconfigured, offered }: Pick<Connection, "isUnconfigured" | "offered">,
  { conversation, isContinued, profile }: Pick<Arguments, "conversation" | "isContinued" | "profile">,
): string | undefined {
  if (!isUnconfigured || conversation !== undefined || isContinued || profile !== undefined) return undefined;
  return firstRunWords(offered, (model) => `/model ${model}`);
}

/** Which one answers, and how to have another. A paid one is never chosen for somebody. */
function firstRunWords(offered: readonly OfferedVendor[], asking: (model: string) => string): string {
  const answers = "offline/echo answers: it only repeats what it was told.";
  const [first, ...others] = offered;
  if (first === undefined) return `${answers} "incipit setup" chooses a real model`;
  const example = asking(exampleOf(first.vendor));
  if (others.length === 0)
    return `${answers} ${first.variable} is set: ${example} asks ${first.vendor.title}, and "incipit setup" makes that the default`;
  const names = offered.map(({ vendor }) => vendor.name).join(", ");
  return `${answers} Keys are set for ${names}: name a model, as in ${example}, or choose one with "incipit setup"`;
}

/** A model to begin with. */
function exampleOf({ name, model = "MODEL" }: KnownVendor): string {
  return `${name}/${model}`;
}

/** How to go on with a conversation, in a line that a narrow terminal does not cut in two. */
export function goOnLine(
  id: string,
  args: Pick<Arguments, "model">,
  { errWidth, hasQuestion = false }: Pick<Output, "errWidth"> & { readonly hasQuestion?: boolean },
): string {
  const line = (name: string): string => `Go on with: incipit ${goOnWith(name, args)}${hasQuestion ? ' "…"' : ""}`;
  const whole = line(id);
  return Bun.stringWidth(whole) <= errWidth ? whole : line(shortId(id));
}

/** A program of this machine is asked only when it is named. */
function goOnWith(id: string, { model }: Pick<Arguments, "model">): string {
  const isLocal = model !== undefined && vendorOf(model)?.start !== undefined;
  return isLocal ? `-m ${model} -s ${id}` : `-s ${id}`;
}
