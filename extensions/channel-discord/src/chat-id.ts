/**
 * As in Discord's links, a channel's id is prefixed with its server's, and a thread's also with its channel's, so
 * that settings of a server or channel apply to everything below. A private chat has its user's id.
 */
export type DiscordPlace =
  | { readonly kind: "private"; readonly userId: string }
  | { readonly kind: "channel"; readonly guildId: string; readonly channelId: string; readonly parentId?: string };

export function chatIdOf(place: DiscordPlace): string {
  if (place.kind === "private") return place.userId;
  const { guildId, channelId, parentId } = place;
  return [guildId, ...(parentId === undefined ? [] : [parentId]), channelId].join("/");
}

export function placeOf(id: string): DiscordPlace | undefined {
  if (!/^[1-9]\d{0,19}(?:\/[1-9]\d{0,19}){0,2}$/.test(id)) return undefined;
  const [first = "", second, third] = id.split("/");
  if (second === undefined) return { kind: "private", userId: first };
  if (third === undefined) return { kind: "channel", guildId: first, channelId: second };
  return { kind: "channel", guildId: first, channelId: third, parentId: second };
}
