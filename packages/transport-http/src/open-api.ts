import { errorResponseSchema, routes, turnEventSchema, type Route } from "@incipit/transport-contract";
import * as z from "zod";

type JsonObject = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of the route table (https://spec.openapis.org/oas/v3.1.1.html). */
export function openApiDocument(version: string): JsonObject {
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
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Error: toSchema(errorResponseSchema), TurnEvent: toSchema(turnEventSchema) },
    },
  };
}

function operation(operationId: string, route: Route): JsonObject {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: toSchema(schema, "input"),
  }));
  const events = {
    "text/event-stream": {
      schema: { type: "string", description: "Events of the schema TurnEvent, one in each `data`" },
    },
  };
  const json = { "application/json": { schema: toSchema(route.response) } };
  const error = {
    description: "What was wrong, and what to do",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
  return {
    operationId,
    summary: route.summary,
    parameters: [...inPath, ...inQuery],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: toSchema(route.body, "input") } },
          },
        }),
    ...(route.isOpen === true ? { security: [] } : {}),
    responses: {
      [String(route.status)]: { description: route.summary, content: route.isStream === true ? events : json },
      ...(operationId === "createTurn"
        ? { "202": { description: "Acknowledged; follow …/events", content: json } }
        : {}),
      default: error,
    },
  };
}

function toSchema(schema: z.core.$ZodType, io: "input" | "output" = "output"): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
