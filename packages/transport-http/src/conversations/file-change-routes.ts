import type { FileChangesService, MessageFilesService } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { conversationId, param, type Handlers } from "../request/handler.ts";
import { check, readBody } from "../request/read-body.ts";
import { need, type Services } from "../context/services.ts";

type FileChangeRoute =
  | "listFileChanges"
  | "restoreFiles"
  | "listMessageFiles"
  | "removeMessageFile"
  | "replaceMessageFile";

export function fileChangeHandlers({ fileChanges, messageFiles, clock }: Services): Handlers<FileChangeRoute> {
  const service = (): FileChangesService => need(fileChanges, "session orchestrator");
  const files = (): MessageFilesService => need(messageFiles, "session orchestrator");
  return {
    listMessageFiles: async (context) =>
      answer(routes.listMessageFiles, { files: [...(await files().messageFiles(conversationId(context)))] }),
    removeMessageFile: async (context) => {
      const [id, fileId] = [conversationId(context), param(context, "fileId")];
      return answer(routes.removeMessageFile, { files: [...(await files().removeMessageFile(id, fileId))] });
    },
    replaceMessageFile: async (context, late) => {
      const [id, fileId] = [conversationId(context), param(context, "fileId")];
      const body = await readBody(context.req.raw, routes.replaceMessageFile.body, { clock, signal: late });
      return answer(routes.replaceMessageFile, { files: [...(await files().removeMessageFile(id, fileId, body))] });
    },
    listFileChanges: async (context, late) => {
      const query = check(routes.listFileChanges.query, context.req.query());
      const signal = AbortSignal.any([context.req.raw.signal, late]);
      return answer(
        routes.listFileChanges,
        await service().fileChanges(conversationId(context), query, { signal }),
      );
    },
    restoreFiles: async (context, late) => {
      const id = conversationId(context);
      const body = await readBody(context.req.raw, routes.restoreFiles.body, { clock, signal: late });
      // Continues after a disconnect, so that files are not restored partially.
      return answer(routes.restoreFiles, await service().restoreFiles(id, body, { signal: late }));
    },
  };
}
