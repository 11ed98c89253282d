import * as z from "zod";

/** Id of a conversation. */
export const conversationIdSchema = z.uuidv7().brand<"ConversationId">();
export type ConversationId = z.infer<typeof conversationIdSchema>;

/** Id of a turn. */
export const turnIdSchema = z.uuidv7().brand<"TurnId">();
export type TurnId = z.infer<typeof turnIdSchema>;

/** Id of a model call of a conversation. */
export const stepIdSchema = z.uuidv7().brand<"StepId">();
export type StepId = z.infer<typeof stepIdSchema>;

/** Id of a stateless model call. */
export const callIdSchema = z.uuidv7().brand<"CallId">();
export type CallId = z.infer<typeof callIdSchema>;

/** Id of a message. */
export const messageIdSchema = z.uuidv7().brand<"MessageId">();
export type MessageId = z.infer<typeof messageIdSchema>;

/** Id of an approval, used to answer it. */
export const approvalIdSchema = z.uuidv7().brand<"ApprovalId">();
export type ApprovalId = z.infer<typeof approvalIdSchema>;

/** Id of a question, used to answer it. */
export const questionIdSchema = z.uuidv7().brand<"QuestionId">();
export type QuestionId = z.infer<typeof questionIdSchema>;

/** Id of an API token. */
export const tokenIdSchema = z.uuidv7().brand<"TokenId">();
export type TokenId = z.infer<typeof tokenIdSchema>;

/** Id of a restoration of files. */
export const restorationIdSchema = z.uuidv7().brand<"RestorationId">();
export type RestorationId = z.infer<typeof restorationIdSchema>;

/** Id of a replay. */
export const replayIdSchema = z.uuidv7().brand<"ReplayId">();
export type ReplayId = z.infer<typeof replayIdSchema>;

/** Id of a scheduled run: one message to a model. */
export const scheduleRunIdSchema = z.uuidv7().brand<"ScheduleRunId">();

/** Id of a wake of the heartbeat, with or without a model call. */
export const wakeIdSchema = z.uuidv7().brand<"WakeId">();
