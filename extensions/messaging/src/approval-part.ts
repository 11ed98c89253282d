import type { ChannelButton } from "@incipit/service-contract";
import type { StoredAsk } from "./stored.ts";

export const over = "This question has closed: it was answered elsewhere, or timed out.";
export const inOtherPlaces = "You can allow it on the page, in the terminal, or with incipit approve.";
const partMissing = `Part of this question could not be sent, so you can only deny it here. ${inOtherPlaces}`;

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
