import { templateConflictSchema, type TemplateConflict, type TemplateInForce } from "@incipit/schema";
import { ApiClientError, routes } from "@incipit/transport-contract";
import { useEffect, useState } from "preact/hooks";
import { api } from "../session/api.ts";
import { promptWords } from "../text/prompt-words.ts";

export interface TemplateState {
  readonly inForce: TemplateInForce;
  /** ETag when editing began; saving replaces only that one. */
  readonly etag: string | null;
  readonly conflict: TemplateConflict | undefined;
  readonly error: unknown;
  readonly done: string;
}

export interface TemplateActions {
  /** `false` on failure. `etag` defaults to that of the draft. */
  readonly save: (change: {
    readonly template: string;
    readonly note: string;
    readonly etag?: string;
  }) => Promise<boolean>;
  readonly takeStored: () => Promise<TemplateInForce | undefined>;
  readonly refresh: () => Promise<void>;
  readonly restore: (version: number) => Promise<TemplateInForce | undefined>;
  /** Marks the text as equal to the stored one. */
  readonly follow: () => void;
  readonly dropConflict: () => void;
  readonly say: (done: string) => void;
}

export interface TemplateStart {
  readonly inForce: TemplateInForce;
  readonly etag: string | null;
}

export function useTemplate(start: TemplateStart): TemplateState & TemplateActions {
  const [state, setState] = useState<TemplateState>({ ...start, conflict: undefined, error: undefined, done: "" });
  const change = (changed: Partial<TemplateState>): void => setState((before) => ({ ...before, ...changed }));
  const refresh = async (): Promise<void> => {
    const inForce = await api.call(routes.getSystemPrompt).catch(() => undefined);
    if (inForce !== undefined) change({ inForce });
  };
  const trying = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      const conflict = conflictOf(error);
      change(conflict === undefined ? { error } : { conflict, error: undefined });
      if (conflict !== undefined) void refresh();
      return undefined;
    }
  };
  const take = (inForce: TemplateInForce): TemplateInForce => {
    change({ inForce, etag: inForce.etag, conflict: undefined, error: undefined });
    return inForce;
  };
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) void refresh();
    };
    addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return {
    ...state,
    refresh,
    save: async ({ template, note, etag = state.etag ?? undefined }) => {
      const saved = await trying(() =>
        api.call(routes.setSystemPrompt, {
          body: { template, author: "page", ...(note === "" ? {} : { note }) },
          headers: conditionOf(etag),
        }),
      );
      if (saved !== undefined) {
        take({ ...saved, source: "stored" });
        change({ done: promptWords.saving.saved(saved.version) });
      }
      return saved !== undefined;
    },
    takeStored: () => trying(async () => take(await api.call(routes.getSystemPrompt))),
    restore: (version) =>
      trying(async () => {
        const headers = conditionOf(state.inForce.etag ?? undefined);
        const params = { v: String(version) };
        return take(await api.call(routes.restoreTemplateVersion, { params, headers, body: { author: "page" } }));
      }),
    follow: () => setState((before) => ({ ...before, etag: before.inForce.etag })),
    dropConflict: () => change({ conflict: undefined }),
    say: (done) => change({ done }),
  };
}

function conditionOf(etag: string | undefined): Readonly<Record<string, string>> {
  return etag === undefined ? {} : { "if-match": etag };
}

function conflictOf(error: unknown): TemplateConflict | undefined {
  if (!(error instanceof ApiClientError) || error.code !== "TEMPLATE_CONFLICT") return undefined;
  return templateConflictSchema.safeParse(error.details).data;
}
