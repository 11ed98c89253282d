import { sha256Hex } from "@incipit/common";
import { LinkedSignal, type Clock } from "@incipit/kernel";
import { accessSignal, type KnownCaller } from "./caller.ts";

/** Before the stream opens, initially and after each disconnect. */
const waitMs = 60_000;
/** Per caller; the oldest is dropped. */
const maxWaiting = 100;

export interface NewTicket {
  readonly of: KnownCaller;
  readonly path: string;
}

export interface TicketUse {
  readonly of: KnownCaller;
  /** Aborts when the ticket opens its stream again, or its caller loses access. */
  readonly over: AbortSignal;
  /** The ticket waits for its stream again; call it when the stream has ended. */
  readonly end: () => void;
}

interface Ticket extends NewTicket {
  waitsUntilMs: number | undefined;
  current: AbortController | undefined;
}

/**
 * Authorize one event stream by its URL, for browsers, which cannot send a token there. A ticket opens its stream
 * within a minute, and again within a minute after a disconnect, as browsers do automatically. A newer stream ends the
 * older. Tickets end with their token, and with the host: they are kept in memory.
 */
export class StreamTickets {
  /** By hash of the secret; longest waiting first. */
  readonly #tickets = new Map<string, Ticket>();

  newTicket(
    { of, path }: NewTicket,
    clock: Pick<Clock, "now">,
  ): { readonly ticket: string; readonly expiresAtMs: number } {
    this.#makeRoom(of, clock.now());
    const ticket = `incipit_ticket_${crypto.getRandomValues(Buffer.alloc(32)).toString("base64url")}`;
    const waitsUntilMs = clock.now() + waitMs;
    this.#tickets.set(sha256Hex(ticket), { of, path, waitsUntilMs, current: undefined });
    return { ticket, expiresAtMs: waitsUntilMs };
  }

  /** `undefined` if invalid, expired or for another stream. */
  use(text: string, path: string, clock: Pick<Clock, "now">): TicketUse | undefined {
    const key = sha256Hex(text);
    const ticket = this.#tickets.get(key);
    if (ticket === undefined || ticket.path !== path) return undefined;
    const { of, waitsUntilMs } = ticket;
    const isGone = accessSignal(of)?.aborted === true;
    if (isGone || (waitsUntilMs !== undefined && waitsUntilMs <= clock.now())) {
      this.#tickets.delete(key);
      return undefined;
    }
    ticket.current?.abort();
    const current = new AbortController();
    ticket.current = current;
    ticket.waitsUntilMs = undefined;
    const linked = new LinkedSignal(current.signal, accessSignal(of));
    const end = (): void => {
      linked[Symbol.dispose]();
      if (ticket.current !== current) return;
      ticket.current = undefined;
      ticket.waitsUntilMs = clock.now() + waitMs;
      if (this.#tickets.delete(key)) this.#tickets.set(key, ticket);
    };
    return { of, over: linked.signal, end };
  }

  /** Drops only tickets of the same caller. */
  #makeRoom(of: KnownCaller, nowMs: number): void {
    const waiting: string[] = [];
    for (const [key, ticket] of this.#tickets) {
      if (ticket.waitsUntilMs === undefined) continue;
      if (ticket.waitsUntilMs <= nowMs) this.#tickets.delete(key);
      else if (nameOf(ticket.of) === nameOf(of)) waiting.push(key);
    }
    for (const key of waiting.slice(0, Math.max(0, waiting.length + 1 - maxWaiting))) this.#tickets.delete(key);
  }
}

const known = new Map<string, StreamTickets>();

export function streamTicketsOf(token: string): StreamTickets {
  const tickets = known.get(token) ?? new StreamTickets();
  known.set(token, tickets);
  return tickets;
}

function nameOf(caller: KnownCaller): string {
  return caller.kind === "owner" ? "" : caller.token.id;
}
