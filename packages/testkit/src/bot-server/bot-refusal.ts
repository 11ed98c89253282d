/** An answer of the service with `ok: false`. */
export class BotRefusal extends Error {
  readonly status: number;
  readonly retryAfterS: number | undefined;

  /** @param description As the service words it, such as `Bad Request: chat not found`. */
  constructor(status: number, description: string, retryAfterS?: number) {
    super(description);
    this.status = status;
    this.retryAfterS = retryAfterS;
  }

  toResponse(): Response {
    const parameters = this.retryAfterS === undefined ? {} : { parameters: { retry_after: this.retryAfterS } };
    const body = { ok: false, error_code: this.status, description: this.message, ...parameters };
    return Response.json(body, { status: this.status });
  }
}

export function badRequest(what: string): BotRefusal {
  return new BotRefusal(400, `Bad Request: ${what}`);
}
