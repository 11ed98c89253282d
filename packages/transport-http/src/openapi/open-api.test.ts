import { routes, type Route } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { commonFields } from "./common-fields.ts";
import { examples } from "./examples.ts";
import { openApiDocument } from "./open-api.ts";

const parameterSchema = z.object({
  name: z.string(),
  in: z.string(),
  description: z.string(),
  required: z.boolean(),
});
const operationSchema = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(1),
  description: z.string(),
  tags: z.tuple([z.string()]),
  parameters: z.array(parameterSchema),
  requestBody: z.object({ content: z.record(z.string(), z.looseObject({ example: z.unknown() })) }).optional(),
  responses: z.record(z.string(), z.looseObject({})),
  security: z.unknown(),
});
const documentSchema = z.object({
  openapi: z.string(),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string(), description: z.string().min(1) })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), z.unknown()),
  }),
});

const document = openApiDocument("1.0.0")("http://127.0.0.1:4140");
const { paths, components, tags, servers } = documentSchema.parse(document);
const operations = Object.values(paths).flatMap((of) => Object.values(of));

function member(value: unknown, key: string): unknown {
  return z.record(z.string(), z.unknown()).parse(value)[key];
}

test("openApiDocument describes each route of the table once", () => {
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(routes).toSorted());
  expect(Object.keys(paths)).toContain("/conversations/{id}/steps/{stepId}/request");
});

test("openApiDocument has no dangling and no unused references", () => {
  const references = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = ""]) => reference),
  );

  for (const reference of references) {
    const keys = reference.split("/").slice(1);
    expect({ reference, found: typeof keys.reduce(member, document) }).toEqual({ reference, found: "object" });
  }
  const held = (["schemas", "responses"] as const).flatMap((kind) =>
    Object.keys(components[kind]).map((name) => `#/components/${kind}/${name}`),
  );
  expect([...references].toSorted()).toEqual(held.toSorted());
});

test("openApiDocument describes streams, and the alternative answer of a turn", () => {
  const turn = JSON.stringify(paths["/conversations/{id}/turns"]?.["post"]);
  const events = JSON.stringify(paths["/conversations/{id}/events"]?.["get"]);

  for (const part of ['"name":"prefer","in":"header"', '"202"', '"text/event-stream"', '"413"'])
    expect(turn).toContain(part);
  for (const part of ['"name":"last-event-id","in":"header"', '"name":"after","in":"query"', '"text/event-stream"'])
    expect(events).toContain(part);
});

test("openApiDocument has a schema per stream event with a discriminator", () => {
  const union = z
    .object({
      oneOf: z.array(z.object({ $ref: z.string() })),
      discriminator: z.object({ propertyName: z.literal("type"), mapping: z.record(z.string(), z.string()) }),
    })
    .parse(components.schemas["TurnEvent"]);
  const types = routes.createTurn.response.options.map((option) => option.shape.type.value);

  expect(Object.keys(union.discriminator.mapping)).toEqual(types);
  expect(union.oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(union.discriminator.mapping));
  expect(union.discriminator.mapping["text-delta"]).toBe("#/components/schemas/TextDeltaEvent");
  expect(components.schemas["TextDeltaEvent"]).toMatchObject({
    properties: { type: { const: "text-delta" }, text: { type: "string" } },
    required: expect.arrayContaining(["type", "seq", "turnId", "text"]),
  });
  for (const path of ["/conversations/{id}/turns", "/conversations/{id}/events"])
    expect(JSON.stringify(paths[path])).toContain(
      '"text/event-stream":{"schema":{"$ref":"#/components/schemas/TurnEvent"}',
    );
});

test("openApiDocument names its own server, and assigns each operation a described topic", () => {
  expect(servers).toMatchObject([{ url: "http://127.0.0.1:4140" }]);
  expect([...new Set(operations.flatMap((operation) => operation.tags))].toSorted()).toEqual(
    tags.map(({ name }) => name).toSorted(),
  );
});

test("openApiDocument describes each parameter, and whether it is required", () => {
  const parameters = operations.flatMap((operation) => operation.parameters);

  expect(parameters.filter(({ description }) => !isSentence(description))).toEqual([]);
  expect(
    new Set(parameters.filter(({ in: place, required }) => required && place !== "path").map(({ name }) => name)),
  ).toEqual(new Set(["q"]));
});

function isSentence(text: unknown): boolean {
  return typeof text === "string" && /^[\w`"].{5,219}\.$/.test(text);
}

function* fieldsIn(
  value: unknown,
  path: readonly string[],
): Generator<{ readonly path: readonly string[]; readonly description: unknown }> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (key === "example") continue;
    if (key !== "properties") yield* fieldsIn(part, path);
    else
      for (const [name, field] of Object.entries(z.record(z.string(), z.unknown()).parse(part))) {
        yield { path: [...path, name], description: member(field, "description") };
        yield* fieldsIn(field, [...path, name]);
      }
  }
}

test("openApiDocument describes each operation, schema and field", () => {
  const fields = [
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [...fieldsIn(schema, [name])]),
    ...operations.flatMap(({ operationId, ...operation }) => [...fieldsIn(operation, [operationId])]),
  ];

  expect(fields.length).toBeGreaterThan(1_000);
  expect(fields.filter(({ description }) => !isSentence(description))).toEqual([]);
  expect(Object.values(components.schemas).filter((schema) => !isSentence(member(schema, "description")))).toEqual(
    [],
  );
  expect(operations.filter(({ description }) => !/^[A-Z].{30,}\.$/.test(description))).toEqual([]);
  for (const { summary, description } of operations) expect(description).not.toContain(summary);
});

test("openApiDocument takes descriptions from docblocks of fields, schemas and routes", () => {
  expect(components.schemas["Conversation"]).toMatchObject({
    description: "State of a conversation, without its messages.",
    properties: {
      model: { description: "Default PROVIDER/MODEL of turns." },
      createdAt: { description: "ISO 8601, UTC, milliseconds." },
      epoch: { description: "Number of the epoch, from 1; each compaction starts the next one." },
      questions: { description: "Open questions of tool calls, oldest first." },
    },
  });
  expect(components.schemas["TextDeltaEvent"]).toMatchObject({ description: "Addition to a text." });
  expect(paths["/conversations/{id}/queue"]?.["get"]?.description).toBe(
    "Lists the turns that wait for the running one, or for a resume.",
  );
});

test("commonFields has only names of fields without a docblock", () => {
  const texts = JSON.stringify(document);

  expect(
    Object.entries(commonFields).filter(([, text]) => !texts.includes(`"description":${JSON.stringify(text)}`)),
  ).toEqual([]);
});

test("examples match the schemas of their routes, and are in the document", () => {
  const byName = new Map<
    string,
    { readonly body?: unknown; readonly answer: unknown; readonly asyncAnswer?: unknown }
  >(Object.entries(examples));
  for (const [name, { body, bodyLines, isLines, response, asyncAnswer }] of Object.entries<Route>(routes)) {
    const example = byName.get(name);
    const answer = isLines === true ? z.array(response) : response;
    const taken = body ?? (bodyLines === undefined ? z.undefined() : z.array(bodyLines));
    // Parsing must not drop fields.
    expect({ name, answer: answer.parse(example?.answer) }).toEqual({ name, answer: example?.answer });
    expect({ name, problem: taken.safeParse(example?.body).error?.message }).toEqual({ name, problem: undefined });
    if (asyncAnswer !== undefined)
      expect(asyncAnswer.response.parse(example?.asyncAnswer)).toEqual(example?.asyncAnswer);
    const operation = operations.find(({ operationId }) => operationId === name);
    expect({ name, shown: JSON.stringify(operation?.responses).includes('"example":') }).toEqual({
      name,
      shown: true,
    });
    const shown = Object.values(operation?.requestBody?.content ?? {}).map((content) => content.example);
    if (body !== undefined) expect({ name, shown }).toEqual({ name, shown: [example?.body] });
  }
});

test("openApiDocument leaves answers open for new fields, and bodies closed", () => {
  expect(components.schemas["Conversation"]).not.toHaveProperty("additionalProperties");
  expect(components.schemas["CreateTurnRequest"]).toMatchObject({ additionalProperties: false });
});

test("openApiDocument declares the scope of each operation", () => {
  const known = Object.entries<Route>(routes);

  expect(Object.fromEntries(operations.map(({ operationId, security }) => [operationId, security]))).toEqual(
    Object.fromEntries(
      known.map(([name, { access, alsoNeeds = [] }]) => [
        name,
        access === "open" ? [] : [{ token: [access].concat(alsoNeeds) }],
      ]),
    ),
  );
});

test("openApiDocument declares error answers of each operation", () => {
  for (const { responses } of operations) expect(Object.keys(responses)).toContain("default");
});

test("openApiDocument declares the errors of a route in the format of its protocol", () => {
  const errorsOf = (path: string, method: string): readonly string[] =>
    Object.keys(paths[path]?.[method]?.responses ?? {}).filter((status) => Number(status) >= 400);

  expect(errorsOf("/health", "get")).toEqual(["403", "500"]);
  expect(errorsOf("/models", "get")).toEqual(["401", "403", "500", "503"]);
  expect(errorsOf("/conversations", "get")).toEqual(["400", "401", "403", "500", "503"]);
  expect(errorsOf("/conversations/{id}/turns", "post")).toEqual(["400", "401", "403", "404", "413", "500", "503"]);
  for (const [path, methods] of Object.entries(paths)) {
    const vendor = path.startsWith("/v1/messages") ? "Anthropic" : path.startsWith("/v1/") ? "OpenAi" : "";
    const shape = `#/components/responses/${vendor}Error`;
    for (const { responses } of Object.values(methods)) expect(responses["default"]).toEqual({ $ref: shape });
  }
});

test("openApiDocument declares the error codes of each status", () => {
  const codesOf = (name: string): unknown =>
    ["properties", "error", "properties", "code", "enum"].reduce(member, components.schemas[name]);

  expect(codesOf("Error413")).toEqual(["BODY_TOO_LARGE", "TEMPLATE_TOO_LARGE"]);
  expect(codesOf("Error404")).toContain("CONVERSATION_UNKNOWN");
  expect(codesOf("Error404")).not.toContain("INTERNAL");
  expect(codesOf("Error")).toContain("MODEL_FAILED");
});
