import { readGrant, type ApprovalScope, type Requester, type Grant } from "@incipit/schema";
import type { Clock } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { settle } from "../waits/next-event.ts";

const timeoutMs = 10_000;
/** In UTF-16 units; longer text would not be read before answering. */
const maxScopeLength = 16_384;
const patternsSchema = z.array(z.string());
const toolScopesSchema = z
  .array(
    z.object({
      id: z.string().min(1),
      label: z.string().max(200),
      covers: z.string().max(maxScopeLength),
      patterns: patternsSchema.min(1),
    }),
  )
  .max(8);

export interface GivenGrant {
  readonly grant: string;
  /** The end of "allowed by GRANT of …". */
  readonly of: string;
}

export interface Allowance {
  readonly by: string;
  readonly patterns?: readonly string[];
}

export interface CallGrants {
  /** From the configuration, the turn, or `kept` of the conversation. Never rejects. */
  allowedBy(kept: readonly GivenGrant[]): Promise<Allowance | undefined>;
  /** Narrower than the whole tool. Never rejects. */
  scopes(): Promise<readonly ApprovalScope[]>;
}

interface CallGrantsOptions {
  /** From the configuration and the turn; they name tools without an owner. */
  readonly given: readonly GivenGrant[];
  readonly owner: Requester;
  readonly conversationId: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export function callGrants(tool: Tool, input: object, options: CallGrantsOptions): CallGrants {
  const { given, owner, conversationId, cwd, clock, signal } = options;
  /** A failure grants nothing; third-party tools may return any value. */
  const ask = async <Answer>(
    asked: () => Promise<unknown>,
    schema: z.ZodType<Answer[]>,
  ): Promise<readonly Answer[]> => {
    try {
      const next = await settle(asked(), { timeoutMs, clock, signal });
      return next.kind === "value" ? schema.parse(next.value) : [];
    } catch {
      return [];
    }
  };
  const called = { conversationId, cwd, signal: AbortSignal.any([signal]) };
  return {
    async allowedBy(kept) {
      const written = given.filter(({ grant }) => isMeant(grant, owner));
      const about = [...written, ...kept].flatMap(({ grant, of }) => {
        const read = readGrant(grant);
        return read.kind === "grant" && isAbout(read.grant, tool.name)
          ? [{ pattern: read.grant.pattern, text: `${grant} of ${of}` }]
          : [];
      });
      const whole = about.find(({ pattern }) => pattern === undefined);
      if (whole !== undefined) return { by: whole.text };
      const patterns = about.flatMap(({ pattern }) => pattern ?? []);
      if (patterns.length === 0 || tool.grantedBy === undefined) return undefined;
      const by = await ask(async () => tool.grantedBy?.(input, { ...called, patterns }), patternsSchema);
      // Ignore patterns that were not offered to the tool.
      const texts = by.map((pattern) => about.find((one) => one.pattern === pattern)?.text);
      if (texts.length === 0 || texts.includes(undefined)) return undefined;
      return { by: [...new Set(texts)].join(", "), patterns: by };
    },
    async scopes() {
      const told = await ask(async () => tool.scopes?.(input, called) ?? [], toolScopesSchema);
      return told
        .map(({ id, label, covers, patterns }) => ({
          id,
          label,
          covers,
          grants: patterns.map((pattern) => `${tool.name}(${pattern})`),
        }))
        .filter(({ grants }) => grants.every((grant) => readGrant(grant).kind === "grant"));
    },
  };
}

/** A name with "__" requires a configured server, and patterns require a host tool. */
function isMeant(grant: string, { kind, name }: Requester): boolean {
  const { server, pattern } = /^(?:(?<server>[^(]+?)__)?[^(]*(?<pattern>\()?/.exec(grant)?.groups ?? {};
  if (server !== undefined) return kind === "server" && name === server;
  return pattern === undefined || kind === "host";
}

function isAbout({ tool }: Grant, name: string): boolean {
  return tool.endsWith("*") ? name.startsWith(tool.slice(0, -1)) : tool === name;
}
