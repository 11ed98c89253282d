import { expect, test } from "bun:test";
import * as z from "zod";
import { apiErrorCodeSchema, statusByErrorCode } from "./api-error.ts";
import { routes, type Route } from "./routes.ts";
import { turnEventSchema } from "./turn-event.ts";

const table = Object.entries<Route>(routes);

test("routes have one entry for each method and path", () => {
  const keys = table.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ":")}`);

  expect(new Set(keys).size).toBe(keys.length);
});

test("routes give a schema to each parameter of their path, and to no other", () => {
  for (const [name, { path, params }] of table) {
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter ?? "");
    expect({ name, params: Object.keys(params?.shape ?? {}) }).toEqual({ name, params: inPath });
  }
});

test("routes' schemas can all be written as JSON Schema", () => {
  for (const [name, { response, asyncAnswer, ...input }] of table) {
    const written = [response, asyncAnswer?.response]
      .filter((schema) => schema !== undefined)
      .map((schema) => z.toJSONSchema(schema));
    const read = [input.params, input.query, input.headers, input.body]
      .filter((schema) => schema !== undefined)
      .map((schema) => z.toJSONSchema(schema, { io: "input" }));
    expect({ name, isObject: [...written, ...read].every((schema) => typeof schema === "object") }).toEqual({
      name,
      isObject: true,
    });
  }
});

test("routes' bodies refuse a key that they do not know, and name it", () => {
  const bodies = table.flatMap(([name, { body }]) => (body === undefined ? [] : [{ name, body }]));
  expect(bodies.length).toBeGreaterThan(0);

  for (const { name, body } of bodies) {
    const issues = body.safeParse({ nonsense: 1 }).error?.issues ?? [];
    expect({
      name,
      keys: issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : [])),
    }).toEqual({
      name,
      keys: ["nonsense"],
    });
  }
});

test("routes are closed but for the health of the host", () => {
  expect(table.filter(([, route]) => route.isOpen === true).map(([name]) => name)).toEqual(["getHealth"]);
});

test("statusByErrorCode gives an error status to each code", () => {
  for (const code of apiErrorCodeSchema.options) expect(statusByErrorCode[code]).toBeGreaterThanOrEqual(400);
});

test("turnEventSchema refuses an event without its number, turn or time", () => {
  const event = {
    type: "turn-start",
    seq: 1,
    turnId: "01a1fcd7-5c9a-7556-afda-76769002c75c",
    at: "2026-01-01T00:00:00.000Z",
    input: "Hello",
  };

  expect(turnEventSchema.safeParse(event).success).toBe(true);
  for (const key of ["seq", "turnId", "at"])
    expect(turnEventSchema.safeParse({ ...event, [key]: undefined }).success).toBe(false);
  expect(turnEventSchema.safeParse({ ...event, seq: 0 }).success).toBe(false);
  expect(turnEventSchema.safeParse({ ...event, at: "2026-01-01T00:00:00+01:00" }).success).toBe(false);
});
