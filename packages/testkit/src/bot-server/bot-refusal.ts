/** https://core.telegram.org/bots/api#responseparameters */
export interface BotRefusalParameters {
  readonly retryAfterS?: number;
  readonly migrateToChatId?: number;
}

export class BotRefusal extends Error {
  readonly status: number;
  readonly #parameters: BotRefusalParameters;

  /** @param description The service's wording, such as `Bad Request: chat not found`. */
  constructor(status: number, description: string, parameters: BotRefusalParameters = {}) {
    super(description);
    this.status = status;
    this.#parameters = parameters;
  }

  toResponse(): Response {
    const { retryAfterS, migrateToChatId } = this.#parameters;
    const given = {
      ...(retryAfterS === undefined ? {} : { retry_after: retryAfterS }),
      ...(migrateToChatId === undefined ? {} : { migrate_to_chat_id: migrateToChatId }),
    };
    const parameters = Object.keys(given).length === 0 ? {} : { parameters: given };
    const body = { ok: false, error_code: this.status, description: this.message, ...parameters };
    return Response.json(body, { status: this.status });
  }
}

export function badRequest(what: string): BotRefusal {
  return new BotRefusal(400, `Bad Request: ${what}`);
}
