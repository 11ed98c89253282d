/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly more: { readonly errors?: unknown; readonly retryAfterS?: number; readonly isGlobal?: boolean };

  constructor(status: number, code: number, message: string, more: DiscordRefusal["more"] = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }

  toResponse(): Response {
    const { errors, retryAfterS, isGlobal = false } = this.more;
    const limited = retryAfterS === undefined ? {} : { retry_after: retryAfterS, global: isGlobal };
    const body = {
      message: this.message,
      code: this.code,
      ...(errors === undefined ? {} : { errors }),
      ...limited,
    };
    const headers: Record<string, string> =
      retryAfterS === undefined
        ? {}
        : {
            "retry-after": String(Math.ceil(retryAfterS)),
            "x-ratelimit-scope": isGlobal ? "global" : "user",
            ...(isGlobal ? { "x-ratelimit-global": "true" } : {}),
          };
    return Response.json(body, { status: this.status, headers });
  }
}

/** https://docs.discord.com/developers/reference#error-messages */
export function invalidForm(field: string, code: string, message: string): DiscordRefusal {
  const errors = { [field]: { _errors: [{ code, message }] } };
  return new DiscordRefusal(400, 50_035, "Invalid Form Body", { errors });
}
