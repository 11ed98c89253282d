import type { AccessTokens } from "@incipit/service-contract";
import type { TokenStore, TokenStoreOptions } from "./token-store.ts";

/** Loads the store on first use, because most hosts have no tokens. */
export function accessTokens(options: TokenStoreOptions): AccessTokens & Disposable {
  let opened: TokenStore | undefined;
  const store = async (): Promise<TokenStore> => {
    const { TokenStore } = await import("./token-store.ts");
    return (opened ??= new TokenStore(options));
  };
  return {
    find: async (secret) => (await store()).find(secret),
    list: async () => (await store()).list(),
    create: async (request, options) => (await store()).create(request, options),
    revoke: async (id) => (await store()).revoke(id),
    [Symbol.dispose]: () => opened?.[Symbol.dispose](),
  };
}
