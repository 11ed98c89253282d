export {
  ConversationSession,
  type ApprovalAnswer,
  type QuestionAnswer,
  type SessionOptions,
  type SessionState,
} from "./session/conversation-session.ts";
export { isUnreachable } from "./session/is-unreachable.ts";
export type { LiveApproval, LivePart, LiveQuestion, LiveTurn, ToolProgress } from "./session/live-turn.ts";
export { sendMessage, type SendOptions } from "./session/send-message.ts";
