import { resolve } from "node:path";
import { assertCallerReads, type Caller } from "@incipit/kernel";
import type { PromptHistory, PromptTemplates, SystemPromptService } from "@incipit/service-contract";

/** Templates read files, so a caller must be able to read the folder itself. */
export function promptFor(service: SystemPromptService, caller: Caller): Partial<SystemPromptService> {
  return {
    async assertTrusted(conversationId, cwd, context) {
      assertCallerReads(caller, cwd);
      return service.assertTrusted(conversationId, cwd, context);
    },
    async construct(conversationId, cwd, context) {
      assertCallerReads(caller, cwd);
      return service.construct(conversationId, cwd, context);
    },
    async prepare(conversationId, cwd, context) {
      assertCallerReads(caller, cwd);
      return service.prepare(conversationId, cwd, context);
    },
    async preview(asked, within) {
      // Copied once: a getter could return another folder at its next read.
      const [request, options] = [{ ...asked }, { ...within }];
      assertCallerReads(caller, request.cwd ?? options.defaultCwd);
      return service.preview(request, options);
    },
    async resolveCall(cwd, tier, context) {
      assertCallerReads(caller, cwd);
      return service.resolveCall(cwd, tier, context);
    },
    async applyRequestTier(conversationId, cwd, tier, context) {
      assertCallerReads(caller, cwd);
      return service.applyRequestTier(conversationId, cwd, tier, context);
    },
  };
}

export function historyFor(service: PromptHistory, caller: Caller): Partial<PromptHistory> {
  return {
    async drift(conversationId, cwd, context) {
      assertCallerReads(caller, cwd);
      return service.drift(conversationId, cwd, context);
    },
  };
}

export function templatesFor(service: PromptTemplates, caller: Caller): Partial<PromptTemplates> {
  return {
    async lint(asked, within) {
      const [request, options] = [{ ...asked }, { ...within }];
      assertCallerReads(caller, request.cwd ?? options.defaultCwd);
      return service.lint(request, options);
    },
    async files(asked, within) {
      const [query, options] = [{ ...asked }, { ...within }];
      assertCallerReads(caller, query.cwd ?? options.defaultCwd);
      if (query.folder !== undefined)
        assertCallerReads(caller, resolve(query.cwd ?? options.defaultCwd, query.folder));
      return service.files(query, options);
    },
  };
}
