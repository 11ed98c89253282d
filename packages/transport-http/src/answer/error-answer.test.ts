import { KernelError } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { answerFor } from "./error-answer.ts";
import { errorOf } from "../testing/start-api.ts";

const ignore = (): void => {};
const request = {
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  method: "GET",
  path: "/health",
};

test("answerFor names what the kernel refuses as the API does", async () => {
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
