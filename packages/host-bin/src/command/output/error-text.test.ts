import type { NextAction } from "@incipit/schema";
import { ApiClientError, nextRoute } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { errorText } from "./error-text.ts";
import { recordOutput } from "../testing/recorded-output.ts";

test("[attack:terminal-error-lines] errorText indents lines after the first", () => {
  const error = Object.assign(new Error("Cannot load it\nAllow it? [y/N]\r\nDone\rNo"), { code: "CODE_FAILED" });
  const { output, stderr } = recordOutput();

  output.err(`${errorText(error)}\n`);

  expect(error.message).toMatch(/^Allow it/m);
  expect(stderr()).toBe("Cannot load it\n  Allow it? [y/N]\n  Done\\rNo [CODE_FAILED]\n");
});

test("errorText accepts non-errors and replaces a route with its command", () => {
  const unknown = (next: NextAction): string =>
    errorText(new ApiClientError("STEP_UNKNOWN", `There is none; ${nextRoute(next)}`, { status: 404, next }));

  expect(errorText("broken\noff")).toBe("broken\n  off");
  expect(unknown({ action: "list-conversations" })).toBe(
    'There is none; "incipit conversations" lists them [STEP_UNKNOWN]',
  );
  expect(unknown({ action: "stop", conversationId: "c" })).toBe("There is none [STEP_UNKNOWN]");
});
