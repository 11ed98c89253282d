import { defineExtension, type Extension } from "@incipit/kernel";
import { accessTokenSchema, tokenIdSchema, tokenScopeSchema, type AccessToken } from "@incipit/schema";
import { accessTokensHandle, ServiceError, type AccessTokens } from "@incipit/service-contract";
import { pageKeyHeader, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { startApi } from "../testing/start-api.ts";

/** Tokens can be created, but not revoked permanently. */
function fullDisk(revoked: string[]): Extension {
  const made = new Map<string, AccessToken>();
  const tokens: AccessTokens = {
    async find(secret) {
      const token = made.get(secret);
      if (token === undefined) return { kind: "unknown" };
      return { kind: "active", token, over: new AbortController().signal };
    },
    list: async () => [...made.values()],
    async create() {
      const token = accessTokenSchema.parse({
        id: tokenIdSchema.parse(Bun.randomUUIDv7()),
        kind: "browser",
        name: "Firefox on Linux",
        scopes: tokenScopeSchema.options,
        state: "active",
        createdAt: "2026-01-01T00:00:00.000Z",
        createdBy: null,
        endsAt: "2027-01-01T00:00:00.000Z",
        revokedAt: null,
        lastUsedAt: null,
      });
      const secret = `incipit_browser_${String(made.size).padStart(43, "0")}`;
      made.set(secret, token);
      return { token, secret };
    },
    async revoke(id) {
      revoked.push(id);
      throw new ServiceError("STORAGE_FAILED", "The token is revoked until the host ends");
    },
  };
  return defineExtension(
    { id: "acme.tokens", version: "1.0.0", api: "^1", provides: ["access-tokens@1"] },
    (host) => host.provideService(accessTokensHandle, tokens),
  );
}

test("signIn succeeds with a new link even if the old session cannot be revoked", async () => {
  const revoked: string[] = [];
  await using api = await startApi({ extensions: [fullDisk(revoked)] });
  const signIn = async (headers: Readonly<Record<string, string>>): Promise<Response> => {
    const { url } = await api.client.call(routes.createSignInLink);
    const body = JSON.stringify({ code: new URL(url).hash.replace("#code=", "") });
    return fetch(`${api.url}/session`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
    });
  };
  const cookieOf = (response: Response): string => response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const first = await signIn({});
  const cookie = cookieOf(first);
  const { key } = routes.signIn.response.parse(await first.json());

  const second = await signIn({ cookie, [pageKeyHeader]: key });

  expect(second.status).toBe(200);
  expect(cookieOf(second)).toMatch(/=incipit_browser_0{42}1$/);
  expect(revoked).toHaveLength(1);
  expect(api.logged.map(({ message }) => message)).toContain(
    "The sign-in that a browser had before could not be ended",
  );
});
