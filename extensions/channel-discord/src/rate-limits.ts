import { setNewest } from "@incipit/common/channels";
import type { Clock } from "@incipit/kernel";
import type { RestCall } from "./rest-client.ts";

const maxRoutes = 1_000;
const defaultDelayMs = 5_000;

/**
 * A limit applies to a route with its channel, such as `POST /channels/1/messages`, or to everything:
 * https://docs.discord.com/developers/topics/rate-limits
 */
export class RateLimits {
  readonly #clock: Clock;
  readonly #untilMs = new Map<string, number>();
  #allUntilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  waitMs(call: RestCall): number {
    const nowMs = this.#clock.now();
    // Interaction responses are exempt from the global limit.
    const allUntilMs = call.isOpen === true ? 0 : this.#allUntilMs;
    return Math.max(this.#untilMs.get(routeOf(call)) ?? 0, allUntilMs) - nowMs;
  }

  note(
    call: RestCall,
    { status, headers }: Response,
    refusal: { readonly retryAfterMs: number | undefined; readonly isGlobal: boolean } | undefined,
  ): void {
    const nowMs = this.#clock.now();
    if (status === 429 && refusal !== undefined) {
      const untilMs = nowMs + (refusal.retryAfterMs ?? defaultDelayMs);
      if (refusal.isGlobal) this.#allUntilMs = untilMs;
      else setNewest(this.#untilMs, routeOf(call), untilMs, maxRoutes);
      return;
    }
    const resetAfterMs = Number(headers.get("x-ratelimit-reset-after") ?? Number.NaN) * 1_000;
    if (headers.get("x-ratelimit-remaining") === "0" && resetAfterMs > 0)
      setNewest(this.#untilMs, routeOf(call), nowMs + Math.ceil(resetAfterMs), maxRoutes);
    else this.#untilMs.delete(routeOf(call));
  }
}

function routeOf({ method, path }: RestCall): string {
  const [, kind = "", id = "", ...rest] = (path.split("?", 1)[0] ?? "").split("/");
  return `${method} ${kind}/${id}/${rest.map((part) => (/^\d+$/.test(part) ? ":id" : part)).join("/")}`;
}
