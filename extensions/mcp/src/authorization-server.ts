import { shownBody } from "@incipit/common/http";
import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  OAuthError,
  refreshAuthorization,
  registerClient,
  RegistrationRejectedError,
  startAuthorization,
  type FetchLike,
  type OAuthServerInfo,
  type OAuthTokens,
} from "@modelcontextprotocol/client";
import type { Challenge } from "./challenge.ts";
import { ServerFailure } from "./server-failure.ts";
import { withoutSlash } from "./sign-in-answer.ts";
import { storedClientSchema, type RegisteredClient } from "./stored-sign-in.ts";

export interface SignInSettings {
  readonly serverUrl?: string;
  readonly clientId?: string;
  readonly clientSecretEnv?: string;
  readonly scope?: string;
}

interface Found extends OAuthServerInfo {
  readonly url: string;
  readonly settings: SignInSettings;
  readonly fetchFn: FetchLike;
}

interface Request {
  readonly client: RegisteredClient;
  readonly scope: string | undefined;
}

const byHand =
  "register an application there by hand, and write its id as oauth_client_id into the server's table of the configuration";
const secretMethods = ["client_secret_post", "client_secret_basic"] as const;

export class AuthorizationServer {
  readonly #found: Found;
  /** Owner of its credentials; instead of an issuer of another origin, which any server can name, its URL. */
  readonly issuer: string;

  private constructor(found: Found) {
    this.#found = found;
    const { authorizationServerUrl: at, authorizationServerMetadata: { issuer } = { issuer: at } } = found;
    this.issuer = withoutSlash(originOf(issuer) === originOf(at) ? issuer : at);
  }

  static async find(
    { resourceMetadataUrl }: Challenge,
    options: Pick<Found, "url" | "settings" | "fetchFn">,
  ): Promise<AuthorizationServer> {
    const { url, fetchFn } = options;
    const info = await discoverOAuthServerInfo(url, {
      fetchFn,
      skipIssuerMetadataValidation: true,
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    });
    const resource = info.resourceMetadata?.resource;
    if (resource !== undefined && !checkResourceAllowed({ requestedResource: url, configuredResource: resource }))
      throw new ServerFailure(
        `declares its sign-in for another address, ${resource}; if that is the same server, set "url" to it`,
      );
    const found = new AuthorizationServer({ ...info, ...options });
    found.#checkIssuer();
    return found;
  }

  scope(challenge: Challenge): string | undefined {
    const { settings, resourceMetadata, authorizationServerMetadata: known } = this.#found;
    if (settings.scope !== undefined) return settings.scope;
    const scope = challenge.scope ?? resourceMetadata?.scopes_supported?.join(" ") ?? "";
    if (scope === "") return undefined;
    // Without it some servers issue no refresh token.
    const hasOffline = known?.scopes_supported?.includes("offline_access") === true;
    return hasOffline && !scope.split(" ").includes("offline_access") ? `${scope} offline_access` : scope;
  }

  async register(redirectUrl: string, scope: string | undefined): Promise<RegisteredClient> {
    const { authorizationServerUrl, authorizationServerMetadata: metadata, fetchFn } = this.#found;
    if (metadata !== undefined && metadata.registration_endpoint === undefined)
      throw new ServerFailure(`accepts only registered clients, without automatic registration: ${byHand}`);
    const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
    const register = async (method: string): Promise<RegisteredClient> => {
      const clientMetadata = {
        client_name: "Incipit",
        application_type: "native",
        redirect_uris: [redirectUrl],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: method,
      };
      const client = await registerClient(authorizationServerUrl, {
        clientMetadata,
        fetchFn,
        ...(scope === undefined ? {} : { scope }),
        ...(metadata === undefined ? {} : { metadata }),
      });
      const { client_secret: secret, token_endpoint_auth_method: given } = client;
      const registered = secret === undefined ? "none" : given;
      return storedClientSchema.parse({
        ...client,
        token_endpoint_auth_method: registered,
        issuer: this.issuer,
      });
    };
    // Some servers register only clients with a secret.
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

  /** Resolves with the URL for the browser and the PKCE verifier. */
  begin(
    request: Request & { readonly redirectUrl: string; readonly state: string },
  ): ReturnType<typeof startAuthorization> {
    const { redirectUrl, state } = request;
    return startAuthorization(this.#found.authorizationServerUrl, {
      ...this.#parameters(request),
      redirectUrl,
      state,
      ...(request.scope === undefined ? {} : { scope: request.scope }),
    });
  }

  async exchange(
    request: Request & {
      readonly code: string;
      readonly verifier: string;
      readonly redirectUrl: string;
      readonly iss: string | null;
    },
  ): Promise<OAuthTokens> {
    const { code, verifier, redirectUrl, iss, scope } = request;
    const tokens = await exchangeAuthorization(this.#found.authorizationServerUrl, {
      ...this.#parameters(request),
      authorizationCode: code,
      codeVerifier: verifier,
      redirectUri: redirectUrl,
      ...(iss === null ? {} : { iss: withoutSlash(iss) }),
    });
    return withScope(tokens, scope);
  }

  /** @throws {OAuthError} for an error of the server, and others for a failed request. */
  async refresh(request: Request & { readonly refreshToken: string }): Promise<OAuthTokens> {
    const { refreshToken, scope } = request;
    const refresh = (named: { readonly scope?: string }): Promise<OAuthTokens> =>
      refreshAuthorization(this.#found.authorizationServerUrl, {
        ...this.#parameters(request),
        refreshToken,
        ...named,
      });
    // Some servers return another scope without this parameter; some reject it.
    const tokens = await refresh(scope === undefined ? {} : { scope }).catch((error: unknown) => {
      if (!(error instanceof OAuthError) || error.code !== "invalid_scope") throw error;
      return refresh({});
    });
    return withScope(tokens, scope);
  }

  #parameters({ client }: Request): {
    readonly clientInformation: RegisteredClient;
    readonly fetchFn: FetchLike;
    readonly metadata?: NonNullable<Found["authorizationServerMetadata"]>;
    readonly resource?: string;
  } {
    const { authorizationServerMetadata: metadata, resourceMetadata, fetchFn } = this.#found;
    return {
      clientInformation: client,
      fetchFn,
      ...(metadata === undefined ? {} : { metadata }),
      ...(resourceMetadata === undefined ? {} : { resource: resourceMetadata.resource }),
    };
  }

  /**
   * Large vendors use another path or host as issuer. Others could redirect a server's code to another server, and so
   * could a configured issuer whose code would go to an endpoint of another origin.
   */
  #checkIssuer(): void {
    const { authorizationServerUrl: at, authorizationServerMetadata: metadata, settings, url } = this.#found;
    if (metadata === undefined) return;
    const { issuer, authorization_endpoint: from, token_endpoint: to } = metadata;
    const origin = originOf(issuer);
    if (originOf(at) === origin) return;
    const isConfigured = settings.serverUrl !== undefined && originOf(settings.serverUrl) === origin;
    if (isConfigured && originOf(from) === originOf(to)) return;
    if (isConfigured)
      throw new ServerFailure(`has its sign-in page at ${from}, but its token endpoint of ${issuer} at ${to}`);
    const isOwn = originOf(at) === originOf(url);
    const advice = isOwn
      ? `if you trust that address, write oauth_server = "${origin}" into its table of the configuration`
      : "its operator has to name one address in both places";
    throw new ServerFailure(`has its sign-in at ${at}, which claims to be ${issuer}; ${advice}`);
  }
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address;
}

/** Servers omit a scope that equals the requested one. */
function withScope(tokens: OAuthTokens, scope: string | undefined): OAuthTokens {
  return { ...tokens, ...(scope === undefined ? {} : { scope: tokens.scope ?? scope }) };
}
