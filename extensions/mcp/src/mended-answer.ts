import { plainObject, asString, withoutNulls, type PlainObject } from "@incipit/common";
import type { OpenRequest } from "@incipit/common/programs";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/client";
import { mendedContent, mendedResource, shownValue, valueBlock } from "./mended-content.ts";

const knownVersions: ReadonlySet<unknown> = new Set(SUPPORTED_PROTOCOL_VERSIONS);

const listKeys: Readonly<Record<string, string>> = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
};

const versionKey = "io.modelcontextprotocol/protocolVersion";

export function mendedAnswer(result: unknown, request: OpenRequest): PlainObject | undefined {
  const mended = mendedResult(result, request);
  if (mended === undefined) return undefined;
  const { _meta: meta, ...members } = mended;
  const isModern = plainObject(request.params["_meta"])?.[versionKey] !== undefined;
  return {
    ...members,
    ...(plainObject(meta) === undefined ? {} : { _meta: meta }),
    ...(isModern && typeof members["resultType"] !== "string" ? { resultType: "complete" } : {}),
  };
}

function mendedResult(result: unknown, { method, params }: OpenRequest): PlainObject | undefined {
  const given = plainObject(result);
  const members = given === undefined ? undefined : withoutNulls(given);
  // The server sends a request before its answer.
  if (members?.["resultType"] === "input_required") return members;
  const listKey = listKeys[method];
  if (listKey !== undefined) return mendedList(result, members, listKey);
  switch (method) {
    case "initialize":
      return members === undefined ? undefined : mendedInitialize(members, params);
    case "server/discover":
      return members === undefined ? undefined : { ...members, capabilities: mendedCapabilities(members) };
    case "tools/call":
      return mendedCall(result, members);
    case "prompts/get":
      return mendedPrompt(result, members);
    case "resources/read":
      return mendedRead(result, members, asString(params["uri"]) ?? "");
    default:
      return members ?? (result === null || result === undefined ? {} : undefined);
  }
}

function mendedList(result: unknown, members: PlainObject | undefined, key: string): PlainObject | undefined {
  if (Array.isArray(result)) return { [key]: result };
  if (members === undefined) return undefined;
  const named = plainObject(members[key]);
  if (named === undefined) return { ...members, [key]: members[key] ?? [] };
  // An object keyed by name instead of a list.
  const entries = Object.entries(named).map(([name, entry]) => ({ name, ...plainObject(entry) }));
  return { ...members, [key]: entries };
}

function mendedInitialize(members: PlainObject, asked: PlainObject): PlainObject {
  const { protocolVersion, serverInfo, instructions, ...others } = members;
  const about = plainObject(serverInfo) ?? {};
  return {
    ...others,
    // A server that answers the handshake supports its messages, regardless of the version it claims.
    protocolVersion: knownVersions.has(protocolVersion) ? protocolVersion : asked["protocolVersion"],
    capabilities: mendedCapabilities(members),
    serverInfo: { name: asString(about["name"]) ?? "", version: asString(about["version"]) ?? "" },
    ...(typeof instructions === "string" ? { instructions } : {}),
  };
}

/** `true` means an empty object and null means absent; only flags of each capability are used. */
function mendedCapabilities({ capabilities }: PlainObject): PlainObject {
  const entries = Object.entries(plainObject(capabilities) ?? {}).flatMap(([name, given]) => {
    if (given === true) return [[name, {}]];
    const members = plainObject(given);
    if (members === undefined) return [];
    const flags = Object.entries(members).filter(
      ([, value]) => typeof value === "boolean" || plainObject(value) !== undefined,
    );
    return [[name, Object.fromEntries(flags)]];
  });
  return Object.fromEntries(entries);
}

const callMembers = new Set(["_meta", "content", "isError", "resultType", "structuredContent"]);

function mendedCall(result: unknown, members: PlainObject | undefined): PlainObject {
  if (members === undefined) return { content: mendedContent(result) };
  const { _meta: meta, content, structuredContent, isError, resultType } = members;
  const blocks = mendedContent(content);
  const isSilent = !blocks.some(
    ({ type, text }) => type !== "text" || (typeof text === "string" && text.trim() !== ""),
  );
  const structured = plainObject(structuredContent);
  const others = Object.entries(members).filter(([name]) => !callMembers.has(name));
  const isOthers = isSilent && structuredContent === undefined && others.length > 0;
  return {
    content: [
      ...(isSilent && structuredContent !== undefined ? [] : blocks),
      ...(isSilent && structuredContent !== undefined && structured === undefined
        ? [valueBlock(structuredContent)]
        : []),
      ...(isOthers ? [valueBlock(Object.fromEntries(others))] : []),
    ],
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError === true || isError === "true" ? { isError: true } : {}),
    ...(meta === undefined ? {} : { _meta: meta }),
    ...(resultType === undefined ? {} : { resultType }),
  };
}

function mendedPrompt(result: unknown, members: PlainObject | undefined): PlainObject | undefined {
  const given: unknown = members === undefined ? result : members["messages"];
  if (given === undefined || given === null) return undefined;
  const entries: readonly unknown[] = Array.isArray(given) ? given : [given];
  const messages = entries.flatMap((entry) => {
    const message = plainObject(entry);
    const role = message?.["role"] === "assistant" ? "assistant" : "user";
    return mendedContent(message === undefined ? entry : message["content"]).map((content) => ({ role, content }));
  });
  const { description, ...others } = members ?? {};
  return { ...others, ...(typeof description === "string" ? { description } : {}), messages };
}

function mendedRead(result: unknown, members: PlainObject | undefined, uri: string): PlainObject | undefined {
  const given: unknown = members === undefined ? result : members["contents"];
  if (given === undefined || given === null) return undefined;
  const entries: readonly unknown[] = Array.isArray(given) ? given : [given];
  const contents = entries.flatMap((entry) => {
    if (entry === null || entry === undefined) return [];
    return [mendedResource(entry, uri) ?? { uri, text: shownValue(entry) }];
  });
  return { ...members, contents };
}

/** Repairs parameters in which a server sends numbers as strings. */
export function mendedParams(method: string, params: PlainObject): PlainObject {
  if (method !== "notifications/progress") return params;
  const numbers = ["progressToken", "progress", "total"].flatMap((name) => {
    const value = params[name];
    return typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? [[name, Number(value)]] : [];
  });
  return { ...params, ...Object.fromEntries(numbers) };
}
