import * as z from "zod";

export const conversationIdSchema = z.uuidv7().brand<"ConversationId">();
export type ConversationId = z.infer<typeof conversationIdSchema>;

export const turnIdSchema = z.uuidv7().brand<"TurnId">();
export type TurnId = z.infer<typeof turnIdSchema>;

export const stepIdSchema = z.uuidv7().brand<"StepId">();
export type StepId = z.infer<typeof stepIdSchema>;

/** A stateless model call. */
export const callIdSchema = z.uuidv7().brand<"CallId">();
export type CallId = z.infer<typeof callIdSchema>;

export const messageIdSchema = z.uuidv7().brand<"MessageId">();
export type MessageId = z.infer<typeof messageIdSchema>;

export const approvalIdSchema = z.uuidv7().brand<"ApprovalId">();
export type ApprovalId = z.infer<typeof approvalIdSchema>;

export const questionIdSchema = z.uuidv7().brand<"QuestionId">();
export type QuestionId = z.infer<typeof questionIdSchema>;

/** An API token. */
export const tokenIdSchema = z.uuidv7().brand<"TokenId">();
export type TokenId = z.infer<typeof tokenIdSchema>;

/** A restoration of files. */
export const restorationIdSchema = z.uuidv7().brand<"RestorationId">();
export type RestorationId = z.infer<typeof restorationIdSchema>;

export const replayIdSchema = z.uuidv7().brand<"ReplayId">();
export type ReplayId = z.infer<typeof replayIdSchema>;

/** One message of schedules to a model. */
export const scheduleRunIdSchema = z.uuidv7().brand<"ScheduleRunId">();
export type ScheduleRunId = z.infer<typeof scheduleRunIdSchema>;

/** One wake of the heartbeat, with or without a model call. */
export const wakeIdSchema = z.uuidv7().brand<"WakeId">();
export type WakeId = z.infer<typeof wakeIdSchema>;
