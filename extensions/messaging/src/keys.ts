/** Zero-padded, so that keys sort numerically. */
const numberDigits = 12;
const timeDigits = 15;

export const keys = {
  channels: "channel/",
  channel: (channel: string): string => `channel/${part(channel)}`,
  chat: (channel: string, chat: string): string => `chat/${part(channel)}/${part(chat)}`,
  notesIn: (channel: string, chat: string): string => `note/${part(channel)}/${part(chat)}/`,
  note: (channel: string, chat: string, number: string): string => `note/${part(channel)}/${part(chat)}/${number}`,
  seen: (channel: string, update: string): string => `seen/${part(channel)}/${part(update)}`,
  seenByTime: (channel: string): string => `seen-by-time/${part(channel)}/`,
  seenAt: (channel: string, update: string, atMs: number): string =>
    `seen-by-time/${part(channel)}/${digits(atMs, timeDigits)}/${part(update)}`,
  allOwed: (channel: string): string => `owed/${part(channel)}/`,
  owedIn: (channel: string, chat: string): string => `owed/${part(channel)}/${part(chat)}/`,
  owed: (channel: string, chat: string, number: string): string => `owed/${part(channel)}/${part(chat)}/${number}`,
  messages: (channel: string): string => `message/${part(channel)}/`,
  message: (channel: string, id: string): string => `message/${part(channel)}/${id}`,
  allPending: (channel: string): string => `pending/${part(channel)}/`,
  pendingIn: (channel: string, chat: string): string => `pending/${part(channel)}/${part(chat)}/`,
  pending: (channel: string, chat: string, id: string): string => `pending/${part(channel)}/${part(chat)}/${id}`,
  allUnknown: (channel: string): string => `unknown/${part(channel)}/`,
  unknown: (channel: string, id: string): string => `unknown/${part(channel)}/${id}`,
  allFailed: (channel: string): string => `failed/${part(channel)}/`,
  failed: (channel: string, id: string): string => `failed/${part(channel)}/${id}`,
  asksIn: (channel: string, chat: string): string => `ask/${part(channel)}/${part(chat)}/`,
  ask: (channel: string, chat: string, approval: string): string =>
    `ask/${part(channel)}/${part(chat)}/${part(approval)}`,
  people: (channel: string): string => `person/${part(channel)}/`,
  person: (channel: string, person: string): string => `person/${part(channel)}/${part(person)}`,
  moves: (channel: string): string => `moved/${part(channel)}/`,
  moved: (channel: string, chat: string): string => `moved/${part(channel)}/${part(chat)}`,
  pairing: (channel: string): string => `pairing/${part(channel)}`,
  allTold: (channel: string): string => `told/${part(channel)}/`,
  told: (channel: string, whom: string): string => `told/${part(channel)}/${part(whom)}`,
  last: (key: string): string => decodeURIComponent(key.slice(key.lastIndexOf("/") + 1)),
  chatOf: (key: string): string => decodeURIComponent(key.split("/").at(-2) ?? ""),
  end: (prefix: string): string => `${prefix}~`,
};

export function numberText(number: number): string {
  return digits(number, numberDigits);
}

function digits(number: number, count: number): string {
  return String(number).padStart(count, "0");
}

function part(id: string): string {
  return encodeURIComponent(id.toWellFormed()).replaceAll("~", "%7E");
}
