const at = "2026-01-01T00:00:00.000Z";

export const bareConversation = {
  id: "01a1fcd7-5c9a-7556-afda-76769002c75c",
  cwd: "/work",
  model: "local/test",
  profile: null,
  title: null,
  forkedFrom: null,
  parent: null,
  importedAt: null,
  allowedTools: null,
  archived: false,
  epoch: 1,
  createdAt: at,
  updatedAt: at,
  lastSeq: 0,
  status: "idle",
  approvals: [],
  questions: [],
} as const;
