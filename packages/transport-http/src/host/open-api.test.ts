import { routes, type Route } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { openApiDocument } from "./open-api.ts";

const documentSchema = z.object({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        responses: z.record(z.string(), z.unknown()),
        security: z.unknown(),
      }),
    ),
  ),
});

test("openApiDocument describes each route of the table once", () => {
  const { paths } = documentSchema.parse(openApiDocument("1.0.0"));

  const described = Object.values(paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );

  expect(described.toSorted()).toEqual(Object.keys(routes).toSorted());
  expect(Object.keys(paths)).toContain("/conversations/{id}/steps/{stepId}/request");
});

test("openApiDocument refers to nothing that it does not hold", () => {
  const document: unknown = openApiDocument("1.0.0");

  const references = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = ""]) => reference),
  );

  expect([...references].toSorted()).toEqual([
    "#/components/responses/Error",
    "#/components/responses/OpenAiError",
    "#/components/schemas/Error",
    "#/components/schemas/OpenAiError",
    "#/components/schemas/TurnEvent",
  ]);
  for (const reference of references) {
    const keys = reference.split("/").slice(1);
    expect({ reference, found: typeof keys.reduce(member, document) }).toEqual({ reference, found: "object" });
  }
});

function member(value: unknown, key: string): unknown {
  return z.record(z.string(), z.unknown()).parse(value)[key];
}

test("openApiDocument says how streams are asked for, and what a turn answers instead of one", () => {
  const { paths } = documentSchema.parse(openApiDocument("1.0.0"));
  const turn = JSON.stringify(paths["/conversations/{id}/turns"]?.["post"]);
  const events = JSON.stringify(paths["/conversations/{id}/events"]?.["get"]);

  for (const part of ['"name":"prefer","in":"header"', '"202"', '"text/event-stream"', '"413"'])
    expect(turn).toContain(part);
  for (const part of ['"name":"last-event-id","in":"header"', '"name":"after","in":"query"', '"text/event-stream"'])
    expect(events).toContain(part);
});

test("openApiDocument says which scope a token needs for each operation", () => {
  const { paths } = documentSchema.parse(openApiDocument("1.0.0"));
  const told = Object.values(paths).flatMap((operations) => Object.values(operations));
  const known = Object.entries<Route>(routes);

  expect(Object.fromEntries(told.map(({ operationId, security }) => [operationId, security]))).toEqual(
    Object.fromEntries(known.map(([name, { access }]) => [name, access === "open" ? [] : [{ token: [access] }]])),
  );
});

test("openApiDocument gives each operation an answer for errors", () => {
  const { paths } = documentSchema.parse(openApiDocument("1.0.0"));

  for (const operations of Object.values(paths)) {
    for (const { responses } of Object.values(operations)) expect(Object.keys(responses)).toContain("default");
  }
});

test("openApiDocument names the errors that a route can answer with, in the shape of its protocol", () => {
  const { paths } = documentSchema.parse(openApiDocument("1.0.0"));
  const errorsOf = (path: string, method: string): readonly string[] =>
    Object.keys(paths[path]?.[method]?.responses ?? {}).filter((status) => Number(status) >= 400);

  expect(errorsOf("/health", "get")).toEqual(["403", "500"]);
  expect(errorsOf("/models", "get")).toEqual(["401", "403", "500", "503"]);
  expect(errorsOf("/conversations", "get")).toEqual(["400", "401", "403", "500", "503"]);
  expect(errorsOf("/conversations/{id}/turns", "post")).toEqual(["400", "401", "403", "404", "413", "500", "503"]);
  for (const [path, operations] of Object.entries(paths)) {
    const shape = path.startsWith("/v1/") ? "#/components/responses/OpenAiError" : "#/components/responses/Error";
    for (const { responses } of Object.values(operations)) expect(responses["default"]).toEqual({ $ref: shape });
  }
});
