import { errorMessage, KernelError, type Clock, type Net, type Storage } from "@incipit/kernel";
import type { BegunSignIn } from "@incipit/service-contract";
import { shownBody } from "@incipit/program-kit";
import {
  auth,
  RegistrationRejectedError,
  type AuthProvider,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import * as z from "zod";
import { challengeIn, type Challenge } from "./challenge.ts";
import { ServerFailure } from "./server-failure.ts";
import { mendedSignInAnswer, withoutSlash } from "./sign-in-answer.ts";
import { storedSignInSchema, type StoredSignIn } from "./stored-sign-in.ts";

export interface SignInSettings {
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

/** What a browser was sent away with, until it comes back. */
interface Login {
  readonly redirectUrl: string;
  readonly state: string;
  readonly expiresAtMs: number;
  address: URL | undefined;
  verifier: string | undefined;
  /** How the host registers to be authenticated. */
  authMethod: string;
  client: StoredOAuthClientInformation | undefined;
  discovery: OAuthDiscoveryState | undefined;
}

/** How long somebody may take to sign in. */
const loginMs = 10 * 60_000;
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
    const login: Login = {
      redirectUrl,
      state: crypto.randomUUID(),
      expiresAtMs: this.#options.clock.now() + loginMs,
      address: undefined,
      verifier: undefined,
      authMethod: this.#options.settings.clientSecretEnv === undefined ? "none" : "client_secret_post",
      client: undefined,
      discovery: undefined,
    };
    const { url: serverUrl } = this.#options;
    // A server says where its authorization server is when it lets nobody in.
    const response = await this.#fetch(serverUrl, { headers: { accept: "text/event-stream" } });
    const challenge = challengeIn(response.headers, serverUrl);
    try {
      await this.#authorize(login, challenge);
    } catch (error) {
      const method = secretMethod(login, error);
      if (method === undefined) throw this.#readable(error, login);
      login.authMethod = method;
      await this.#authorize(login, challenge).catch((failure: unknown) => {
        throw this.#readable(failure, login);
      });
    }
    const { address } = login;
    if (address === undefined) throw new ServerFailure("gave no address at which to sign in");
    const hasUser = address.username !== "" || address.password !== "";
    if (!["http:", "https:"].includes(address.protocol) || hasUser)
      throw new ServerFailure(
        hasUser
          ? "signs people in at an address with a user's name in it, which hides where it leads"
          : `signs people in at an address that begins with "${address.protocol}": only http: and https: are opened`,
      );
    this.#login = login;
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
    await auth(this.#provider({ login }), {
      serverUrl: this.#options.url,
      authorizationCode: code,
      fetchFn: this.#mendedFetch,
      ...(iss === null ? {} : { iss: withoutSlash(iss) }),
    });
  }

  /** Registers where that is needed, and finds the address for the browser. */
  async #authorize(login: Login, challenge: Challenge): Promise<void> {
    await auth(this.#provider({ login }), {
      serverUrl: this.#options.url,
      forceReauthorization: true,
      fetchFn: this.#mendedFetch,
      ...this.#asked(challenge),
    });
  }

  /** Says what to do where the host is not registered. */
  #readable(error: unknown, { discovery, client }: Login): unknown {
    const advice = `register an application there by hand, and write its id as oauth_client_id into the server's table of the configuration`;
    if (error instanceof RegistrationRejectedError)
      return new ServerFailure(
        `signs in registered applications alone, and refused to register this host with HTTP status ${error.status} (${shownBody(error.body)}): ${advice}`,
        { cause: error },
      );
    const { authorizationServerMetadata: known } = discovery ?? {};
    if (known === undefined || known.registration_endpoint !== undefined || client !== undefined) return error;
    if (error instanceof ServerFailure || this.#options.settings.clientId !== undefined) return error;
    return new ServerFailure(`signs in registered applications alone, and registers none by itself: ${advice}`, {
      cause: error,
    });
  }

  /** Forgets what was given; the server itself is not told. */
  forget(): Promise<void> {
    this.#login = undefined;
    return this.#options.storage.delete(this.#options.name);
  }

  async #refresh(response: Response): Promise<void> {
    const again = new ServerFailure(`wants you to sign in: incipit mcp login ${this.#options.name}`);
    const stored = await this.#stored();
    if (stored?.tokens.refresh_token === undefined) throw again;
    let outage: ServerFailure | undefined;
    // The library takes every other failure than a refusal for a reason to sign in anew.
    const fetchFn: FetchLike = async (address, init) => {
      if (init?.method !== "POST") return this.#mendedFetch(address, init);
      try {
        const answer = await this.#mendedFetch(address, init);
        if (answer.status >= 500 || answer.status === 429)
          outage = renewalFailure(`HTTP status ${answer.status}`, String(address));
        return answer;
      } catch (error) {
        outage = renewalFailure(errorMessage(error), String(address));
        throw error;
      }
    };
    const result = await auth(this.#provider({ stored }), {
      serverUrl: this.#options.url,
      fetchFn,
      ...this.#asked(challengeIn(response.headers, this.#options.url)),
    });
    if (result !== "AUTHORIZED") throw outage ?? again;
  }

  #asked({ scope, resourceMetadataUrl }: Challenge): {
    readonly scope?: string;
    readonly resourceMetadataUrl?: URL;
  } {
    return { ...this.#scope(scope), ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }) };
  }

  #scope(asked: string | undefined): { readonly scope?: string } {
    const scope = this.#options.settings.scope ?? asked;
    return scope === undefined ? {} : { scope };
  }

  /** For somebody who signs in, or, where nobody is there, to renew what is stored. */
  #provider({ login, stored }: { readonly login?: Login; readonly stored?: StoredSignIn }): OAuthClientProvider {
    const redirectUrl = login?.redirectUrl ?? "http://127.0.0.1/callback";
    return {
      redirectUrl,
      clientMetadata: {
        client_name: "Incipit",
        redirect_uris: [redirectUrl],
        token_endpoint_auth_method: login?.authMethod ?? "none",
        ...this.#scope(undefined),
      },
      state: () => login?.state ?? crypto.randomUUID(),
      clientInformation: () => this.#configuredClient() ?? (login === undefined ? stored?.client : login.client),
      saveClientInformation: (client) => {
        if (login !== undefined) login.client = client;
      },
      tokens: async () => (login === undefined ? (await this.#stored())?.tokens : undefined),
      saveTokens: async (tokens) => {
        const client = login === undefined ? stored?.client : login.client;
        await this.#store({ url: this.#options.url, tokens, ...(client === undefined ? {} : { client }) });
      },
      redirectToAuthorization: (address) => {
        if (login !== undefined) login.address = address;
      },
      saveCodeVerifier: (verifier) => {
        if (login !== undefined) login.verifier = verifier;
      },
      codeVerifier: () => login?.verifier ?? "",
      saveDiscoveryState: (state) => {
        if (login !== undefined) login.discovery = state;
      },
      discoveryState: () => login?.discovery,
      // What is refused once is refused for good. Asked for only where nobody is there.
      invalidateCredentials: (what) =>
        login === undefined && (what === "tokens" || what === "all") ? this.forget() : undefined,
    };
  }

  #configuredClient(): StoredOAuthClientInformation | undefined {
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

  async #store(given: StoredSignIn): Promise<void> {
    const { storage, name } = this.#options;
    this.#hide(given);
    // As JSON: what is absent is not stored.
    await storage.set(name, z.json().parse(JSON.parse(JSON.stringify(storedSignInSchema.parse(given)))));
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

/** Returns how to register instead where a server registers no client without a secret. */
function secretMethod({ authMethod, discovery }: Login, error: unknown): string | undefined {
  const { authorizationServerMetadata: known } = discovery ?? {};
  const supported = known?.token_endpoint_auth_methods_supported;
  if (
    !(error instanceof RegistrationRejectedError) ||
    authMethod !== "none" ||
    supported?.includes("none") !== false
  )
    return undefined;
  return ["client_secret_post", "client_secret_basic"].find((method) => supported.includes(method));
}

function renewalFailure(why: string, address: string): ServerFailure {
  return new ServerFailure(
    `could not renew your sign-in at ${new URL(address).origin}, which keeps: ${why}; try again later`,
  );
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
