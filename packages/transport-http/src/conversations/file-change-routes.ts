import type { Handlers } from "../request/route-call.ts";
import { need, type Services } from "../context/services.ts";

export function fileChangeHandlers({ fileChanges, messageFiles }: Services) {
  const service = () => need(fileChanges, "session orchestrator");
  const files = () => need(messageFiles, "session orchestrator");
  return {
    listMessageFiles: async (call) =>
      call.answer({ files: [...(await files().messageFiles(call.conversationId()))] }),
    removeMessageFile: async (call) => {
      const [id, fileId] = [call.conversationId(), call.param("fileId")];
      return call.answer({ files: [...(await files().removeMessageFile(id, fileId))] });
    },
    replaceMessageFile: async (call) => {
      const [id, fileId] = [call.conversationId(), call.param("fileId")];
      const body = await call.body();
      return call.answer({ files: [...(await files().removeMessageFile(id, fileId, body))] });
    },
    listFileChanges: async (call) => {
      const signal = call.signal;
      return call.answer(await service().fileChanges(call.conversationId(), call.query(), { signal }));
    },
    restoreFiles: async (call) => {
      const id = call.conversationId();
      const body = await call.body();
      // Continues after a disconnect, so that files are not restored partially.
      return call.answer(await service().restoreFiles(id, body, { signal: call.late }));
    },
  } satisfies Partial<Handlers>;
}
