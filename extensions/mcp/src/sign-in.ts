import { errorMessage, type Clock, type Net, type Storage } from "@incipit/kernel";
import type { BegunSignIn } from "@incipit/service-contract";
import { OAuthError, type AuthProvider, type FetchLike, type OAuthTokens } from "@modelcontextprotocol/client";
import * as z from "zod";
import { AuthorizationServer, type SignInSettings } from "./authorization-server.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { challengeIn } from "./challenge.ts";
import { ServerFailure } from "./server-failure.ts";
import { mendedSignInAnswer, withoutSlash } from "./sign-in-answer.ts";
import { storedSignInSchema, type RegisteredClient, type StoredSignIn } from "./stored-sign-in.ts";

export interface SignInOptions {
  readonly name: string;
  readonly url: string;
  readonly settings: SignInSettings;
  readonly net: Net;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly readSecret: (variable: string) => string;
  readonly onSecret: (value: string) => void;
}

interface Login {
  readonly redirectUrl: string;
  readonly state: string;
  readonly expiresAtMs: number;
  readonly verifier: string;
  readonly client: RegisteredClient;
  readonly at: AuthorizationServer;
  readonly scope: string | undefined;
}

const loginMs = 10 * 60_000;
const refusals: ReadonlySet<string> = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);
const outages: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable", "too_many_requests"]);

/**
 * OAuth 2.1: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization. Credentials are stored for
 * this URL only: a server of the same name at another URL does not get them.
 */
export class SignIn implements AuthProvider {
  readonly #options: SignInOptions;
  #login: Login | undefined;
  #refreshing: Promise<void> | undefined;
  /** Number of sign-ins and sign-outs: what an older request returns is dropped. */
  #changes = 0;
  readonly #fetch: FetchLike;

  constructor(options: SignInOptions) {
    this.#options = options;
    const { url, settings, net, clock } = options;
    const named = settings.serverUrl === undefined ? [url] : [url, settings.serverUrl];
    this.#fetch = boundedFetch({ net, clock, origins: new Set(named.map((address) => new URL(address).origin)) });
  }

  async token(): Promise<string | undefined> {
    return (await this.#stored())?.tokens.access_token;
  }

  /** @throws {ServerFailure} when the user has to sign in. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    await (this.#refreshing ??= this.#refresh(response).finally(() => (this.#refreshing = undefined)));
  }

  /**
   * Ends a pending sign-in.
   * @throws {ServerFailure} and others.
   */
  async begin(redirectUrl: string): Promise<BegunSignIn> {
    const { url: serverUrl, clock } = this.#options;
    // A server names its authorization server when it denies access.
    const response = await this.#fetch(serverUrl, { headers: { accept: "text/event-stream" } });
    const challenge = challengeIn(response.headers, serverUrl);
    const at = await AuthorizationServer.find(challenge, this.#finding());
    const scope = at.scope(challenge);
    const client = this.#configuredClient() ?? (await at.register(redirectUrl, scope));
    const state = crypto.randomUUID();
    const { authorizationUrl: address, codeVerifier: verifier } = await at.begin({
      client,
      scope,
      redirectUrl,
      state,
    });
    const hasUser = address.username !== "" || address.password !== "";
    if (!["http:", "https:"].includes(address.protocol) || hasUser)
      throw new ServerFailure(
        hasUser
          ? "has a sign-in address that contains a user name, which can hide its target"
          : `has a sign-in address with the scheme "${address.protocol}": only http: and https: are opened`,
      );
    this.#login = { redirectUrl, state, expiresAtMs: clock.now() + loginMs, verifier, client, at, scope };
    return {
      authorizationUrl: address.href,
      foreignHost: address.host === new URL(serverUrl).host ? null : address.host,
    };
  }

  /**
   * Works once.
   * @throws {ServerFailure} and others.
   */
  async finish(address: URL): Promise<void> {
    const login = this.#login;
    const given = address.searchParams;
    if (login === undefined || login.expiresAtMs < this.#options.clock.now())
      throw new ServerFailure("waits for no sign-in: begin again");
    if (given.get("state") !== login.state)
      throw new ServerFailure("did not start this sign-in: start again, and use the newest address");
    this.#login = undefined;
    const error = given.get("error");
    if (error !== null) throw new ServerFailure(`denied the sign-in: ${given.get("error_description") ?? error}`);
    const code = given.get("code");
    if (code === null) throw new ServerFailure('gave no "code" in the address that it sent the browser to');
    const changes = this.#changes;
    const tokens = await login.at.exchange({ ...login, code, iss: given.get("iss") });
    if (changes !== this.#changes) throw new ServerFailure("was signed out during the sign-in: start again");
    this.#changes += 1;
    await this.#store(tokens, login);
  }

  /** Does not notify the server. */
  forget(): Promise<void> {
    this.#login = undefined;
    this.#changes += 1;
    return this.#options.storage.delete(this.#options.name);
  }

  async #refresh(response: Response): Promise<void> {
    const again = new ServerFailure(`wants you to sign in: incipit mcp login ${this.#options.name}`);
    const changes = this.#changes;
    const stored = await this.#stored();
    if (stored?.tokens.refresh_token === undefined) throw again;
    const { refresh_token: refreshToken, scope } = stored.tokens;
    const challenge = challengeIn(response.headers, this.#options.url);
    const at = await AuthorizationServer.find(challenge, this.#finding());
    const client = this.#configuredClient() ?? stored.client;
    // An authorization server's credentials are never sent to another.
    const isOthers = [stored.tokens, client].some(
      (given) => given?.issuer !== undefined && withoutSlash(given.issuer) !== at.issuer,
    );
    if (client === undefined || isOthers) throw again;
    let tokens: OAuthTokens;
    try {
      tokens = await at.refresh({ client, refreshToken, scope });
    } catch (cause) {
      if (cause instanceof OAuthError && refusals.has(cause.code)) {
        const { storage, name } = this.#options;
        if (changes === this.#changes) await storage.delete(name);
        throw again;
      }
      const isOutage = !(cause instanceof OAuthError) || outages.has(cause.code);
      const advice = isOutage
        ? "the sign-in is kept; try again later"
        : `sign in again: incipit mcp login ${this.#options.name}`;
      const failure = `could not renew your sign-in at ${at.issuer}: ${errorMessage(cause)}; ${advice}`;
      throw new ServerFailure(failure, { cause });
    }
    if (changes !== this.#changes) throw again;
    await this.#store(tokens, { client, at });
  }

  #finding(): Parameters<typeof AuthorizationServer.find>[1] {
    const { url, settings } = this.#options;
    const fetchFn: FetchLike = async (address, init = {}) => {
      const response = await this.#fetch(address, init);
      const { method = "GET", body } = init;
      const answer = { status: response.status, text: await response.text(), url: String(address) };
      const mended = mendedSignInAnswer(answer, { method, body, serverUrl: url });
      const location = response.headers.get("location");
      if (location !== null) mended.headers.set("location", location); // Followed within the origin.
      return mended;
    };
    return { url, settings, fetchFn };
  }

  #configuredClient(): RegisteredClient | undefined {
    const { settings, readSecret } = this.#options;
    const { clientId, clientSecretEnv } = settings;
    if (clientId === undefined) return undefined;
    return {
      client_id: clientId,
      ...(clientSecretEnv === undefined ? {} : { client_secret: readSecret(clientSecretEnv) }),
    };
  }

  async #stored(): Promise<StoredSignIn | undefined> {
    const { storage, name, url } = this.#options;
    const stored = await storage.get(name, storedSignInSchema);
    if (stored?.url !== url) return undefined;
    this.#hide(stored);
    return stored;
  }

  async #store(tokens: OAuthTokens, { client, at: { issuer } }: Pick<Login, "client" | "at">): Promise<void> {
    const { storage, name, url, settings } = this.#options;
    const given = { url, tokens: { ...tokens, issuer }, ...(settings.clientId === undefined ? { client } : {}) };
    const stored = storedSignInSchema.parse(given);
    this.#hide(stored);
    // As JSON, which omits absent fields.
    await storage.set(name, z.json().parse(JSON.parse(JSON.stringify(stored))));
  }

  #hide({ tokens, client }: StoredSignIn): void {
    for (const secret of [tokens.access_token, tokens.refresh_token, client?.client_secret])
      if (secret !== undefined) this.#options.onSecret(secret);
  }
}
