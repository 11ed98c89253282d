import { errorMessage, KernelError, type Clock, type Net, type Storage } from "@incipit/kernel";
import type { BegunSignIn } from "@incipit/service-contract";
import { shownBody } from "@incipit/program-kit";
import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  OAuthError,
  refreshAuthorization,
  registerClient,
  RegistrationRejectedError,
  startAuthorization,
  type AuthProvider,
  type FetchLike,
  type OAuthServerInfo,
  type OAuthTokens,
} from "@modelcontextprotocol/client";
import * as z from "zod";
import { challengeIn, type Challenge } from "./challenge.ts";
import { ServerFailure } from "./server-failure.ts";
import { mendedSignInAnswer, withoutSlash } from "./sign-in-answer.ts";
import { storedClientSchema, storedSignInSchema, type StoredSignIn } from "./stored-sign-in.ts";

export interface SignInSettings {
  /** Where users sign in, when that is not the server's own origin. */
  readonly serverUrl?: string;
  /** The id of the person's application at the authorization server; absent: the host registers itself. */
  readonly clientId?: string;
  /** Name of the variable that holds its secret. */
  readonly clientSecretEnv?: string;
  /** Absent: what the server asks for. */
  readonly scope?: string;
}

export interface SignInOptions {
  /** That of the server of tools. */
  readonly name: string;
  readonly url: string;
  readonly settings: SignInSettings;
  readonly net: Net;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly readSecret: (variable: string) => string;
  /** What must not be shown from now on. */
  readonly onSecret: (value: string) => void;
}

type Client = NonNullable<StoredSignIn["client"]>;

/** Where users sign in for a server, as it says. */
interface Found extends OAuthServerInfo {
  readonly issuer: string;
  readonly resource: string | undefined;
}

/** What a browser was sent away with, until it comes back. */
interface Login {
  readonly redirectUrl: string;
  readonly state: string;
  readonly expiresAtMs: number;
  readonly verifier: string;
  readonly client: Client;
  readonly found: Found;
  readonly scope: string | undefined;
}

/** How long somebody may take to sign in. */
const loginMs = 10 * 60_000;
const byHand =
  "register an application there by hand, and write its id as oauth_client_id into the server's table of the configuration";
const secretMethods = ["client_secret_post", "client_secret_basic"] as const;
/** What is refused once so is refused for good. */
const refusals: ReadonlySet<string> = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);
/** Longest wait for one answer of an authorization server, and the largest of them. */
const answerMs = 30_000;
const maxAnswerBytes = 1_048_576;

/**
 * One person's sign-in at a server of tools by OAuth 2.1, as MCP has it: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
 *
 * What it was given is stored for this URL alone: a server of the same name at another one gets nothing of it.
 */
export class SignIn implements AuthProvider {
  readonly #options: SignInOptions;
  #login: Login | undefined;
  #refreshing: Promise<void> | undefined;
  #signOuts = 0;

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** What is sent with each request; `undefined`: nobody has signed in. */
  async token(): Promise<string | undefined> {
    return (await this.#stored())?.tokens.access_token;
  }

  /** Renews what has run out. @throws {ServerFailure} when somebody has to sign in. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    await (this.#refreshing ??= this.#refresh(response).finally(() => (this.#refreshing = undefined)));
  }

  /**
   * Where a browser has to go, for it to come back to `redirectUrl`. A sign-in that was begun before ends.
   * @throws {ServerFailure} and others, with why it cannot begin.
   */
  async begin(redirectUrl: string): Promise<BegunSignIn> {
    const { url: serverUrl, clock } = this.#options;
    // A server says where its authorization server is when it lets nobody in.
    const response = await this.#fetch(serverUrl, { headers: { accept: "text/event-stream" } });
    const challenge = challengeIn(response.headers, serverUrl);
    const found = await this.#find(challenge);
    const scope = this.#scope(challenge, found);
    const client = this.#configuredClient() ?? (await this.#register(found, { redirectUrl, scope }));
    const state = crypto.randomUUID();
    const { authorizationUrl: address, codeVerifier: verifier } = await startAuthorization(
      found.authorizationServerUrl,
      { ...metadataOf(found), clientInformation: client, redirectUrl, state, ...scope },
    );
    const hasUser = address.username !== "" || address.password !== "";
    if (!["http:", "https:"].includes(address.protocol) || hasUser)
      throw new ServerFailure(
        hasUser
          ? "signs people in at an address with a user's name in it, which hides where it leads"
          : `signs people in at an address that begins with "${address.protocol}": only http: and https: are opened`,
      );
    this.#login = {
      redirectUrl,
      state,
      expiresAtMs: clock.now() + loginMs,
      verifier,
      client,
      found,
      scope: scope.scope,
    };
    return {
      authorizationUrl: address.href,
      foreignHost: address.host === new URL(serverUrl).host ? null : address.host,
    };
  }

  /**
   * Takes what a browser came back with: the whole address. It can be taken once.
   * @throws {ServerFailure} and others, with why nobody is signed in.
   */
  async finish(address: URL): Promise<void> {
    const login = this.#login;
    const given = address.searchParams;
    if (login === undefined || login.expiresAtMs < this.#options.clock.now())
      throw new ServerFailure("waits for no sign-in: begin again");
    if (given.get("state") !== login.state)
      throw new ServerFailure("was not asked for this sign-in: begin again, and use the newest address");
    this.#login = undefined;
    const error = given.get("error");
    if (error !== null) throw new ServerFailure(`let nobody in: ${given.get("error_description") ?? error}`);
    const code = given.get("code");
    if (code === null) throw new ServerFailure('gave no "code" in the address that it sent the browser to');
    const iss = given.get("iss");
    const { found, client, verifier, redirectUrl, scope } = login;
    const tokens = await exchangeAuthorization(found.authorizationServerUrl, {
      ...metadataOf(found),
      clientInformation: client,
      authorizationCode: code,
      codeVerifier: verifier,
      redirectUri: redirectUrl,
      fetchFn: this.#mendedFetch,
      ...(iss === null ? {} : { iss: withoutSlash(iss) }),
    });
    await this.#store({ ...tokens, scope: tokens.scope ?? scope }, client, found);
  }

  async #find({ resourceMetadataUrl }: Challenge): Promise<Found> {
    const { url } = this.#options;
    const info = await discoverOAuthServerInfo(url, {
      fetchFn: this.#mendedFetch,
      skipIssuerMetadataValidation: true,
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    });
    const resource = info.resourceMetadata?.resource;
    if (resource !== undefined && !checkResourceAllowed({ requestedResource: url, configuredResource: resource }))
      throw new ServerFailure(
        `says that its sign-in is for ${resource}; if that is the same server, write it as "url"`,
      );
    const issuer = info.authorizationServerMetadata?.issuer ?? withoutSlash(info.authorizationServerUrl);
    this.#checkIssuer(issuer, info.authorizationServerUrl);
    return { ...info, issuer, resource };
  }

  /**
   * Accepts an issuer of the origin where its metadata is, or of the one that the configuration names: large vendors have another
   * path or host there. Any other one could have the code of one server sent to another.
   */
  #checkIssuer(issuer: string, at: string): void {
    const { serverUrl = at } = this.#options.settings;
    const origin = URL.canParse(issuer) ? new URL(issuer).origin : issuer;
    if ([at, serverUrl].some((address) => new URL(address).origin === origin)) return;
    const isOwn = new URL(at).origin === new URL(this.#options.url).origin;
    const advice = isOwn
      ? `if you trust that address, write oauth_server = "${origin}" into its table of the configuration`
      : "its operator has to name one address in both places";
    throw new ServerFailure(`signs people in at ${at}, which calls itself ${issuer}; ${advice}`);
  }

  /** @throws {ServerFailure} with what to do where the host is not registered. */
  async #register(
    { authorizationServerUrl, authorizationServerMetadata: known, issuer }: Found,
    { redirectUrl, scope }: { readonly redirectUrl: string; readonly scope: { readonly scope?: string } },
  ): Promise<Client> {
    if (known !== undefined && known.registration_endpoint === undefined)
      throw new ServerFailure(`signs in registered applications alone, and registers none by itself: ${byHand}`);
    const supported = known?.token_endpoint_auth_methods_supported ?? [];
    const register = async (method: string): Promise<Client> => {
      const clientMetadata = {
        client_name: "Incipit",
        application_type: "native",
        redirect_uris: [redirectUrl],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: method,
      };
      const options = { clientMetadata, fetchFn: this.#mendedFetch, ...scope };
      const client = await registerClient(authorizationServerUrl, {
        ...options,
        ...(known === undefined ? {} : { metadata: known }),
      });
      const { client_secret: secret, token_endpoint_auth_method: given } = client;
      const registered = secret === undefined ? "none" : given;
      return { ...storedClientSchema.parse({ ...client, token_endpoint_auth_method: registered }), issuer };
    };
    // Some register no client without a secret.
    const withSecret = secretMethods.find((method) => supported.includes(method) && !supported.includes("none"));
    try {
      return await register("none").catch((error: unknown) => {
        if (withSecret === undefined || !(error instanceof RegistrationRejectedError)) throw error;
        return register(withSecret);
      });
    } catch (error) {
      if (!(error instanceof RegistrationRejectedError)) throw error;
      throw new ServerFailure(
        `signs in registered applications alone, and refused to register this host with HTTP status ${error.status} (${shownBody(error.body)}): ${byHand}`,
        { cause: error },
      );
    }
  }

  /** Forgets what was given; the server itself is not told. */
  forget(): Promise<void> {
    this.#login = undefined;
    this.#signOuts += 1;
    return this.#options.storage.delete(this.#options.name);
  }

  async #refresh(response: Response): Promise<void> {
    const again = new ServerFailure(`wants you to sign in: incipit mcp login ${this.#options.name}`);
    const signOuts = this.#signOuts;
    const stored = await this.#stored();
    if (stored?.tokens.refresh_token === undefined) throw again;
    const { refresh_token: refreshToken, scope } = stored.tokens;
    const found = await this.#find(challengeIn(response.headers, this.#options.url));
    const client = this.#configuredClient() ?? stored.client;
    // What one authorization server gave is sent to no other one.
    const isOthers = [stored.tokens, client].some(
      (given) => given?.issuer !== undefined && withoutSlash(given.issuer) !== found.issuer,
    );
    if (client === undefined || isOthers) throw again;
    let tokens: OAuthTokens;
    try {
      const refresh = (scope: { readonly scope?: string }): Promise<OAuthTokens> =>
        refreshAuthorization(found.authorizationServerUrl, {
          ...metadataOf(found),
          clientInformation: client,
          refreshToken,
          fetchFn: this.#mendedFetch,
          ...scope,
        });
      // Some give another scope to who names none, and some refuse to have it named.
      tokens = await refresh(scope === undefined ? {} : { scope }).catch((error: unknown) => {
        if (!(error instanceof OAuthError) || error.code !== "invalid_scope") throw error;
        return refresh({});
      });
    } catch (cause) {
      if (!(cause instanceof OAuthError) || !refusals.has(cause.code))
        throw new ServerFailure(
          `could not renew your sign-in at ${found.issuer}, which it keeps: ${errorMessage(cause)}; try again later`,
          { cause },
        );
      await this.forget();
      throw again;
    }
    if (signOuts !== this.#signOuts) throw again;
    await this.#store({ ...tokens, scope: tokens.scope ?? scope }, stored.client, found);
  }

  /** What is configured, else what the server asks for, else all that it has. */
  #scope(challenge: Challenge, found: Found): { readonly scope?: string } {
    const { scope: configured } = this.#options.settings;
    if (configured !== undefined) return { scope: configured };
    const scope = challenge.scope ?? found.resourceMetadata?.scopes_supported?.join(" ") ?? "";
    if (scope === "") return {};
    // Without it some issue no refresh token.
    const hasOffline = found.authorizationServerMetadata?.scopes_supported?.includes("offline_access") === true;
    const isMissing = hasOffline && !scope.split(" ").includes("offline_access");
    return { scope: isMissing ? `${scope} offline_access` : scope };
  }

  #configuredClient(): Client | undefined {
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

  async #store(
    tokens: Readonly<Record<string, unknown>>,
    client: Client | undefined,
    { issuer }: Found,
  ): Promise<void> {
    const { storage, name, url } = this.#options;
    const isConfigured = this.#options.settings.clientId !== undefined;
    const given = {
      url,
      tokens: { ...tokens, issuer },
      ...(isConfigured || client === undefined ? {} : { client }),
    };
    const stored = storedSignInSchema.parse(given);
    this.#hide(stored);
    // As JSON: what is absent is not stored.
    await storage.set(name, z.json().parse(JSON.parse(JSON.stringify(stored))));
  }

  #hide({ tokens, client }: StoredSignIn): void {
    for (const secret of [tokens.access_token, tokens.refresh_token, client?.client_secret])
      if (secret !== undefined) this.#options.onSecret(secret);
  }

  readonly #mendedFetch: FetchLike = async (address, init = {}) => {
    const response = await this.#fetch(address, init);
    const { method = "GET", body } = init;
    const sent = { method, body, serverUrl: this.#options.url };
    return mendedSignInAnswer({ status: response.status, text: await response.text(), url: String(address) }, sent);
  };

  readonly #fetch: FetchLike = async (address, { method = "GET", headers, body, signal } = {}) => {
    const { net, clock } = this.#options;
    const late = new AbortController();
    const cancel = clock.setTimer(() => late.abort(new ServerFailure("did not answer within 30 s")), answerMs);
    try {
      const response = await net.fetch(String(address), {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === "string" || body instanceof URLSearchParams ? { body: body.toString() } : {}),
        signal: signal ? AbortSignal.any([late.signal, signal]) : late.signal,
      });
      return new Response(await boundedText(response), { status: response.status, headers: response.headers });
    } catch (error) {
      if (late.signal.aborted) throw late.signal.reason;
      if (!KernelError.is(error) || error.code !== "CAPABILITY_DENIED") throw error;
      const { origin } = new URL(String(address));
      const advice = `if you trust that address, write oauth_server = "${origin}" into its table of the configuration`;
      throw new ServerFailure(`signs people in at ${origin}, which the host may not call; ${advice}`, {
        cause: error,
      });
    } finally {
      cancel();
    }
  };
}

/** What a request to the authorization server is made with. */
function metadataOf({ authorizationServerMetadata: metadata, resource }: Found): {
  readonly metadata?: NonNullable<Found["authorizationServerMetadata"]>;
  readonly resource?: string;
} {
  return { ...(metadata === undefined ? {} : { metadata }), ...(resource === undefined ? {} : { resource }) };
}

/** `null` where there can be none: an answer with such a status takes no body. */
async function boundedText(response: Response): Promise<string | null> {
  // A stream of events has no end.
  if (response.ok && response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    await response.body?.cancel();
    return "";
  }
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxAnswerBytes) throw new ServerFailure("sent more than 1 MiB where it signs people in");
    pieces.push(decoder.decode(chunk, { stream: true }));
  }
  return [204, 205, 304].includes(response.status) ? null : [...pieces, decoder.decode()].join("");
}
