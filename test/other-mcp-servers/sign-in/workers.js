import { plugin } from "bun";
import { answerMcp } from "./tools.js";

// The library imports a Workers module, of which it needs one base class.
plugin({
  name: "cloudflare:workers",
  setup(build) {
    build.module("cloudflare:workers", () => ({
      exports: {
        WorkerEntrypoint: function WorkerEntrypoint() {},
      },
      loader: "object",
    }));
  },
});
const { OAuthProvider, AuthorizationError } = await import("@cloudflare/workers-oauth-provider");

const port = Number(process.argv[2]);
const origin = `http://127.0.0.1:${port}`;

/** In-memory substitute for Workers KV. */
class Namespace {
  entries = new Map();
  async get(key, options) {
    const value = this.entries.get(key);
    if (value === undefined) return null;
    return (options?.type ?? options) === "json" ? JSON.parse(value) : value;
  }
  async put(key, value) {
    this.entries.set(key, value);
  }
  async delete(key) {
    this.entries.delete(key);
  }
  async list({ prefix = "" } = {}) {
    const keys = [...this.entries.keys()].filter((name) => name.startsWith(prefix)).map((name) => ({ name }));
    return { keys, list_complete: true };
  }
}

async function authorize(request, oauth) {
  if (request.method === "GET") {
    const asked = await oauth.parseAuthRequest(request);
    const { clientName, scope } = await oauth.describeConsent(asked);
    const { headers, handle } = await oauth.beginConsent(asked);
    headers.set("content-type", "text/html; charset=utf-8");
    const boxes = scope.map((name) => `<input type="checkbox" name="scope" value="${name}" checked>`).join("");
    const page = `<h1>Allow ${Bun.escapeHTML(clientName)}?</h1><form method="post">
<input type="hidden" name="handle" value="${Bun.escapeHTML(handle)}">${boxes}
<button name="decision" value="approve">Allow</button> <button name="decision" value="deny">Deny</button></form>`;
    return new Response(page, { headers });
  }
  const form = await request.formData();
  const handle = String(form.get("handle"));
  if (form.get("decision") !== "approve") {
    const { headers } = await oauth.denyConsent(request, handle);
    return new Response(null, { status: 302, headers });
  }
  const approved = await oauth.approveConsent(request, handle, { scope: form.getAll("scope").map(String) });
  const { redirectTo } = await oauth.completeAuthorization({
    request: approved.request,
    userId: "somebody",
    metadata: {},
    scope: approved.request.scope,
    props: {},
  });
  approved.headers.set("location", redirectTo);
  return new Response(null, { status: 302, headers: approved.headers });
}

const env = { OAUTH_KV: new Namespace() };
const provider = new OAuthProvider({
  apiRoute: "/mcp",
  apiHandler: { fetch: answerMcp },
  defaultHandler: {
    async fetch(request, { OAUTH_PROVIDER }) {
      const { pathname } = new URL(request.url);
      if (pathname === "/expire") {
        const issued = [...env.OAUTH_KV.entries.keys()].filter((key) => key.startsWith("token:"));
        for (const key of issued) env.OAUTH_KV.entries.delete(key);
        return new Response(String(issued.length));
      }
      if (pathname !== "/authorize") return new Response("Not found", { status: 404 });
      try {
        return await authorize(request, OAUTH_PROVIDER);
      } catch (error) {
        if (!(error instanceof AuthorizationError)) throw error;
        return new Response(error.description, { status: 400 });
      }
    },
  },
  authorizeEndpoint: "/authorize",
  tokenEndpoint: "/oauth/token",
  clientRegistrationEndpoint: "/oauth/register",
  scopesSupported: ["notes:read", "offline_access"],
  requiredScopes: ["notes:read"],
  resourceMetadata: { resource: `${origin}/mcp`, authorization_servers: [origin] },
});

Bun.serve({
  hostname: "127.0.0.1",
  port,
  fetch: (request) =>
    provider.fetch(request, env, { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }),
});
