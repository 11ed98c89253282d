import { plainObject, type PlainObject, tryParseJson } from "@incipit/common";
import { shownBody } from "@incipit/common/http";
import * as z from "zod";
import { ServerFailure } from "./server-failure.ts";

export interface SignInAnswer {
  readonly status: number;
  readonly text: string;
  readonly url: string;
}

export interface SignInRequest {
  readonly method: string;
  readonly body: unknown;
  readonly serverUrl: string;
}

const text = z.string().min(1);
const optionalText = text.optional().catch(undefined);
const optionalFlag = z.boolean().optional().catch(undefined);
/**
 * The library rejects a whole response for one mistyped member.
 * @throws {ServerFailure} when a member without a default is missing.
 */
export function mendedSignInAnswer(answer: SignInAnswer, request: SignInRequest): Response {
  const { status, text: body } = answer;
  const json = objectIn(body);
  if (request.method !== "POST") {
    if (status < 200 || status > 299) return new Response(body, { status });
    // Some sites answer every path with a page instead of metadata.
    if (json === undefined) return new Response(null, { status: 404 });
    const isResource =
      "authorization_servers" in json || answer.url.includes("/.well-known/oauth-protected-resource");
    return Response.json(isResource ? resourceIn(json, answer, request) : authorizationServerIn(json, answer));
  }
  const isRegistration = typeof request.body === "string" && request.body.startsWith("{");
  if (status < 200 || status > 299) {
    if (isRegistration) return new Response(body, { status });
    return Response.json(errorIn(json, answer), { status });
  }
  return Response.json(isRegistration ? clientIn(json, answer, request.body) : tokensIn(json, answer));
}

function resourceIn(json: PlainObject, { url }: SignInAnswer, { serverUrl }: SignInRequest): object {
  const { resource, authorization_servers, scopes_supported } = json;
  const servers = textsOf(authorization_servers)?.map((one) => absolute(one, url));
  return {
    resource: absolute(optionalText.parse(resource) ?? serverUrl, url),
    ...(servers === undefined || servers.length === 0 ? {} : { authorization_servers: servers }),
    scopes_supported: textsOf(scopes_supported),
  };
}

function authorizationServerIn(json: PlainObject, { url }: SignInAnswer): object {
  const required = (name: string): string => {
    const address = optionalText.parse(json[name]);
    if (address === undefined) throw new ServerFailure(`has no "${name}" in ${url}, which the sign-in needs`);
    return httpAddress(name, absolute(address, url));
  };
  const registration = optionalText.parse(json["registration_endpoint"]);
  const issuer = optionalText.parse(json["issuer"]) ?? url.replace(/\/\.well-known\/[^/?]+/, "");
  return {
    issuer: withoutSlash(issuer),
    authorization_endpoint: required("authorization_endpoint"),
    token_endpoint: required("token_endpoint"),
    ...(registration === undefined
      ? {}
      : { registration_endpoint: httpAddress("registration_endpoint", absolute(registration, url)) }),
    response_types_supported: textsOf(json["response_types_supported"]) ?? ["code"],
    grant_types_supported: textsOf(json["grant_types_supported"]),
    token_endpoint_auth_methods_supported: textsOf(json["token_endpoint_auth_methods_supported"]),
    code_challenge_methods_supported: textsOf(json["code_challenge_methods_supported"]),
    scopes_supported: textsOf(json["scopes_supported"]),
    client_id_metadata_document_supported: optionalFlag.parse(json["client_id_metadata_document_supported"]),
    authorization_response_iss_parameter_supported: optionalFlag.parse(
      json["authorization_response_iss_parameter_supported"],
    ),
    // Required by OpenID Connect, and unused here.
    jwks_uri: new URL("/jwks", url).href,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

function tokensIn(json: PlainObject | undefined, answer: SignInAnswer): object {
  const given = json ?? formIn(answer.text);
  const { access_token, token_type, refresh_token, scope, expires_in } = given;
  const accessToken = optionalText.parse(access_token);
  if (accessToken === undefined) {
    if (typeof given["error"] === "string") return errorIn(given, answer);
    throw new ServerFailure(`returned no "access_token": ${answer.url} answered with ${shownPage(json, answer)}`);
  }
  const seconds = z.coerce.number().positive().safeParse(expires_in);
  return {
    access_token: accessToken,
    token_type: optionalText.parse(token_type) ?? "Bearer",
    refresh_token: optionalText.parse(refresh_token),
    scope: optionalText.parse(scope) ?? textsOf(scope)?.join(" "),
    expires_in: seconds.data,
  };
}

/** Returns the title of a page. Other bodies can contain a token or a secret that was not recognized. */
function shownPage(json: PlainObject | undefined, { text }: SignInAnswer): string {
  return json === undefined && /^\s*</.test(text) ? shownBody(text) : "no text in it";
}

function clientIn(json: PlainObject | undefined, answer: SignInAnswer, sent: unknown): object {
  const id = json?.["client_id"];
  if (typeof id !== "string" && typeof id !== "number")
    throw new ServerFailure(
      `returned no "client_id" when the host registered: ${answer.url} answered with ${shownPage(json, answer)}`,
    );
  const asked = objectIn(sent);
  return {
    client_id: String(id),
    client_secret: optionalText.parse(json?.["client_secret"]),
    token_endpoint_auth_method: optionalText.parse(json?.["token_endpoint_auth_method"]),
    redirect_uris: asked?.["redirect_uris"],
  };
}

function errorIn(json: PlainObject | undefined, { status, text: body }: SignInAnswer): object {
  const error = optionalText.parse(json?.["error"]);
  const said = optionalText.parse(json?.["error_description"]) ?? optionalText.parse(json?.["message"]);
  if (error !== undefined) return { error, error_description: said ?? error };
  return { error: "server_error", error_description: `HTTP status ${status}: ${said ?? shownBody(body)}` };
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return value.split(/[\s,]+/);
  return Array.isArray(value) ? value.filter((one: unknown) => typeof one === "string") : undefined;
}

/** Removes a trailing slash, in which metadata and responses may differ. */
export function withoutSlash(issuer: string): string {
  return issuer.endsWith("/") ? issuer.slice(0, -1) : issuer;
}

function absolute(address: string, base: string): string {
  if (URL.canParse(address)) return address; // Servers compare it as text.
  return URL.canParse(address, base) ? new URL(address, base).href : address;
}

function httpAddress(name: string, address: string): string {
  if (/^https?:/i.test(address) && URL.canParse(address)) return address;
  throw new ServerFailure(`names an address as "${name}" that is not an http: or https: one: ${address}`);
}

function objectIn(body: unknown): PlainObject | undefined {
  return typeof body === "string" ? plainObject(tryParseJson(body)) : undefined;
}

/** Parses an answer in form encoding, which old servers use. */
function formIn(body: string): PlainObject {
  return /^[\w.~%+-]+=[^\s<]*$/.test(body.trim()) ? Object.fromEntries(new URLSearchParams(body.trim())) : {};
}
