import { readGrant, type ApprovalScope, type Asker, type Grant } from "@incipit/schema";
import type { Clock } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { settle } from "../waits/next-event.ts";

const timeoutMs = 10_000;
/** In UTF-16 units: what is longer nobody reads before an answer. */
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

/** Calls that a person has allowed, and where. */
export interface GivenGrant {
  readonly grant: string;
  /** As the end of "allowed by GRANT of …". */
  readonly of: string;
}

/** By what a call runs unasked. */
export interface Allowance {
  /** As `GRANT of …`. */
  readonly by: string;
  /** The patterns that allow it, which its tool holds it to while it runs; absent: the tool is allowed as a whole. */
  readonly patterns?: readonly string[];
}

/** Which calls of a tool a question and its answers are about. */
export interface CallGrants {
  /** By which of what was allowed beforehand, `kept` in the conversation among it, the call runs unasked. Never rejects. */
  allowedBy(kept: readonly GivenGrant[]): Promise<Allowance | undefined>;
  /** What "always" may stand for beside the whole tool. Never rejects. */
  scopes(): Promise<readonly ApprovalScope[]>;
}

interface CallGrantsOptions {
  /** What the configuration and the turn say: written by a name, and not by whose the tool is. */
  readonly given: readonly GivenGrant[];
  readonly owner: Asker;
  readonly conversationId: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export function callGrants(tool: Tool, input: object, options: CallGrantsOptions): CallGrants {
  const { given, owner, conversationId, cwd, clock, signal } = options;
  /** What a tool cannot tell is not granted; one of another's may be plain JavaScript. */
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
      // One that was not asked about grants nothing.
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

/** Whether a written grant can be for a tool of this owner: a name with "__" is of a configured server, and no pattern is of an added tool. */
function isMeant(grant: string, { kind, name }: Asker): boolean {
  const { server, pattern } = /^(?:(?<server>[^(]+?)__)?[^(]*(?<pattern>\()?/.exec(grant)?.groups ?? {};
  if (server !== undefined) return kind === "server" && name === server;
  return pattern === undefined || kind === "host";
}

function isAbout({ tool }: Grant, name: string): boolean {
  return tool.endsWith("*") ? name.startsWith(tool.slice(0, -1)) : tool === name;
}
