import type { Explain } from "@incipit/schema";
import { ServiceError, type PromptContext, type PromptHistory } from "@incipit/service-contract";
import type { Composition } from "../compose/composition.ts";
import { DriftCauses } from "./drift-causes.ts";
import type { PromptStore } from "../stored/prompt-store.ts";
import { diffTexts } from "./text-diff.ts";
import type { TokenCounter } from "../compose/token-counter.ts";

export interface PromptHistoryOptions {
  readonly prompts: PromptStore;
  readonly tokens: TokenCounter;
  readonly build: (conversationId: string, cwd: string, context: PromptContext) => Promise<Composition>;
}

export function createPromptHistory({ prompts, tokens, build }: PromptHistoryOptions): PromptHistory {
  return {
    async constructions(conversationId, page) {
      const { items, ...rest } = await prompts.constructions(conversationId, page);
      // oxlint-disable-next-line no-unused-vars -- omits a field that is internal to this package
      return { items: items.map(({ tailStart, ...construction }) => construction), ...rest };
    },

    async constructedText(conversationId, sha256) {
      const text = await prompts.constructedText(conversationId, sha256);
      if (text !== undefined) return text;
      const message = `Conversation "${conversationId}" never had a prompt "${sha256}"`;
      throw new ServiceError("PROMPT_UNKNOWN", message, { next: { action: "list-prompts", conversationId } });
    },

    async drift(conversationId, cwd, context = {}) {
      const kept = await prompts.explain(conversationId);
      if (kept === undefined) return null;
      const now = await build(conversationId, cwd, context);
      const { hunks, ...diff } = await diffTexts(
        { name: "kept", text: kept.text },
        { name: "now", text: now.text },
      );
      const causes = hunks.length === 0 ? undefined : new DriftCauses(kept, now);
      const firstChanged = firstDifference(kept.text, now.text);
      const behind = firstChanged === undefined ? "" : now.text.slice(firstChanged);
      const { sha256, sizeBytes, templateVersion, reason, constructedAt } = kept.record;
      const { explain } = now;
      const model = context.model ?? null;
      return {
        isSame: firstChanged === undefined,
        kept: { sha256, sizeBytes, templateVersion, reason, constructedAt },
        now: pick(explain),
        ...diff,
        hunks: hunks.map((hunk) => ({ ...hunk, causes: causes?.of(hunk) ?? [] })),
        firstChangedByte: firstChanged === undefined ? null : Buffer.byteLength(now.text.slice(0, firstChanged)),
        tokensBehind: await tokens.count(behind, {
          model,
          sha256: `${explain.sha256} behind ${firstChanged ?? "all"}`,
        }),
        keptTokens: await tokens.count(kept.text, { model, sha256 }),
      };
    },
  };
}

function pick({
  sha256,
  sizeBytes,
  templateVersion,
}: Omit<Explain, "tokens" | "isImported">): Pick<Explain, "sha256" | "sizeBytes" | "templateVersion"> {
  return { sha256, sizeBytes, templateVersion };
}

function firstDifference(a: string, b: string): number | undefined {
  if (a === b) return undefined;
  let low = 0;
  let high = Math.min(a.length, b.length);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (a.slice(low, middle) === b.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  const code = b.charCodeAt(low - 1); // NaN before the first unit.
  return code >= 0xd800 && code <= 0xdbff ? low - 1 : low;
}
