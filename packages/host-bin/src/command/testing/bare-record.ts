const id = "01a1fcd7-5c9a-7556-afda-76769002c75c";
const at = "2026-01-01T00:00:00.000Z";
const common = {
  id,
  turnId: id,
  epoch: 1,
  purpose: "turn",
  model: "local/test",
  startedAt: at,
  usage: null,
} as const;

export const bareRecord = {
  conversation: { id, title: null, cwd: "/work", model: "local/test", profile: null, epoch: 1, createdAt: at },
  step: {
    ...common,
    endedAt: null,
    attempts: 0,
    requestSha256: null,
    requestSizeBytes: null,
    systemSha256: null,
    parts: [],
    firstDifference: null,
    differenceReason: null,
    finishReason: null,
    error: null,
  },
  request: null,
  requestProblem: null,
  systemTexts: null,
  tools: null,
  messages: null,
  reply: null,
  durationMs: null,
  explain: null,
  audit: { ...common, verdict: "unsent", reason: null, share: null, prefix: null, inputUsd: null, warning: null },
  redactions: [],
} as const;
