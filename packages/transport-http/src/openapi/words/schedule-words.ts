import { under, type FieldWords } from "./field-words.ts";

const definition = {
  id: "Its name, as models are given it: 1 to 64 letters, digits, _ and -, from a letter or a digit on",
  task: "What the model is to do, given as `[CRON:ID] TASK`",
  cron: 'When, as minute, hour, day of month, month and weekday, such as "0 9 * * 1-5", or as `@daily`; `null`: it goes by `every` or `at`',
  every:
    'When, as an interval from "1s" to "366d", such as "15m", from its making on; `null`: it goes by `cron` or `at`',
  at: "When, once: a date and a time in `timeZone`, or with an offset; `null`: it goes by `cron` or `every`",
  timeZone:
    "Where its clock hangs, such as `Europe/Berlin`; `null`: where the configuration says, else the machine",
  missed: "What becomes of times that came while the host was away; `once`: the last one runs; `all`: the last 24",
  conversation:
    "Where it runs: `own`, one for all its runs; `fresh`, a new one each time; or the id of one that exists",
  model: "The model of its runs, as PROVIDER/MODEL; `null`: that of the conversation, or the host's",
  profile: "The profile of the conversations that it makes; `null`: none",
  cwd: "The working folder of the conversations that it makes; `null`: the host's",
  tools:
    "The tools that the conversations which it makes may use, by name, or by how names begin (`files__*`); `null`: all of them",
  tell: "The chat that is told what its runs came to, but for those where all is well, such as `telegram:123456789`; `null`: none",
  retries: "How often a run that failed is tried again, from 0 to 10: after 30 s, then twice as long each time",
  maxTokensPerDay: "The input and output tokens of a day, after which its runs are skipped; `null`: no bound",
  maxUsdPerDay: "The same in US dollars, as far as prices are known; `null`: no bound",
};

export const scheduleWords: FieldWords = {
  ...under(["createSchedule", "Schedule"], definition),
  ...under(["Schedule"], {
    source: "Where it was made; one of the configuration is changed there",
    paused: "Whether it runs at none of its times for now",
    nextAt: "When it is due next, in UTC; `null`: it is paused, or over",
    conversationId: "The conversation of all its runs; `null`: there is none yet, or it has no one for all",
    lastRun: "Its newest run; `null`: there was none",
    tokensToday: "The input and output tokens of its runs of today",
    problem: "Why it cannot go on at the moment, and when it is tried again; `null`: nothing is wrong",
  }),
  ...under(["ScheduleRun"], {
    id: "The id of the run",
    occurrences: "The times that it is for: what was due at once in one conversation is one message",
    "occurrences.scheduleId": "The schedule that was due",
    "occurrences.dueAt": "When it was due, in UTC; where a person had it run, when they did",
    "occurrences.missed": "Whether it ran after its time, as nobody was there then",
    "occurrences.asked": "Whether a person or a program had it run beside its times",
    status:
      "How it is; `waiting`: it runs as soon as it can, or is tried again; `skipped`: no model was asked, and `error` says why",
    conversationId: "The conversation that it runs in; `null`: not made yet",
    turnId: "The turn of its last try; `null`: there was none",
    attempts: "How often it was tried; 0: not yet",
    claimedAt: "When it was taken up, in UTC: from then on it runs once, whatever ends when",
    reply: "The last text of the model, at most 20,000 characters; `null`: none yet",
    quiet: "Whether all is well, and nobody has to read the reply",
    tokens: "The input and output tokens of all tries, as far as the vendor reports them",
    error: "What went wrong, or why it was skipped; `null`: nothing",
  }),
  "listSchedules.schedules": "The schedules, by their ids",
  ...under(["createSchedule", "getSchedule", "updateSchedule"], { schedule: "The schedule as it is now" }),
  "updateSchedule.paused": "`true`: it runs at none of its times; `false`: it goes on with the next one",
  "runSchedule.run": "The run, which has begun or is about to",
  "listScheduleRuns.runs": "The runs, newest first",
};
