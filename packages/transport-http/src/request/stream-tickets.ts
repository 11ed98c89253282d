import { LinkedSignal, type Clock } from "@incipit/kernel";
import { overOf, type KnownCaller } from "./caller.ts";

/** How long a ticket waits for its stream, at first and whenever the stream was cut. */
const waitMs = 60_000;
/** Tickets of one caller that wait; with one more, the oldest of them is no longer good. */
const maxWaiting = 100;

export interface NewTicket {
  /** Who asks for it, and may follow. */
  readonly of: KnownCaller;
  /** Path of the one stream that it opens. */
  readonly path: string;
}

/** A stream that a ticket has opened. */
export interface TicketUse {
  readonly of: KnownCaller;
  /** Aborts when the ticket has opened its stream once more, or who asked for it may not follow any more. */
  readonly over: AbortSignal;
  /** From now on it waits to open its stream again. To be called once the stream has ended. */
  readonly end: () => void;
}

interface Ticket extends NewTicket {
  /** Until when it waits; `undefined`: its stream is open. */
  waitsUntilMs: number | undefined;
  current: AbortController | undefined;
}

/**
 * Tickets of one host, each of which stands in the address of one event stream, where a browser can send no token.
 *
 * - A ticket opens its stream within a minute, and again within a minute after the stream was cut, as browsers do by themselves.
 * - It opens one at a time: a newer one ends the older.
 * - It ends with the token that it was made with, and with the host: it is in memory alone.
 */
export class StreamTickets {
  /** By the hash of what stands in the address; those that have waited longest come first. */
  readonly #tickets = new Map<string, Ticket>();

  newTicket(
    { of, path }: NewTicket,
    clock: Pick<Clock, "now">,
  ): { readonly ticket: string; readonly expiresAtMs: number } {
    this.#makeRoom(of, clock.now());
    const ticket = `incipit_ticket_${crypto.getRandomValues(Buffer.alloc(32)).toString("base64url")}`;
    const waitsUntilMs = clock.now() + waitMs;
    this.#tickets.set(digest(ticket), { of, path, waitsUntilMs, current: undefined });
    return { ticket, expiresAtMs: waitsUntilMs };
  }

  /** @returns `undefined`: it is not good for this, or not any more. */
  use(text: string, path: string, clock: Pick<Clock, "now">): TicketUse | undefined {
    const key = digest(text);
    const ticket = this.#tickets.get(key);
    if (ticket === undefined || ticket.path !== path) return undefined;
    const { of, waitsUntilMs } = ticket;
    const isGone = overOf(of)?.aborted === true;
    if (isGone || (waitsUntilMs !== undefined && waitsUntilMs <= clock.now())) {
      this.#tickets.delete(key);
      return undefined;
    }
    ticket.current?.abort();
    const current = new AbortController();
    ticket.current = current;
    ticket.waitsUntilMs = undefined;
    const linked = new LinkedSignal(current.signal, overOf(of));
    const end = (): void => {
      linked[Symbol.dispose]();
      if (ticket.current !== current) return; // A newer one is open.
      ticket.current = undefined;
      ticket.waitsUntilMs = clock.now() + waitMs;
      // It has begun to wait last.
      if (this.#tickets.delete(key)) this.#tickets.set(key, ticket);
    };
    return { of, over: linked.signal, end };
  }

  /** Nobody's tickets go for those of somebody else. */
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

/** The tickets of the host in this process that has a token, of each generation of its API: a ticket holds over a swap. */
export function streamTicketsOf(token: string): StreamTickets {
  const tickets = known.get(token) ?? new StreamTickets();
  known.set(token, tickets);
  return tickets;
}

/** What one caller has, and no other. */
function nameOf(caller: KnownCaller): string {
  return caller.kind === "owner" ? "" : caller.token.id;
}

function digest(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
