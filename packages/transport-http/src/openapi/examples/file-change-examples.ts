import type { RouteExamples } from "./route-example.ts";
import { question } from "./shared-values.ts";

const path = "/home/ada/weather/tides.md";

const refused = {
  id: "9f86d081884c",
  messageId: question.id,
  mediaType: "image/png",
  filename: "tides.png",
  sizeBytes: 48_213,
} as const;
const removedAt = "2026-11-29T09:14:00.000Z";

export const fileChangeExamples = {
  listMessageFiles: {
    description:
      "Lists the files that the next request has, and those that were removed since the last compaction. A turn that fails with `FILE_REFUSED` names the file here that its vendor refused.",
    answer: { files: [refused] },
  },
  removeMessageFile: {
    description:
      "Takes a file out of what models get, wherever it is in the messages since the last compaction. What was stored stays, with the time (`removedAt`); the next request has a text in its place, so that it does not begin as the one before. It is refused while something runs.",
    answer: { files: [{ ...refused, removedAt }] },
  },
  replaceMessageFile: {
    description:
      "As the removal, and puts another file behind the removed one. It is checked and fitted like a file of a message.",
    body: { mediaType: "image/png", data: "iVBORw0KGgo=", filename: "tides.png" },
    answer: {
      files: [
        { ...refused, removedAt },
        { ...refused, id: "60303ae22b99" },
      ],
    },
  },
  listFileChanges: {
    description:
      "Lists the files that the host's tools changed in the turn of a message and in those behind it, tasks included, each with what putting it back would do at this moment. Nothing changes.",
    answer: {
      files: [
        {
          path,
          state: "restorable",
          action: "write",
          preview: `--- ${path}\n+++ ${path}\n@@ -1,2 +1,2 @@\n-High tide: 10:00\n+High tide: 09:14\n Low tide: 15:31\n`,
        },
        {
          path: "/home/ada/weather/notes.md",
          state: "changed",
          why: "stays as it is, because somebody else has changed it since",
        },
      ],
      otherTools: ["shell"],
    },
  },
  restoreFiles: {
    description:
      "Puts the named files back, each whole or not at all, and only where it is exactly as the turns left it: show people the list first. What was there is kept as far as there is room (`isKept`), so that the `restoration` can be taken back the same way. Folders that the turns made go with the last file in them (`removedFolders`). It is refused while something runs.",
    body: { from: question.id, paths: [path] },
    answer: {
      files: [{ path, outcome: "written", isKept: true }],
      restoration: "01a208b1-c262-756f-9cd4-43260fca67d0",
    },
  },
} satisfies RouteExamples;
