/** What an endpoint of chat completions takes, beside the protocol. Each rule looks at what stands before, and at nothing behind it. */
export interface ChatRules {
  /** It takes one system message, the first: several texts are joined. */
  readonly isOneSystem?: boolean;
  /** A message of the user never follows another one, as it does where a turn failed: a reply that says so stands between them. */
  readonly alternates?: boolean;
  /** The same behind the result of a call, as where a turn was stopped. */
  readonly wantsReplyToResults?: boolean;
  /** What a reply of calls alone has as its content; absent: `null`. */
  readonly contentOfCalls?: "";
}

/** Stands where the model has not answered. */
export const noAnswerEntry = JSON.stringify({ role: "assistant", content: "(no answer)" });
