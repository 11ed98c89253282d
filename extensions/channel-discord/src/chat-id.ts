/**
 * Where a message goes. A private chat has the number of its person; a channel that of its server in front of its own, and a thread
 * that of its channel in between: as their links have them, so that a server or a channel is named for all below it.
 */
export type DiscordPlace =
  | { readonly kind: "private"; readonly userId: string }
  | { readonly kind: "channel"; readonly guildId: string; readonly channelId: string; readonly parentId?: string };

export function chatIdOf(place: DiscordPlace): string {
  if (place.kind === "private") return place.userId;
  const { guildId, channelId, parentId } = place;
  return [guildId, ...(parentId === undefined ? [] : [parentId]), channelId].join("/");
}

/** `undefined`: it is not a chat of Discord's. */
export function placeOf(id: string): DiscordPlace | undefined {
  if (!/^[1-9]\d{0,19}(?:\/[1-9]\d{0,19}){0,2}$/.test(id)) return undefined;
  const [first = "", second, third] = id.split("/");
  if (second === undefined) return { kind: "private", userId: first };
  if (third === undefined) return { kind: "channel", guildId: first, channelId: second };
  return { kind: "channel", guildId: first, channelId: third, parentId: second };
}
