import { lazySchema } from "@incipit/schema";
import * as z from "zod";

const name = z.union([z.string(), z.number()]).nullish().catch(undefined);
const errorSchema = lazySchema(() =>
  z.looseObject({ message: z.string(), type: z.string().nullish().catch(undefined), code: name }),
);

export interface OpenaiStreamError {
  readonly message: string;
  readonly type?: string;
  readonly code?: string | number;
  readonly statusCode: number;
  readonly data: unknown;
}

export function openaiStreamError(event: unknown): OpenaiStreamError | undefined {
  const { data: said } = errorSchema.safeParse(event);
  if (said === undefined || said.type === "response.failed") return undefined;
  if (typeof said.type !== "string" && !("code" in said) && !("param" in said)) return undefined;
  const [type, code] = [said.type ?? undefined, said.code ?? undefined];
  return {
    message: said.message,
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    statusCode: statusOf(code, type),
    data: event,
  };
}

/** By substrings of code or type; the first match applies. */
const statuses = [
  ["insufficient_quota", 429],
  ["rate_limit", 429],
  ["authentication", 401],
  ["permission", 403],
  ["not_found", 404],
  ["invalid", 400],
  ["bad_request", 400],
  ["context_length", 400],
  ["overload", 503],
  ["timeout", 504],
] as const;

function statusOf(code: string | number | undefined, type: string | undefined): number {
  const status = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code;
  if (typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599) return status;
  const words = [code, type]
    .filter((word) => word !== undefined)
    .join(" ")
    .toLowerCase();
  return statuses.find(([word]) => words.includes(word))?.[1] ?? 500;
}
