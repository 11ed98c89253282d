import type { Said } from "./update-schema.ts";

const others = [
  "story",
  "paid_media",
  "game",
  "invoice",
  "giveaway",
  "gift",
  "unique_gift",
  "rich_message",
  "live_photo",
];

export function otherContent(said: Said): string {
  const { venue, location, contact, poll, dice, checklist } = said;
  if (venue !== undefined) return line("Place", venue.title, venue.address, pointOf(venue.location));
  if (location !== undefined) return line("Location", pointOf(location));
  if (contact !== undefined)
    return line("Contact", `${contact.first_name ?? ""} ${contact.last_name ?? ""}`, contact.phone_number);
  if (poll !== undefined) return line("Poll", poll.question, ...poll.options.map(({ text }) => text));
  if (checklist !== undefined)
    return line("Checklist", checklist.title, ...checklist.tasks.map(({ text }) => text));
  if (dice !== undefined)
    return line("Dice", dice.emoji, dice.value === undefined ? undefined : String(dice.value));
  const kind = others.find((name) => said[name] !== undefined && said[name] !== null);
  return kind === undefined ? "" : `[${kind.replaceAll("_", " ")}: its content cannot be read here]`;
}

function line(kind: string, ...parts: readonly (string | undefined)[]): string {
  const said = parts.flatMap((part) => (part === undefined || part.trim() === "" ? [] : [part.trim()]));
  return `[${[kind, ...(said.length === 0 ? [] : [said.join("; ")])].join(": ")}]`;
}

function pointOf(point: Said["location"]): string | undefined {
  return point === undefined ? undefined : `${point.latitude}, ${point.longitude}`;
}
