import { shownLine } from "@incipit/host/text";
import type { AccessToken } from "@incipit/schema";

/** A token in one line, such as `ID  until 2026-12-23  used 2026-11-23 14:00 UTC  read, converse  laptop`. */
export function tokenLine({ id, name, scopes, state, endsAt, revokedAt, lastUsedAt }: AccessToken): string {
  const when = {
    active: `until ${dayOf(endsAt)}`,
    ended: `ended ${dayOf(endsAt)}`,
    revoked: `revoked ${dayOf(revokedAt ?? endsAt)}`,
  }[state];
  const used = lastUsedAt === null ? "never used" : `used ${lastUsedAt.slice(0, 16).replace("T", " ")} UTC`;
  return `${id}  ${when.padEnd(18)}  ${used.padEnd(25)}  ${scopes.join(", ")}  ${shownLine(name ?? "-")}`;
}

function dayOf(time: string): string {
  return time.slice(0, 10);
}
