import { suggestion } from "@incipit/common/suggestion";
import { type AccessToken, type TokenScope, tokenScopeSchema } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";
import { UsageError } from "../registry/usage-error.ts";
import { minuteOf } from "../output/minute-of.ts";
import { escapeHiddenLine } from "@incipit/schema/text";
import { tokenOf } from "@incipit/host/data-folder";

const defaultDays = 30;

export async function listTokens({
  args: { isJson },
  output: { outLine, outRow, errLine },
  host,
}: Call): Promise<void> {
  const { tokens: all } = await (await host.client()).call(routes.listTokens);
  for (const token of all) {
    if (isJson) outLine(JSON.stringify(token));
    else outRow(tokenLine(token));
  }
  if (all.length === 0) errLine("No token was created; the host's own, with full access: incipit token");
}

/** Creates a token. Prints only the secret to stdout, so that programs can read it. */
export async function newToken({
  args,
  output: { outLine, errLine },
  host,
}: Call<[], "scopes" | "days" | "name">): Promise<void> {
  const name = args.name === undefined ? {} : { name: args.name };
  const body = { scopes: scopesOf(args.scopes), days: daysOf(args.days), ...name };
  const { token, secret } = await (await host.client()).call(routes.createToken, { body });
  outLine(args.isJson ? JSON.stringify({ ...token, secret }) : secret);
  if (!args.isJson) {
    errLine(`Scopes: ${token.scopes.join(", ")}. It expires on ${minuteOf(token.endsAt)} and is not shown again`);
    errLine(`To revoke it: incipit token revoke ${token.id}`);
  }
}

export async function revokeToken({
  words: [which],
  args: { isJson },
  output: { outLine, errLine },
  host,
}: Call<[token: string]>): Promise<void> {
  const client = await host.client();
  const { tokens: all } = await client.call(routes.listTokens);
  const { token } = await client.call(routes.revokeToken, { params: { id: idOf(which, all) } });
  if (isJson) outLine(JSON.stringify(token));
  if (token.state === "ended") errLine(`It had ended on ${minuteOf(token.endsAt)}`);
  else errLine("It no longer works, nor do sign-ins made with it");
}

function idOf(which: string, all: readonly AccessToken[]): string {
  if (all.some(({ id }) => id === which)) return which;
  const named = all.filter(({ name, state }) => name === which && state === "active");
  const [first] = named;
  if (first === undefined) return which;
  if (named.length === 1) return first.id;
  throw new UsageError(`Several tokens have the name "${which}": ${named.map(({ id }) => id).join(", ")}`);
}

function scopesOf(given: string | undefined): TokenScope[] {
  const known = tokenScopeSchema.options;
  if (given === undefined)
    throw new UsageError(`What may it do? Write --scope with some of ${known.join(", ")}: --scope read,converse`);
  return given.split(",").map((word) => {
    const scope = tokenScopeSchema.safeParse(word.trim());
    if (scope.success) return scope.data;
    throw new UsageError(`"${word}" is not a scope${suggestion(word, known)}`);
  });
}

function daysOf(given: string | undefined): number {
  if (given === undefined) return defaultDays;
  if (/^[1-9]\d{0,3}$/.test(given)) return Number(given);
  throw new UsageError(`"${given}" is not a number of days; write such as --days 30`);
}

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

export async function ownToken({ args, output, host }: Call): Promise<void> {
  const token = tokenOf((await host.load()).dataFolder);
  output.outLine(args.isJson ? JSON.stringify({ token }) : token);
}
