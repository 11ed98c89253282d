import type { ChannelButton } from "@incipit/service-contract";
import type { StoredAsk } from "./stored.ts";

export const over = "That is over: it was answered elsewhere, or has waited too long.";
export const inOtherPlaces = "On the page, in the terminal, or with incipit approve it can be allowed.";
const partMissing = `A part of this question could not be sent, so that it can only be denied here. ${inOtherPlaces}`;

interface Part {
  readonly text: string;
  readonly buttons: readonly ChannelButton[];
}

/**
 * Only "deny" is offered if an earlier part was not sent.
 * @param ask `undefined` when the request is settled.
 */
export function approvalPart({ text, buttons }: Part, ask: Pick<StoredAsk, "offers"> | undefined): Part {
  const offers: readonly string[] = ask?.offers ?? [];
  const offered = buttons.filter(({ id }) => offers.includes(id.slice(0, id.indexOf(":"))));
  if (offered.length === buttons.length) return { text, buttons };
  return { text: `${text}\n\n${ask === undefined ? over : partMissing}`, buttons: offered };
}
