/**
 * What an endpoint of chat completions accepts, beside the protocol. Each rule depends on what stands before a message, and on
 * nothing behind it: a request stays a prefix of the next one.
 */
export interface ChatRules {
  /** It accepts one system message, the first: several texts are joined. */
  readonly isOneSystem?: boolean | undefined;
  /** The user's messages and replies alternate, the user's first: a filler stands between two of one role. */
  readonly alternates?: boolean | undefined;
  /** A reply stands between the result of a call and a message of the user, as after a stopped turn. */
  readonly wantsReplyToResults?: boolean | undefined;
  /** No message is empty, or has an empty text beside others. A reply of reasoning alone is left out. */
  readonly refusesEmpty?: boolean | undefined;
  /** Content of a reply of calls alone; absent: `null`. */
  readonly contentOfCalls?: "" | undefined;
  /** `reasoning_content` of a reply without any that goes back; absent: the field is left out. */
  readonly missingReasoning?: "" | " " | undefined;
  /** It refuses `reasoning_content` in messages. */
  readonly refusesReasoning?: boolean | undefined;
  /** It refuses `stream_options`, and reports the usage unasked. */
  readonly refusesStreamOptions?: boolean | undefined;
  /** The name of `seed`; absent: that. */
  readonly seedField?: "seed" | "random_seed" | undefined;
  /** `tool_choice` is one of the words: a choice of one tool sends that tool alone, and `required`. */
  readonly isToolChoiceWord?: boolean | undefined;
  /** Several texts of the user's message are one: it accepts no list of them. */
  readonly joinsTexts?: boolean | undefined;
  /** The settings have DeepSeek's names and values; absent: OpenAI's. */
  readonly settings?: "deepseek" | undefined;
  /** Its cache holds what is marked: the last system text, and whatever the request ends with. */
  readonly marksCache?: boolean | undefined;
}

/** Stands where the model has not answered. */
export const noAnswer = "(no answer)";
/** Stands in front of a reply that no message of the user has asked for. */
export const goOn = "(continue)";
/** Stands for a message without text. */
export const noText = "(empty)";
