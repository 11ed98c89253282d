import { tokenScopeSchema } from "@incipit/schema";
import { exportContentType, routes, type Route } from "@incipit/transport-contract";
import * as z from "zod";
import { commonFields } from "./common-fields.ts";
import { ComponentSchemas } from "./components.ts";
import { errorAnswers, errorComponents } from "./error-answers.ts";
import { examples, topics } from "./examples.ts";
import { toJsonSchema, type JsonObject } from "./json-schema.ts";
import { withInheritedDescriptions } from "./inherited-descriptions.ts";

const description = [
  "The HTTP API of a host for AI agents that builds, inspects and audits what it sends to models.",
  "Send `Authorization: Bearer TOKEN` with each request; `incipit token` prints the token. Requests and responses are JSON; times are ISO 8601 in UTC. Newer versions of the host may add fields to responses.",
  '**Errors** have one shape: `{ "error": { "code", "message", "details"?, "next"? } }`. Codes are stable; messages state the problem and the remedy, and may change.',
  "**Streams** are server-sent events. `id` is the number of the event in its conversation, `event` its type, `data` a `TurnEvent` as JSON: the schema of `text/event-stream` is that of each event. To resume, send the last `id` you received as `Last-Event-ID`.",
].join("\n\n");

interface Example {
  readonly body?: unknown;
  readonly answer: unknown;
  readonly asyncAnswer?: unknown;
}

const describedSchema = z.object({ description: z.string() });

/**
 * OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1.html), without version and origin of a host. Descriptions are
 * docblocks, so `loadDocblocks` comes before the import of this module.
 */
export function createDocument(): unknown {
  const schemas = new ComponentSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  const exampleByName = new Map<string, Example>(Object.entries(examples));
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    const written = operation(name, route, exampleByName.get(name));
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: schemas.shared(written) };
  }
  const errors = errorComponents();
  return withInheritedDescriptions({
    openapi: "3.1.1",
    info: { title: "Incipit", description, license: { name: "MIT", identifier: "MIT" } },
    security: [{ token: [] }],
    tags: topics.map(({ name, description: words }) => ({ name, description: words })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: `A token of the host. Each operation names the required scope (${tokenScopeSchema.options.join(", ")}); "owner": the host's own token, which has all of them, or a browser that is signed in to its page`,
        },
      },
      schemas: { ...schemas.all(), ...schemas.sharedIn(errors.schemas) },
      responses: errors.responses,
    },
  });
}

function operation(operationId: string, route: Route, example: Example | undefined): JsonObject {
  const { params, query, headers, asyncAnswer } = route;
  const topic = topics.find(({ examples: own }) => operationId in own);
  return {
    operationId,
    summary: route.summary,
    ...describedSchema.parse(route),
    ...(topic === undefined ? {} : { tags: [topic.name] }),
    parameters: [...parameters("path", params), ...parameters("query", query), ...parameters("header", headers)],
    ...requestBody(route, example),
    security: security(route),
    responses: {
      [String(route.status ?? 200)]: { description: answerWords(route), content: answerContent(route, example) },
      ...(asyncAnswer === undefined
        ? {}
        : {
            [String(asyncAnswer.status)]: {
              description: "With `Prefer: respond-async`: accepted, and continues in the background",
              content: json(toJsonSchema(asyncAnswer.response), example?.asyncAnswer),
            },
          }),
      ...errorAnswers(route),
    },
  };
}

/** For a bearer token, scopes are documentation only. */
function security({ access, alsoNeeds }: Route): readonly JsonObject[] {
  return access === "open" ? [] : [{ token: [access, ...(alsoNeeds === undefined ? [] : [alsoNeeds])] }];
}

function requestBody({ body, bodyLines, isBodyOptional }: Route, example: Example | undefined): JsonObject {
  if (body !== undefined)
    return {
      requestBody: { required: isBodyOptional !== true, content: json(toJsonSchema(body, "input"), example?.body) },
    };
  return bodyLines === undefined
    ? {}
    : { requestBody: { required: true, content: lines(bodyLines, example?.body) } };
}

function answerWords({ isStream, isLines, chunk }: Route): string {
  if (isStream === true) return "The events, as soon as they are stored";
  if (isLines === true) return "JSON Lines: one JSON value in each line";
  if (chunk === undefined) return "Done";
  return "The whole answer; with `stream: true` its chunks as events, `[DONE]` behind the last one";
}

/**
 * The schema of a stream is that of each event's data: OpenAPI 3.1 has no better place, and generators read it this
 * way.
 */
function answerContent({ isStream, isLines, response, chunk }: Route, example: Example | undefined): JsonObject {
  if (isLines === true) return lines(response, example?.answer);
  const media = { schema: toJsonSchema(response), ...(example === undefined ? {} : { example: example.answer }) };
  if (isStream === true) return { "text/event-stream": media };
  const chunks = chunk === undefined ? {} : { "text/event-stream": { schema: toJsonSchema(chunk) } };
  return { "application/json": media, ...chunks };
}

/** OpenAPI 3.1 has no schema for lines, so generators treat the body as a string. */
function lines(schema: z.ZodType, example: unknown): JsonObject {
  const words = "JSON Lines: one JSON value in each line";
  const text = z
    .array(z.unknown())
    .safeParse(example)
    .data?.map((line) => `${JSON.stringify(line)}\n`);
  return {
    [exportContentType]: {
      schema: { type: "string", description: words, "x-line": toJsonSchema(schema) },
      ...(text === undefined ? {} : { example: text.join("") }),
    },
  };
}

function json(schema: JsonObject, example: unknown): JsonObject {
  return { "application/json": { schema, ...(example === undefined ? {} : { example }) } };
}

function parameters(place: "path" | "query" | "header", schema: z.ZodObject | undefined): readonly JsonObject[] {
  return Object.entries<z.core.$ZodType>(schema?.shape ?? {}).map(([name, value]) => {
    const { description: words, ...rest } = toJsonSchema(value, "input");
    const required = place === "path" || !z.safeParse(value, undefined).success;
    return { name, in: place, description: words ?? commonFields[name], required, schema: rest };
  });
}
