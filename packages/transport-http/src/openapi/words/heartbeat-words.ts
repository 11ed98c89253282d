import { under, type FieldWords } from "./field-words.ts";

export const heartbeatWords: FieldWords = {
  ...under(["Heartbeat"], {
    enabled: "Whether it wakes anybody",
    nextAt: "Its next time, in UTC; `null`: it is off",
    conversationId: "The conversation in which it wakes a model; `null`: not made yet",
    lastWake: "What came of its last time; `null`: there was none",
    lastAlert: "The last reply that a person should see; `null`: there was none",
    tokensToday: "The input and output tokens of its wakes of today",
  }),
  ...under(["HeartbeatWake"], {
    id: "The id of the wake",
    dueAt: "When it was due, in UTC; where a person asked for it, when they did",
    outcome:
      "What came of it: `quiet`, or an `alert` for a person; `empty`, `busy`, `budget` and `missed` asked no model, and `error` says why; `null`: it is under way",
    conversationId: "The conversation of its turn; `null`: there is none yet, or no model was asked",
    turnId: "Its turn; `null`: no model was asked",
    reply: "What the model said, whole; `null`: nothing yet, or it was not asked",
    repeated: "Whether the alert before it says the same",
    tokens: "Its input and output tokens, as far as the vendor reports them",
    error: "Why it failed, or why nobody was woken; `null`: nothing went wrong",
  }),
  "getHeartbeat.heartbeat": "The heartbeat as it is now",
  "listHeartbeatWakes.wakes": "The wakes, newest first",
  "wakeHeartbeat.wake": "The wake, which has begun or is about to",
};
