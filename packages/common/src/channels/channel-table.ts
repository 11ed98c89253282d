import { proxyKey, urlKey, variableKey } from "@incipit/kernel";
import { allowedToolsSchema, clientNameSchema } from "@incipit/schema";
import { isAbsolute } from "node:path";
import * as z from "zod";

const rootRule = 'must be an http or https URL without a name and a password, such as "http://127.0.0.1:8081"';
const cwdRule = "must be an absolute path";

type IdKey = z.ZodType<string, string | number>;

/** For a channel or one of its chats. */
function chatKeys(person: IdKey) {
  return {
    /** Defaults to everyone with access. */
    approvers: z.array(person).exactOptional(),
    /** Default to the host's. */
    model: clientNameSchema.exactOptional(),
    profile: clientNameSchema.exactOptional(),
    cwd: z.string().refine(isAbsolute, cwdRule).exactOptional(),
    /** Allowed tools; absent: all. */
    tools: allowedToolsSchema.exactOptional(),
  };
}

/** `[channels.NAME]` */
export function channelTable({
  tokenVariable,
  person,
  group,
  chat,
}: {
  readonly tokenVariable: string;
  readonly person: IdKey;
  readonly group: IdKey;
  /** In `[channels.NAME.chats.ID]`. */
  readonly chat: z.ZodType<string, string>;
}) {
  return z
    .strictObject({
      enabled: z.boolean().default(false),
      token_env: variableKey().default(tokenVariable),
      api_root: urlKey(rootRule).exactOptional(),
      proxy: proxyKey().exactOptional(),
      people: z.array(person).default([]),
      groups: z.array(group).default([]),
      ...chatKeys(person),
      chats: z.record(chat, z.strictObject(chatKeys(person))).prefault({}),
    })
    .prefault({});
}

type ChannelTable = z.output<ReturnType<typeof channelTable>>;

interface ChannelService {
  readonly id: string;
  readonly name: string;
  readonly publicRoot: string;
  /** Further addresses of the public service. */
  readonly otherHosts?: readonly string[];
}

export function channelNeeds(table: ChannelTable, { id, publicRoot, otherHosts = [] }: ChannelService) {
  const { enabled, api_root: root, token_env: name, proxy } = table;
  if (!enabled) return { endpoints: [], variables: [] };
  const path = ["channels", id];
  const own = { path, url: root ?? publicRoot, isOperators: root !== undefined, proxy };
  const others = root === undefined ? otherHosts : [];
  return {
    endpoints: [
      { ...own, variables: [{ name, holds: "key" as const }] },
      ...others.map((url) => ({ path, url, isOperators: false, proxy, variables: [] })),
    ],
  };
}

export function channelWishes(
  { enabled, api_root: root, token_env: variable }: ChannelTable,
  { id, name, publicRoot }: ChannelService,
  {
    quote,
    sending,
  }: { readonly quote: (text: string) => string; readonly sending: (variables: readonly string[]) => string },
) {
  if (!enabled) return [];
  const sentence = `lets ${name} users talk to models of this host, over ${quote(root ?? publicRoot)}${sending([variable])}`;
  return [{ path: ["channels", id], sentence, tells: ["enabled", "api_root", "token_env"] }];
}

export function channelSettings({ people, groups, approvers, model, profile, cwd, tools, chats }: ChannelTable) {
  return { people, groups, approvers, model, profile, cwd, tools, chats: new Map(Object.entries(chats)) };
}
