import { assertCallerReads, KernelError, type Caller } from "@incipit/kernel";
import type { ApprovalsService, ConversationsService, ModelCallsService } from "@incipit/service-contract";

/** A conversation's folder is readable through prompts and tools, so a caller must be able to read it. */
export function conversationsFor(service: ConversationsService, caller: Caller): Partial<ConversationsService> {
  return {
    async create(asked, options) {
      const request = { ...asked }; // Read once: a getter could return another folder later.
      if (request.cwd !== undefined) assertCallerReads(caller, request.cwd);
      return service.create(request, options);
    },
    async update(id, asked) {
      const request = { ...asked };
      if (request.cwd !== undefined) assertCallerReads(caller, request.cwd);
      return service.update(id, request);
    },
    async send(id, asked, options) {
      const request = { ...asked };
      if (request.input === undefined && caller.trust !== "core")
        assertCallerReads(caller, (await service.get(id)).cwd); // Commands are files of that folder.
      return service.send(id, request, options);
    },
  };
}

export function modelCallsFor(service: ModelCallsService, caller: Caller): Partial<ModelCallsService> {
  return {
    call(asked, options) {
      const request = { ...asked };
      if (request.cwd !== undefined) assertCallerReads(caller, request.cwd);
      return service.call(request, options);
    },
  };
}

/** Only users may grant approvals beyond a conversation; extensions may not. */
export function approvalsFor(
  service: ApprovalsService & Pick<ConversationsService, "get">,
  caller: Caller,
): Partial<ApprovalsService> {
  if (caller.trust === "core") return {};
  return {
    async sendAllowing(id, asked, options) {
      const request = { ...asked };
      if (request.input === undefined) assertCallerReads(caller, (await service.get(id)).cwd);
      return service.sendAllowing(id, request, options);
    },
    async answerApproval(id, approvalId, asked) {
      const answer = { ...asked };
      // JavaScript callers may pass any truthy value.
      if (!(answer.isForFolder ?? false)) return service.answerApproval(id, approvalId, answer);
      const message = `Cannot allow calls in later conversations for "${caller.extension}": that is for a person at the command or the page; answer without "isForFolder"`;
      throw new KernelError("CAPABILITY_DENIED", message, { extension: caller.extension });
    },
  };
}
