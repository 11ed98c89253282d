import { tokenScopeSchema, turnEventSchema, type ApiErrorCode } from "@incipit/schema";
import {
  errorResponseSchema,
  exportContentType,
  openAiErrorResponseSchema,
  routes,
  statusByErrorCode,
  type Route,
} from "@incipit/transport-contract";
import * as z from "zod";

type JsonObject = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of the route table (https://spec.openapis.org/oas/v3.1.1.html). */
export function openApiDocument(version: string): JsonObject & { readonly openapi: string } {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const [operationId, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(operationId, route) };
  }
  return {
    openapi: "3.1.1",
    info: { title: "Incipit", version, license: { name: "MIT", identifier: "MIT" } },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: `A token of the host. Each operation names the scope that a token needs for it (${tokenScopeSchema.options.join(", ")}); "owner": the host's own token, which has all of them, or a browser that is signed in to its page`,
        },
      },
      schemas: {
        Error: toSchema(errorResponseSchema),
        OpenAiError: toSchema(openAiErrorResponseSchema),
        TurnEvent: toSchema(turnEventSchema),
      },
      responses: {
        Error: {
          description: "What was wrong, and what to do",
          content: json({ $ref: "#/components/schemas/Error" }),
        },
        OpenAiError: {
          description: "What was wrong, and what to do, as OpenAI's clients expect it",
          content: json({ $ref: "#/components/schemas/OpenAiError" }),
        },
      },
    },
  };
}

function operation(operationId: string, route: Route): JsonObject {
  const { params, query, headers, body, bodyLines, asyncAnswer } = route;
  return {
    operationId,
    summary: route.summary,
    parameters: [...parameters("path", params), ...parameters("query", query), ...parameters("header", headers)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(toSchema(body, "input")) } }),
    ...(bodyLines === undefined ? {} : { requestBody: { required: true, content: lines(bodyLines) } }),
    security: security(route),
    responses: {
      [String(route.status)]: {
        description: route.summary,
        content: contentOf(route),
      },
      ...(asyncAnswer === undefined
        ? {}
        : {
            [String(asyncAnswer.status)]: {
              description: "Acknowledged: it continues on its own",
              content: json(toSchema(asyncAnswer.response)),
            },
          }),
      ...Object.fromEntries(errorStatuses(route).map((status) => [String(status), errorReference(route)])),
      default: errorReference(route),
    },
  };
}

/** What a token needs for it; for a bearer token these names are documentation. */
function security({ access }: Route): readonly JsonObject[] {
  return access === "open" ? [] : [{ token: [access] }];
}

function errorReference({ isOpenAi }: Route): JsonObject {
  return { $ref: `#/components/responses/${isOpenAi === true ? "OpenAiError" : "Error"}` };
}

/** OpenAPI 3.1 has no schema for one event of a stream; the reference says which one it is to who looks for it. */
const events: JsonObject = {
  "text/event-stream": {
    schema: {
      type: "string",
      description: "Events: `id` is `seq`, `event` is `type`, `data` is a TurnEvent as JSON",
      "x-event-data": { $ref: "#/components/schemas/TurnEvent" },
    },
  },
};

function contentOf({ isStream, isLines, response, chunk }: Route): JsonObject {
  if (isStream === true) return events;
  if (chunk !== undefined) return { ...json(toSchema(response)), ...chunks(chunk) };
  return isLines === true ? lines(response) : json(toSchema(response));
}

/** Nor has it one for what is asked for in the body. */
function chunks(schema: z.ZodType): JsonObject {
  const description = "With `stream: true`: `data` is a chunk as JSON; behind the last one comes `[DONE]`";
  return { "text/event-stream": { schema: { type: "string", description, "x-event-data": toSchema(schema) } } };
}

/** Nor has it one for a line. */
function lines(schema: z.ZodType): JsonObject {
  const description = "JSON Lines: one JSON value in each line";
  return { [exportContentType]: { schema: { type: "string", description, "x-line": toSchema(schema) } } };
}

function json(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

/** What can go wrong with the request itself; the rest is `default`. */
function errorStatuses({ access, params, query, body, bodyLines }: Route): readonly number[] {
  const takesInput = params !== undefined || query !== undefined || (body ?? bodyLines) !== undefined;
  const codes: readonly (ApiErrorCode | false)[] = [
    takesInput && "INVALID_REQUEST",
    access !== "open" && "UNAUTHORIZED",
    "FORBIDDEN_HOST",
    params !== undefined && "CONVERSATION_UNKNOWN",
    (body ?? bodyLines) !== undefined && "BODY_TOO_LARGE",
    "INTERNAL",
    access !== "open" && "SERVICE_UNAVAILABLE",
  ];
  return codes.flatMap((code) => (code === false ? [] : [statusByErrorCode[code]]));
}

function parameters(place: "path" | "query" | "header", schema: z.ZodObject | undefined): readonly JsonObject[] {
  return Object.entries(schema?.shape ?? {}).map(([name, value]) => ({
    name,
    in: place,
    required: place === "path",
    schema: toSchema(value, "input"),
  }));
}

/** @throws for what has no JSON Schema: a contract that cannot be shown must not pass its tests. */
function toSchema(schema: z.core.$ZodType, io: "input" | "output" = "output"): JsonObject {
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(schema, { io });
  const anyJson = new Set(Object.values(z.toJSONSchema(z.array(z.json())).$defs ?? {}).map(withoutReferences));
  if (!Object.values($defs).every((recursive) => anyJson.has(withoutReferences(recursive))))
    throw new Error("A schema refers to itself: give it a place in the components");
  return JSON.parse(withoutReferences(rest));
}

/** The one schema that refers to itself is that of any JSON value; `{}` says the same. */
function withoutReferences(schema: object): string {
  return JSON.stringify(schema).replaceAll(/\{"\$ref":"#\/\$defs\/__schema\d+"\}/g, "{}");
}
