import { assertCallerReads, KernelError, type Caller } from "@incipit/kernel";
import type { ApprovalsService, ConversationsService, ModelCallsService } from "@incipit/service-contract";

/** Prompts and tools read files of a conversation's folder: who begins or moves one names none in which it may not read by itself. */
export function conversationsFor(service: ConversationsService, caller: Caller): Partial<ConversationsService> {
  return {
    async create(asked, options) {
      const request = { ...asked }; // Read once: a getter could name another folder when it is used.
      if (request.cwd !== undefined) assertCallerReads(caller, request.cwd);
      return service.create(request, options);
    },
    async update(id, asked) {
      const request = { ...asked };
      if (request.cwd !== undefined) assertCallerReads(caller, request.cwd);
      return service.update(id, request);
    },
  };
}

/** As `conversationsFor`. */
export function modelCallsFor(service: ModelCallsService, caller: Caller): Partial<ModelCallsService> {
  return {
    call(asked, options) {
      const request = { ...asked };
      if (request.cwd !== undefined) assertCallerReads(caller, request.cwd);
      return service.call(request, options);
    },
  };
}

/** What holds beyond a conversation is allowed by a person who uses the host itself, and by no extension in their name. */
export function approvalsFor(service: ApprovalsService, caller: Caller): Partial<ApprovalsService> {
  if (caller.trust === "core") return {};
  return {
    async answerApproval(id, approvalId, asked) {
      const answer = { ...asked };
      // Code of others is not held to types: whatever may pass for true is refused.
      if (!(answer.isForFolder ?? false)) return service.answerApproval(id, approvalId, answer);
      const message = `Cannot allow calls in later conversations for "${caller.extension}": that is for a person at the command or the page; answer without "isForFolder"`;
      throw new KernelError("CAPABILITY_DENIED", message, { extension: caller.extension });
    },
  };
}
