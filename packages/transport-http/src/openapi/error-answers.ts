import { apiErrorCodeSchema, type ApiErrorCode } from "@incipit/schema";
import {
  anthropicErrorResponseSchema,
  errorResponseSchema,
  openAiErrorResponseSchema,
  statusByErrorCode,
  type Route,
} from "@incipit/transport-contract";
import { toJsonSchema, type JsonObject } from "./json-schema.ts";
import { referenceTo } from "./components.ts";

const wordsByStatus: Readonly<Record<number, string>> = {
  400: "The request is not valid, or names a model or a profile that is not configured",
  401: "No token came with the request, or not a good one, or one that has ended",
  403: "The host does not let this through: another site asks, the token lacks the scope, or something was not granted",
  404: "There is no such thing",
  413: "What was sent is too large",
  500: "The host failed; its log says more",
  503: "The part of the host that does this is not there, or not there yet",
};

/** Error `components`: the common schema, and one per status with its codes. */
export function errorComponents(): { readonly schemas: JsonObject; readonly responses: JsonObject } {
  const whole = toJsonSchema(errorResponseSchema);
  const statuses = Object.keys(wordsByStatus).map(Number);
  return {
    schemas: {
      Error: whole,
      OpenAiError: toJsonSchema(openAiErrorResponseSchema),
      AnthropicError: toJsonSchema(anthropicErrorResponseSchema),
      ...Object.fromEntries(statuses.map((status) => [`Error${status}`, withCodes(whole, codesOf(status))])),
    },
    responses: {
      Error: { description: "What was wrong, and what to do", content: json(referenceTo("Error")) },
      OpenAiError: {
        description: "What was wrong, and what to do, as OpenAI's clients expect it",
        content: json(referenceTo("OpenAiError")),
      },
      AnthropicError: {
        description: "What was wrong, and what to do, as Anthropic's clients expect it",
        content: json(referenceTo("AnthropicError")),
      },
      ...Object.fromEntries(
        statuses.map((status) => [
          `Error${status}`,
          {
            description: `${wordsByStatus[status]}. Codes: ${codesOf(status)
              .map((code) => `\`${code}\``)
              .join(", ")}`,
            content: json(referenceTo(`Error${status}`)),
          },
        ]),
      ),
    },
  };
}

const errorByDialect = { openai: "OpenAiError", anthropic: "AnthropicError" } as const;

/** Error responses of a route by status; `default` covers all others. */
export function errorAnswers(route: Route): JsonObject {
  const reference = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` });
  const own = route.dialect === undefined ? undefined : errorByDialect[route.dialect];
  return {
    ...Object.fromEntries(
      errorStatuses(route).map((status) => [String(status), reference(own ?? `Error${status}`)]),
    ),
    default: reference(own ?? "Error"),
  };
}

/** Statuses caused by the request itself; others are `default`. */
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

function codesOf(status: number): readonly ApiErrorCode[] {
  return apiErrorCodeSchema.options.filter((code) => statusByErrorCode[code] === status);
}

/** The error schema, restricted to some codes. */
function withCodes(whole: JsonObject, codes: readonly ApiErrorCode[]): JsonObject {
  const all = JSON.stringify(apiErrorCodeSchema.options);
  return JSON.parse(JSON.stringify(whole).replace(`"enum":${all}`, `"enum":${JSON.stringify(codes)}`));
}

function json(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}
