import { routes } from "@incipit/transport-contract";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { compareWords } from "../text/compare-words.ts";

export type SideText =
  | { readonly state: "none" }
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: unknown }
  | {
      readonly state: "ready";
      readonly text: string;
      /** Why there is no text; an existing text may be empty. */
      readonly absence: string | undefined;
    };

type Found = Pick<Extract<SideText, { readonly state: "ready" }>, "text" | "absence">;

export function useSideText(chosen: string | undefined): SideText {
  const loaded = useLoad(async (signal) => (chosen === undefined ? undefined : readSide(chosen, signal)), [chosen]);
  if (chosen === undefined) return { state: "none" };
  if (loaded.state !== "ready") return loaded;
  return loaded.value === undefined ? { state: "loading" } : { state: "ready", ...loaded.value };
}

async function readSide(chosen: string, signal: AbortSignal): Promise<Found> {
  const [kind, id = "", named] = chosen.split(":");
  if (kind === "version") {
    const { template } = await api.call(routes.getTemplateVersion, { params: { v: id }, signal });
    return { text: template ?? "", absence: template === null ? compareWords.removed : undefined };
  }
  if (named !== undefined) {
    const params = { id, sha256: named };
    return {
      text: (await api.call(routes.getConstructedText, { params, signal })).systemPrompt,
      absence: undefined,
    };
  }
  const { systemPrompt } = await api.call(routes.getConversationSystemPrompt, { params: { id }, signal });
  return { text: systemPrompt ?? "", absence: systemPrompt === null ? compareWords.noPrompt : undefined };
}
