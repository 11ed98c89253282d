import type { JsonValue } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { refusalOf, signIn, startSignInWorld } from "./testing/sign-in-world.ts";

type Options = NonNullable<Parameters<typeof startSignInWorld>[1]>;

interface Quirk {
  readonly options: Options;
  readonly settings?: Readonly<Record<string, JsonValue>>;
  readonly attempts?: number;
}

const page = "<!DOCTYPE html>\n<html><head><title>Blocked</title></head>\n<body>\n<h1>Go away</h1></body></html>";
const html = (status: number): Response => new Response(page, { status, headers: { "content-type": "text/html" } });

/** Its options need the origin, which is known once the server runs. */
interface OriginQuirk extends Omit<Quirk, "options"> {
  readonly options: (origin: () => string) => Options;
}

function issuerAt(issuer: () => string): Options {
  return { metadata: () => ({ issuer: issuer() }), callback: () => ({ iss: issuer() }) };
}

/** Responses of real authorization servers that deviate from the specifications and still work. */
const usable: Readonly<Record<string, Quirk | OriginQuirk>> = {
  "metadata with its required fields alone": {
    options: {
      metadata: () => ({
        response_types_supported: undefined,
        grant_types_supported: undefined,
        code_challenge_methods_supported: undefined,
        token_endpoint_auth_methods_supported: undefined,
      }),
    },
  },
  "metadata with null members and empty addresses": {
    options: {
      metadata: () => ({
        scopes_supported: null,
        grant_types_supported: null,
        revocation_endpoint: null,
        service_documentation: "",
        introspection_endpoint_auth_methods_supported: null,
      }),
    },
  },
  "metadata with members of another type": {
    options: {
      metadata: () => ({
        scopes_supported: "tools other",
        response_types_supported: "code",
        client_id_metadata_document_supported: "false",
        service_documentation: { en: "https://docs.acme.dev" },
      }),
    },
  },
  "relative endpoints": {
    options: {
      metadata: () => ({
        authorization_endpoint: "/authorize",
        token_endpoint: "/token",
        registration_endpoint: "/register",
      }),
    },
  },
  "metadata without an issuer": { options: { metadata: () => ({ issuer: undefined }) } },
  "metadata at the path of OpenID Connect, without its required fields": {
    options: { metadataPath: "/.well-known/openid-configuration" },
  },
  "a page instead of resource metadata": {
    options: { resource: () => html(200), requestedResource: null },
  },
  "resource metadata without a resource": {
    options: { resource: () => ({ resource: undefined, scopes_supported: null }) },
  },
  "resource metadata with null members": {
    options: { resource: () => ({ scopes_supported: null, jwks_uri: null, resource_name: null }) },
  },
  "resource metadata without authorization servers": {
    options: { resource: () => ({ authorization_servers: null }) },
  },
  "a relative address of the resource metadata": {
    options: {
      challenge: 'Bearer resource_metadata="/.well-known/oauth-protected-resource/mcp", scope="tools"',
    },
  },
  "two schemes in one challenge": {
    options: {
      challenge:
        'Basic realm="acme", Bearer resource_metadata="/.well-known/oauth-protected-resource/mcp", scope="tools"',
    },
  },
  "a challenge without parameters": { options: { challenge: "Bearer" }, settings: { oauth_scope: "tools" } },
  "tokens with null members": { options: { tokens: () => ({ scope: null, id_token: null, issuer: null }) } },
  "expires_in as text": { options: { tokens: () => ({ expires_in: "3600" }) } },
  "expires_in as null": { options: { tokens: () => ({ expires_in: null }) } },
  "expires_in as words": { options: { tokens: () => ({ expires_in: "never" }) } },
  "scope as a list": { options: { tokens: () => ({ scope: ["tools"] }) } },
  "token_type in lower case": { options: { tokens: () => ({ token_type: "bearer" }) } },
  "token_type in upper case": { options: { tokens: () => ({ token_type: "BEARER" }) } },
  "tokens without a type": { options: { tokens: () => ({ token_type: undefined }) } },
  "tokens as a form": {
    options: {
      tokens: ({ access_token, refresh_token }) =>
        new Response(
          new URLSearchParams({
            access_token: String(access_token),
            refresh_token: String(refresh_token),
            token_type: "bearer",
            scope: "",
          }).toString(),
          { headers: { "content-type": "application/x-www-form-urlencoded" } },
        ),
    },
  },
  "a registered client with null members": {
    options: {
      registration: () => ({
        client_secret: null,
        client_uri: "",
        logo_uri: null,
        scope: null,
        contacts: null,
        jwks: null,
      }),
    },
  },
  "a registered client with its id alone": {
    options: {
      registration: () => ({
        redirect_uris: undefined,
        client_name: undefined,
        token_endpoint_auth_method: undefined,
      }),
    },
  },
  "a registered client with times as text": {
    options: { registration: () => ({ client_id_issued_at: "1790000000", client_secret_expires_at: "0" }) },
  },
  "a client with a secret that is sent in the body alone": {
    options: {
      metadata: () => ({ token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"] }),
      registration: () => ({
        client_secret: "s3cret-of-the-client",
        token_endpoint_auth_method: "client_secret_post",
      }),
      isClient: (headers, body) =>
        !headers.has("authorization") && body.get("client_secret") === "s3cret-of-the-client",
    },
  },
  "a scope that each refresh has to name": {
    options: {
      isClient: (_, body) => body.get("grant_type") !== "refresh_token" || body.get("scope") === "tools",
      tokens: () => ({ scope: undefined }),
    },
  },
  "a scope that no refresh may name": {
    options: {
      tokens: (_, asked) => (asked.has("scope") ? Response.json({ error: "invalid_scope" }, { status: 400 }) : {}),
    },
    attempts: 2,
  },
  "a client of a method with a secret that gets none": {
    options: { registration: () => ({ token_endpoint_auth_method: "client_secret_basic" }) },
  },
  "a configured scope in place of the supported ones": {
    options: { metadata: () => ({ scopes_supported: ["tools", "offline_access"] }) },
    settings: { oauth_scope: "tools" },
  },
  "no resource metadata, at the origin of the server": {
    options: {
      challenge: "Bearer",
      resource: () => new Response("Not found", { status: 404 }),
      requestedResource: null,
    },
    settings: { oauth_scope: "tools" },
  },
  "an issuer with a trailing slash": { options: (origin) => issuerAt(() => `${origin()}/`) },
  "an issuer at another path of its origin": { options: (origin) => issuerAt(() => `${origin()}/tenant`) },
  "no registration of clients without a secret": {
    options: {
      metadata: () => ({ token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"] }),
      registration: ({ token_endpoint_auth_method: method }) =>
        method === "client_secret_post" || method === "client_secret_basic"
          ? { client_secret: "s3cret-of-the-client" }
          : Response.json({ error: "invalid_client_metadata" }, { status: 400 }),
      isClient: (_, body) => body.get("client_secret") === "s3cret-of-the-client",
    },
  },
};

for (const [quirk, { options, settings, attempts = 1 }] of Object.entries(usable))
  test(`sign-in, call and refresh succeed with an authorization server with ${quirk}`, async () => {
    let origin = "";
    const chosen = typeof options === "function" ? options(() => origin) : options;
    await using world = await startSignInWorld(settings, chosen);
    ({ origin } = world.server);

    await signIn(world);
    const called = await world.world.call("x__echo");
    world.server.expire();
    const renewed = await world.world.call("x__echo");

    expect([called, renewed]).toEqual(["done", "done"]);
    const renewals = Array.from({ length: attempts }, () => "refresh_token");
    expect(world.server.grants).toEqual(["authorization_code", ...renewals]);
  });

test("sign-in accepts a configured issuer and rejects a response of another issuer", async () => {
  const issuer = "https://accounts.acme.dev";
  let iss = issuer;
  await using world = await startSignInWorld(
    { oauth_server: issuer },
    { metadata: () => ({ issuer }), callback: () => ({ iss }) },
  );

  await signIn(world);
  iss = "https://evil.example";
  const refusal = await refusalOf(signIn(world));

  expect(await world.world.call("x__echo")).toBe("done");
  expect(refusal).toContain(iss);
});

const nowhere = "http://127.0.0.1:9";
const refused: Readonly<Record<string, Quirk & { readonly says: readonly string[] }>> = {
  "is unreachable": {
    options: { issuer: () => nowhere, granted: [nowhere] },
    settings: { oauth_server: nowhere },
    says: ["127.0.0.1:9"],
  },
  "answers with a token that cannot be read": {
    options: { tokens: (issued) => new Response(`)]}'\n${JSON.stringify(issued)}`) },
    says: ["access_token"],
  },
  "answers a registration with a secret and without an id": {
    options: { registration: () => Response.json({ client_secret: "s3cret-of-the-client" }) },
    says: ["client_id"],
  },
  "refuses registration": {
    options: {
      registration: () =>
        Response.json({ error: "invalid_client_metadata", error_description: "Not allowlisted" }, { status: 403 }),
    },
    says: ["Not allowlisted", "oauth_client_id"],
  },
  "refuses registration with a page": {
    options: { registration: () => html(403) },
    says: ["403", "Blocked", "oauth_client_id"],
  },
  "answers a registration with a page": { options: { registration: () => html(200) }, says: ["Blocked"] },
  "has no registration": {
    options: { metadata: () => ({ registration_endpoint: null }) },
    says: ["oauth_client_id"],
  },
  "has no authorization endpoint": {
    options: { metadata: () => ({ authorization_endpoint: undefined }) },
    says: ["authorization_endpoint"],
  },
  "is another than its metadata says": {
    options: { metadata: () => ({ issuer: "https://evil.example" }) },
    says: ["https://evil.example", 'oauth_server = "https://evil.example"'],
  },
  "is for another address of the server": {
    options: { resource: () => ({ resource: "http://localhost:1/mcp" }) },
    says: ["http://localhost:1/mcp", '"url"'],
  },
  "issues no token": { options: { tokens: () => ({ access_token: null }) }, says: ["access_token"] },
  "answers the code with a page": { options: { tokens: () => html(502) }, says: ["502", "Blocked"] },
  "answers the code with an error and status 200": {
    options: {
      tokens: () => Response.json({ error: "bad_verification_code", error_description: "The code is too old" }),
    },
    says: ["The code is too old"],
  },
  "answers with an error without a description": {
    options: { tokens: () => Response.json({ error: "invalid_grant", error_description: null }, { status: 400 }) },
    says: ["invalid_grant"],
  },
};

for (const [what, { options, settings, says }] of Object.entries(refused))
  test(`sign-in fails with a one-line message when the authorization server ${what}`, async () => {
    await using world = await startSignInWorld(settings, options);

    const refusal = await refusalOf(signIn(world));

    expect(refusal).toStartWith("SIGN_IN_FAILED");
    for (const part of says) expect(refusal).toContain(part);
    expect(refusal).not.toMatch(/[\n<]|Zod|SyntaxError|s3cret|(?:access|refresh)-\d/);
    expect(refusal.length).toBeLessThan(500);
  });

test("a failed refresh names the reason: a server error keeps the sign-in, a rejection asks to sign in", async () => {
  let answer: Response | undefined;
  await using world = await startSignInWorld({}, { tokens: () => answer ?? {} });
  await signIn(world);
  world.server.expire();
  const call = async (response: Response | undefined): Promise<string> => {
    answer = response;
    return world.world.call("x__echo");
  };

  const failed = await call(html(503));
  expect(failed).toContain("503");
  expect(failed).not.toContain("mcp login");
  expect(await call(undefined)).toBe("done");
  world.server.expire();
  const rejection = { error: "invalid_target", error_description: "No such resource" };
  expect(await call(Response.json(rejection, { status: 400 }))).toMatch(/No such resource.*incipit mcp login x/);
});

test("a server that fails with status 500 after sign-in suggests a new sign-in", async () => {
  let hasLost = false;
  await using world = await startSignInWorld({}, { mcp: () => (hasLost ? html(500) : undefined) });
  await signIn(world);

  hasLost = true;
  const failed = await world.world.call("x__echo");

  expect(failed).toContain('answered with HTTP status 500; if that lasts, sign in with "incipit mcp login x"');
});

test("sign-in follows a redirect within an origin", async () => {
  const redirect = (): Response => new Response(null, { status: 307, headers: { location: "/register" } });
  await using world = await startSignInWorld(
    {},
    { registration: () => (world.server.clients === 1 ? redirect() : {}) },
  );

  await signIn(world);

  expect(await world.world.call("x__echo")).toBe("done");
  expect(world.server.clients).toBe(2);
});
