import { suggestion } from "@incipit/common/suggestion";
import { tokenScopeSchema, type AccessToken, type TokenScope } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { minuteOf } from "../output/minute-of.ts";
import type { Output } from "../output/output.ts";
import { refuseOptionsOfNew } from "./own-token.ts";
import { tokenLine } from "./token-line.ts";

const defaultDays = 30;

const actions = ["list", "new", "revoke"] as const;

export async function tokens(client: Client, args: Arguments, output: Output): Promise<number> {
  const [word, ...rest] = args.words;
  const action = actions.find((known) => known === word);
  if (action === undefined)
    throw new UsageError(`There is no "token ${word ?? ""}"${suggestion(word ?? "", actions)}`);
  if (action !== "new") refuseOptionsOfNew(args);
  if (action === "revoke") return revoke(client, rest, { isJson: args.isJson, output });
  if (rest.length > 0) throw new UsageError(`"incipit token ${action}" takes no "${rest[0] ?? ""}"`);
  return action === "new" ? make(client, args, output) : list(client, args, output);
}

async function list(client: Client, { isJson }: Arguments, { outLine, outRow, errLine }: Output): Promise<number> {
  const { tokens: all } = await client.call(routes.listTokens);
  for (const token of all) {
    if (isJson) outLine(JSON.stringify(token));
    else outRow(tokenLine(token));
  }
  if (all.length === 0) errLine("No token was made; the host's own, which can do everything: incipit token");
  return 0;
}

/** Only the secret goes to stdout, so that programs can read it. */
async function make(client: Client, args: Arguments, { outLine, errLine }: Output): Promise<number> {
  const body = {
    scopes: scopesOf(args.scope),
    days: daysOf(args.days),
    ...(args.name === undefined ? {} : { name: args.name }),
  };
  const { token, secret } = await client.call(routes.createToken, { body });
  outLine(args.isJson ? JSON.stringify({ ...token, secret }) : secret);
  if (!args.isJson) {
    errLine(
      `Its scope: ${token.scopes.join(", ")}. It is good until ${minuteOf(token.endsAt)}, and is not shown again`,
    );
    errLine(`To end it before: incipit token revoke ${token.id}`);
  }
  return 0;
}

async function revoke(
  client: Client,
  [which, more]: readonly string[],
  { isJson, output: { outLine, errLine } }: { readonly isJson: boolean; readonly output: Output },
): Promise<number> {
  if (which === undefined)
    throw new UsageError('Which token? Write: incipit token revoke ID ("incipit token list" lists them)');
  if (more !== undefined) throw new UsageError(`One token at a time: "${more}" is one too many`);
  const { tokens: all } = await client.call(routes.listTokens);
  const { token } = await client.call(routes.revokeToken, { params: { id: idOf(which, all) } });
  if (isJson) outLine(JSON.stringify(token));
  if (token.state === "ended") errLine(`It had ended on ${minuteOf(token.endsAt)}`);
  else errLine("Nobody can use it any more, nor what was made with it");
  return 0;
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
