import { createHash } from "node:crypto";
import * as z from "zod";

const registrationSchema = z.looseObject({ redirect_uris: z.array(z.string()).min(1) });

export interface SignInServerOptions {
  /** Answers what a signed-in request asks for. */
  readonly mcp: (request: Request) => Response | Promise<Response>;
  /** Where people sign in; absent: at the server's own address. */
  readonly issuer?: () => string;
  /** Replaces fields of the authorization server's metadata. */
  readonly metadata?: () => Readonly<Record<string, string>>;
}

/** A server of tools that lets nobody in without a token, and gives one as OAuth 2.1 says, with PKCE and registration. */
export class SignInServer implements AsyncDisposable {
  readonly #server: Bun.Server<undefined>;
  readonly #options: SignInServerOptions;
  readonly #clients = new Map<string, string>();
  readonly #codes = new Map<string, { readonly challenge: string; readonly client: string; readonly to: string }>();
  #count = 0;
  /** Tokens that are taken. */
  readonly #access = new Set<string>();
  #refresh = "";
  /** What `POST /token` was asked for. */
  readonly grants: string[] = [];
  /** How many clients have registered themselves. */
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

  /** No token that was given is taken any more; `withRefresh`: nor what renews one. */
  expire({ withRefresh = false }: { readonly withRefresh?: boolean } = {}): void {
    this.#access.clear();
    if (withRefresh) this.#refresh = "";
  }

  /** What a person's browser does with the address: they say yes, and it goes back. */
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
          headers: { "www-authenticate": `Bearer resource_metadata="${where}", scope="tools"` },
        });
      }
      case "/.well-known/oauth-protected-resource/mcp":
        return Response.json({ resource: this.url, authorization_servers: [issuer] });
      case "/.well-known/oauth-authorization-server":
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
        return Response.json({ ...asked, client_id: id }, { status: 201 });
      }
      case "/authorize":
        return this.#authorize(url.searchParams);
      case "/token":
        return this.#token(new URLSearchParams(await request.text()));
      default:
        return new Response("Not found", { status: 404 });
    }
  }

  #authorize(asked: URLSearchParams): Response {
    const to = asked.get("redirect_uri") ?? "";
    const client = asked.get("client_id") ?? "";
    if (this.#clients.get(client) !== to || asked.get("code_challenge_method") !== "S256")
      return new Response("No such client", { status: 400 });
    if (asked.get("resource") !== this.url || asked.get("scope") !== "tools")
      return new Response("For what?", { status: 400 });
    const code = `code-${(this.#count += 1)}`;
    this.#codes.set(code, { challenge: asked.get("code_challenge") ?? "", client, to });
    const back = new URL(to);
    back.searchParams.set("code", code);
    back.searchParams.set("state", asked.get("state") ?? "");
    return new Response(null, { status: 302, headers: { location: String(back) } });
  }

  #token(asked: URLSearchParams): Response {
    const grant = asked.get("grant_type") ?? "";
    this.grants.push(grant);
    const refuse = (): Response => Response.json({ error: "invalid_grant" }, { status: 400 });
    if (grant === "refresh_token") {
      if (this.#refresh === "" || asked.get("refresh_token") !== this.#refresh) return refuse();
      return this.#give();
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
    return isRight ? this.#give() : refuse();
  }

  #give(): Response {
    const token = `access-${(this.#count += 1)}-${crypto.randomUUID()}`;
    this.#access.add(token);
    this.#refresh = `refresh-${this.#count}-${crypto.randomUUID()}`;
    return Response.json({
      access_token: token,
      token_type: "Bearer",
      expires_in: 3_600,
      refresh_token: this.#refresh,
      scope: "tools",
    });
  }
}
