import { apiErrorCodeSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { statusByErrorCode } from "./api-error.ts";

/** Codes on which clients depend. Adding codes is compatible, removing or changing any is not. */
const statuses = {
  400: "INVALID_REQUEST INVALID_EVENT_ID INVALID_CURSOR MODEL_UNKNOWN PROFILE_UNKNOWN CWD_INVALID",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN_HOST FORBIDDEN_ORIGIN GRANT_REQUIRED IMPORT_DENIED CAPABILITY_DENIED ID_RESERVED",
  404: "ROUTE_UNKNOWN CONVERSATION_UNKNOWN STEP_UNKNOWN CALL_UNKNOWN APPROVAL_UNKNOWN TOOL_OUTPUT_UNKNOWN TURN_NOT_QUEUED MESSAGE_UNKNOWN PROMPT_UNKNOWN EXTENSION_UNKNOWN TEMPLATE_VERSION_UNKNOWN",
  405: "METHOD_NOT_ALLOWED",
  409: "CONVERSATION_BUSY CONVERSATION_EXISTS NOTHING_TO_COMPACT PROMPT_NOT_CONSTRUCTED APPROVAL_ENDED FORK_POINT_INVALID IDEMPOTENCY_CONFLICT TEMPLATE_CONFLICT EXTENSION_REFUSED DUPLICATE_EXTENSION DUPLICATE_SERVICE DEPENDENCY_CYCLE ACTIVATE_FAILED ACTIVATE_TIMEOUT UNTRUSTED_TEXT",
  410: "RECORD_DELETED",
  413: "BODY_TOO_LARGE TEMPLATE_TOO_LARGE",
  422: "NOT_A_HISTORY MANIFEST_INVALID API_MISMATCH FOLDER_INVALID CODE_INVALID CODE_FAILED SERVICE_NOT_PROVIDED SERVICE_UNDECLARED CONFIG_INVALID CONTRIBUTION_INVALID",
  429: "TOO_MANY_RUNNING",
  500: "STORED_DATA_DAMAGED INTERNAL",
  502: "MODEL_FAILED",
  503: "SERVICE_UNAVAILABLE",
  504: "TIMEOUT",
  507: "STORAGE_FAILED",
} as const;

test("statusByErrorCode keeps the status of each code", () => {
  for (const [status, codes] of Object.entries(statuses)) {
    const known = codes.split(" ").map((code) => [apiErrorCodeSchema.parse(code), Number(status)]);
    expect(statusByErrorCode).toMatchObject(Object.fromEntries(known));
  }
});

test("statusByErrorCode assigns an error status to each code", () => {
  for (const code of apiErrorCodeSchema.options) expect(statusByErrorCode[code]).toBeGreaterThanOrEqual(400);
});
