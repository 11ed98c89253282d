import { escapeHiddenLine } from "@incipit/schema/text";
import type { AccessToken } from "@incipit/schema";
import { minuteOf } from "../output/minute-of.ts";

/** `ID  made 2026-11-23  until 2026-12-23  used 2026-11-23 14:00 UTC  read, converse  laptop` */
export function tokenLine(token: AccessToken): string {
  const { id, kind, name, scopes, state, createdAt, endsAt, revokedAt, lastUsedAt } = token;
  const when = {
    active: `until ${dayOf(endsAt)}`,
    ended: `ended ${dayOf(endsAt)}`,
    revoked: `revoked ${dayOf(revokedAt ?? endsAt)}`,
  }[state];
  const used = lastUsedAt === null ? "never used" : `used ${minuteOf(lastUsedAt)}`;
  const may = kind === "browser" ? "all, signed in" : scopes.join(", ");
  return `${id}  made ${dayOf(createdAt)}  ${when.padEnd(18)}  ${used.padEnd(25)}  ${may}  ${escapeHiddenLine(name ?? "-")}`;
}

function dayOf(time: string): string {
  return time.slice(0, 10);
}
