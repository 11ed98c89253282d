import { KernelError } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { answerFor } from "./error-answer.ts";
import { errorOf } from "../testing/start-api.ts";

const ignore = (): void => {};
const request = {
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  method: "GET",
  path: "/health",
};

test("answerFor maps kernel errors to API errors", async () => {
  for (const [code, expected, status] of [
    ["SCOPE_CLOSED", "SERVICE_UNAVAILABLE", 503],
    ["GENERATION_GONE", "SERVICE_UNAVAILABLE", 503],
    ["RELEASE_FAILED", "ACTIVATE_FAILED", 409],
    ["STORED_VALUE_INVALID", "STORED_DATA_DAMAGED", 500],
    ["SCHEMA_NEWER", "ACTIVATE_FAILED", 409],
    ["MIGRATION_FAILED", "ACTIVATE_FAILED", 409],
    ["CAPABILITY_DENIED", "CAPABILITY_DENIED", 403],
  ] as const) {
    const answer = answerFor(new KernelError(code, "why", { extension: "acme.x" }), request);
    expect(await errorOf(answer)).toEqual({
      status,
      code: expected,
      message: "why",
      details: { extension: "acme.x" },
    });
  }
});

test("answerFor appends the route of the next action to the message, and includes it as data", async () => {
  const next = { action: "list-conversations" } as const;
  const answer = answerFor(new ServiceError("CONVERSATION_UNKNOWN", "There is none", { next }), request);

  expect(await errorOf(answer)).toEqual({
    status: 404,
    code: "CONVERSATION_UNKNOWN",
    message: "There is none; GET /conversations lists them",
    next,
  });
});

test("answerFor ignores an unknown next action", async () => {
  const odd = Object.assign(new ServiceError("CONVERSATION_UNKNOWN", "There is none"), {
    next: { action: "erase" },
  });

  expect(await errorOf(answerFor(odd, request))).toEqual({
    status: 404,
    code: "CONVERSATION_UNKNOWN",
    message: "There is none",
  });
});
