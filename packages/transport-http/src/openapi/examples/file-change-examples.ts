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
    answer: { files: [refused] },
  },
  removeMessageFile: {
    answer: { files: [{ ...refused, removedAt }] },
  },
  replaceMessageFile: {
    body: { mediaType: "image/png", data: "iVBORw0KGgo=", filename: "tides.png" },
    answer: {
      files: [
        { ...refused, removedAt },
        { ...refused, id: "60303ae22b99" },
      ],
    },
  },
  listFileChanges: {
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
          why: "unchanged, because it was modified since then",
        },
      ],
      otherTools: ["shell"],
    },
  },
  restoreFiles: {
    body: { from: question.id, paths: [path] },
    answer: {
      files: [{ path, outcome: "written", isKept: true }],
      restoration: "01a208b1-c262-756f-9cd4-43260fca67d0",
    },
  },
} satisfies RouteExamples;
