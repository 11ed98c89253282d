import { createHash } from "node:crypto";
import * as z from "zod";

const registrationSchema = z.looseObject({ redirect_uris: z.array(z.string()).min(1) });

export interface SignInServerOptions {
  readonly mcp: (request: Request) => Response | Promise<Response>;
  /** Defaults to this server. */
  readonly issuer?: () => string;
  /** Overrides; `undefined` removes a field. */
  readonly metadata?: () => Fields;
  /** Defaults to that of RFC 8414. */
  readonly metadataPath?: string;
  /** Overrides, or the whole response. */
  readonly resource?: () => Fields | Response;
  /** Sent without a valid token; defaults to the resource's metadata and a scope. */
  readonly challenge?: string;
  /** Overrides, or the whole response. */
  readonly registration?: (asked: Fields) => Fields | Response;
  /** Overrides, or the whole response. */
  readonly tokens?: (issued: Fields, asked: URLSearchParams) => Fields | Response;
  /** Defaults to yes. */
  readonly isClient?: (headers: Headers, body: URLSearchParams) => boolean;
  /** Required in an authorization request; defaults to the server's URL, `null`: none. */
  readonly requestedResource?: string | null;
  /** Added to the return URL. */
  readonly callback?: () => Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** An MCP server that requires a token, and issues one by OAuth 2.1 with PKCE and dynamic registration. */
export class SignInServer implements AsyncDisposable {
  readonly #server: Bun.Server<undefined>;
  readonly #options: SignInServerOptions;
  readonly #clients = new Map<string, string>();
  readonly #codes = new Map<string, { readonly challenge: string; readonly client: string; readonly to: string }>();
  #count = 0;
  readonly #access = new Set<string>();
  #refresh = "";
  /** Grant types of `POST /token` requests. */
  readonly grants: string[] = [];
  get clients(): number {
    return this.#clients.size;
  }

  constructor(options: SignInServerOptions) {
    this.#options = options;
    this.#server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => this.#answer(request) });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** Expires the access token and, with `withRefresh`, the refresh token. */
  expire({ withRefresh = false }: { readonly withRefresh?: boolean } = {}): void {
    this.#access.clear();
    if (withRefresh) this.#refresh = "";
  }

  register(id: string, redirectUrl: string): void {
    this.#clients.set(id, redirectUrl);
  }

  /** Acts as the user's browser: approves the sign-in and follows the redirect. */
  async allow(address: string): Promise<string> {
    const answer = await fetch(address, { redirect: "manual" });
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`Nobody is sent back: ${await answer.text()}`);
    return location;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const issuer = this.#options.issuer?.() ?? this.origin;
    switch (url.pathname) {
      case "/mcp": {
        const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
        if (this.#access.has(token)) return this.#options.mcp(request);
        const where = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
        return new Response("Who are you?", {
          status: 401,
          headers: {
            "www-authenticate": this.#options.challenge ?? `Bearer resource_metadata="${where}", scope="tools"`,
          },
        });
      }
      case "/.well-known/oauth-protected-resource/mcp":
        return this.#resourceMetadata(issuer);
      case this.#options.metadataPath ?? "/.well-known/oauth-authorization-server":
        return Response.json({
          issuer: this.origin,
          authorization_endpoint: `${this.origin}/authorize`,
          token_endpoint: `${this.origin}/token`,
          registration_endpoint: `${this.origin}/register`,
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
          ...this.#options.metadata?.(),
        });
      case "/register": {
        const asked = registrationSchema.parse(await request.json());
        const id = `client-${this.#clients.size + 1}`;
        this.#clients.set(id, asked.redirect_uris[0] ?? "");
        const given = this.#options.registration?.(asked) ?? {};
        if (given instanceof Response) return given;
        return Response.json({ ...asked, client_id: id, ...given }, { status: 201 });
      }
      case "/authorize":
        return this.#authorize(url.searchParams);
      case "/token":
        return this.#token(request.headers, new URLSearchParams(await request.text()));
      default:
        return new Response("Not found", { status: 404 });
    }
  }

  #resourceMetadata(issuer: string): Response {
    const given = this.#options.resource?.() ?? {};
    if (given instanceof Response) return given;
    return Response.json({ resource: this.url, authorization_servers: [issuer], ...given });
  }

  #authorize(asked: URLSearchParams): Response {
    const to = asked.get("redirect_uri") ?? "";
    const client = asked.get("client_id") ?? "";
    if (this.#clients.get(client) !== to || asked.get("code_challenge_method") !== "S256")
      return new Response("No such client", { status: 400 });
    const { requestedResource = this.url } = this.#options;
    if (asked.get("resource") !== requestedResource || asked.get("scope") !== "tools")
      return new Response("For what?", { status: 400 });
    const code = `code-${(this.#count += 1)}`;
    this.#codes.set(code, { challenge: asked.get("code_challenge") ?? "", client, to });
    const back = new URL(to);
    back.searchParams.set("code", code);
    back.searchParams.set("state", asked.get("state") ?? "");
    for (const [name, value] of Object.entries(this.#options.callback?.() ?? {}))
      back.searchParams.set(name, value);
    return new Response(null, { status: 302, headers: { location: String(back) } });
  }

  #token(headers: Headers, asked: URLSearchParams): Response {
    const grant = asked.get("grant_type") ?? "";
    this.grants.push(grant);
    if (this.#options.isClient?.(headers, asked) === false)
      return Response.json({ error: "invalid_client" }, { status: 401 });
    const refuse = (): Response => Response.json({ error: "invalid_grant" }, { status: 400 });
    if (grant === "refresh_token") {
      if (this.#refresh === "" || asked.get("refresh_token") !== this.#refresh) return refuse();
      return this.#give(asked);
    }
    const code = asked.get("code") ?? "";
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash("sha256")
      .update(asked.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      known?.challenge === challenge &&
      known.client === asked.get("client_id") &&
      known.to === asked.get("redirect_uri");
    return isRight ? this.#give(asked) : refuse();
  }

  #give(asked: URLSearchParams): Response {
    const number = (this.#count += 1);
    const issued = {
      access_token: `access-${number}-${crypto.randomUUID()}`,
      token_type: "Bearer",
      expires_in: 3_600,
      refresh_token: `refresh-${number}-${crypto.randomUUID()}`,
      scope: "tools",
    };
    const given = this.#options.tokens?.(issued, asked) ?? {};
    if (given instanceof Response && !given.ok) return given;
    this.#access.add(issued.access_token);
    this.#refresh = issued.refresh_token;
    return given instanceof Response ? given : Response.json({ ...issued, ...given });
  }
}
