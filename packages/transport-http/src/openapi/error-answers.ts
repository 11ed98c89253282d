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

const descriptionByStatus: Readonly<Record<number, string>> = {
  400: "Invalid request, or unknown model or profile",
  401: "Missing, invalid or expired token",
  403: "Rejected because of the host or origin, the scope of the token, or a missing permission",
  404: "Not found",
  413: "Request too large",
  500: "Failure of the host; see its log",
  503: "A required service is not available",
};

export function errorComponents(): { readonly schemas: JsonObject; readonly responses: JsonObject } {
  const whole = toJsonSchema(errorResponseSchema);
  const statuses = Object.keys(descriptionByStatus).map(Number);
  return {
    schemas: {
      Error: whole,
      OpenAiError: toJsonSchema(openAiErrorResponseSchema),
      AnthropicError: toJsonSchema(anthropicErrorResponseSchema),
      ...Object.fromEntries(
        statuses.map((status) => [
          `Error${status}`,
          { ...withCodes(whole, codesOf(status)), description: `${descriptionByStatus[status]}.` },
        ]),
      ),
    },
    responses: {
      Error: { description: "Problem and solution", content: json(referenceTo("Error")) },
      OpenAiError: {
        description: "Problem and solution, in OpenAI's format",
        content: json(referenceTo("OpenAiError")),
      },
      AnthropicError: {
        description: "Problem and solution, in Anthropic's format",
        content: json(referenceTo("AnthropicError")),
      },
      ...Object.fromEntries(
        statuses.map((status) => [
          `Error${status}`,
          {
            description: `${descriptionByStatus[status]}. Codes: ${codesOf(status)
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

function withCodes(whole: JsonObject, codes: readonly ApiErrorCode[]): JsonObject {
  const all = JSON.stringify(apiErrorCodeSchema.options);
  return JSON.parse(JSON.stringify(whole).replace(`"enum":${all}`, `"enum":${JSON.stringify(codes)}`));
}

function json(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}
