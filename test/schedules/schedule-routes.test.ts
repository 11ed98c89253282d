import { errorResponseSchema, routes, type ErrorResponse } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { TokenWorld } from "../tokens/token-world.ts";

const longAgo = "2020-01-01T00:00Z";
const farAhead = "2126-01-01T00:00Z";
const look = { task: "Look", at: farAhead };
const unknownConversation = "019b76da-a800-70e5-b644-6b4632997cf0";

async function refusal(response: Response): Promise<ErrorResponse["error"] & { readonly status: number }> {
  return { status: response.status, ...errorResponseSchema.parse(await response.json()).error };
}

test("a schedule is created, listed in pages, paused, resumed and deleted over HTTP", async () => {
  await using world = await TokenWorld.start();
  const { client } = world;
  const made = await world.ask("POST", "/schedules", {
    token: world.host.token,
    body: { id: "b", task: "Look at the log.", cron: "0 9 * * *", timeZone: "Europe/Berlin" },
  });
  for (const id of ["c", "a"]) await client.call(routes.createSchedule, { body: { id, ...look } });

  const first = await client.call(routes.listSchedules, { query: { limit: 2 } });
  const second = await client.call(routes.listSchedules, {
    query: { limit: 2, ...(first.nextCursor === undefined ? {} : { cursor: first.nextCursor }) },
  });
  const paused = await client.call(routes.updateSchedule, { params: { id: "b" }, body: { paused: true } });
  const shown = await client.call(routes.getSchedule, { params: { id: "b" } });
  const resumed = await client.call(routes.updateSchedule, { params: { id: "b" }, body: { paused: false } });
  const runs = await client.call(routes.listScheduleRuns, { params: { id: "b" } });
  const deleted = await client.call(routes.deleteSchedule, { params: { id: "b" } });
  const left = await client.call(routes.listSchedules);

  expect([made.status, await made.json()]).toMatchObject([
    201,
    { schedule: { id: "b", source: "api", paused: false, missed: "once", conversation: "own", lastRun: null } },
  ]);
  expect([first, second].map(({ schedules }) => schedules.map(({ id }) => id))).toEqual([["a", "b"], ["c"]]);
  expect(second.nextCursor).toBeUndefined();
  expect(paused.schedule).toMatchObject({ paused: true, nextAt: null });
  expect(shown).toEqual(paused);
  expect(resumed.schedule.nextAt).toMatch(/T0[78]:00:00\.000Z$/);
  expect([runs, deleted]).toEqual([{ runs: [] }, { deleted: true }]);
  expect(left.schedules.map(({ id }) => id)).toEqual(["a", "c"]);
  expect(world.model.requests).toEqual([]);
});

const bad: readonly (readonly [
  string,
  Readonly<Record<string, unknown>>,
  readonly string[],
  "CONVERSATION_UNKNOWN"?,
])[] = [
  ["no time", { task: "Look" }, ['"cron"', '"every"', '"at"', "has none of them"]],
  ["two times", { ...look, every: "1h" }, ['"every"', '"at"', "has more than one of them"]],
  ["an expression of too few fields", { task: "Look", cron: "0 9 *" }, ['"cron" is "0 9 *"', '"0 9 * * 1-5"']],
  ["an expression of what is no minute", { task: "Look", cron: "61 * * * *" }, ['"cron" is "61 * * * *"', "write"]],
  ["an expression of a day that never comes", { task: "Look", cron: "0 0 31 2 *" }, ['"cron"', "never comes"]],
  ["an interval that is none", { task: "Look", every: "soon" }, ['"every" is "soon"', 'such as "15m"']],
  ["an interval that is too short", { task: "Look", every: "0s" }, ['"every" is "0s"', 'from "1s" to "366d"']],
  ["a time that is none", { task: "Look", at: "2126-02-31T00:00" }, ['"at" is "2126-02-31T00:00"', "write"]],
  ["a time that is over", { task: "Look", at: longAgo }, [`"at" is "${longAgo}"`, "still to come"]],
  ["a zone that is none", { ...look, timeZone: "Mars/Phobos" }, ['"timeZone" is "Mars/Phobos"', "Europe/Berlin"]],
  ["a conversation that is none", { ...look, conversation: "mine" }, ['"conversation"', '"own", "fresh"']],
  [
    "a conversation that there is not",
    { ...look, conversation: unknownConversation },
    [unknownConversation, "GET /conversations"],
    "CONVERSATION_UNKNOWN",
  ],
  ["a task of white space", { ...look, task: " \n\t" }, ['"task": must have more than white space']],
  ["a task that is too long", { ...look, task: "x".repeat(100_001) }, ['"task"', "100,000 characters"]],
  ["too many retries", { ...look, retries: 11 }, ['"retries": must be a whole number from 0 to 10']],
  ["retries of a half", { ...look, retries: 0.5 }, ['"retries": must be a whole number from 0 to 10']],
  ["no tokens at all", { ...look, maxTokensPerDay: 0 }, ['"maxTokensPerDay"', "from 1 on"]],
  ["a policy that is none", { ...look, missed: "twice" }, ['"missed"', '"skip"']],
  ["a key that is not known", { ...look, when: "now" }, ['"when": unknown key', '"cron"', '"every"', '"at"']],
  ["an id with a slash", { ...look, id: "a/b" }, ['"id": must be 1 to 64 letters, digits, _ and -']],
  ["an id that is empty", { ...look, id: "" }, ['"id": must be 1 to 64']],
  ["two wrong fields", { ...look, id: "-", retries: -1 }, ['"id": must be', '"retries": must be']],
];

test("an invalid schedule is rejected with each wrong field and its format, and not stored", async () => {
  await using world = await TokenWorld.start();
  const answers = [];
  for (const [what, body, names] of bad) {
    const asked = { token: world.host.token, body: { id: "x", ...body } };
    const { status, code: found, message } = await refusal(await world.ask("POST", "/schedules", asked));
    answers.push({ what, status, code: found, missing: names.filter((name) => !message.includes(name)) });
  }

  expect(answers).toEqual(
    bad.map(([what, , , code]) => ({
      what,
      status: code === undefined ? 400 : 404,
      code: code ?? "INVALID_REQUEST",
      missing: [],
    })),
  );
  expect(await world.client.call(routes.listSchedules)).toEqual({ schedules: [] });
});

test("unknown, duplicate and configured schedules are rejected with advice", async () => {
  await using world = await TokenWorld.start({
    config: '[cron.jobs.nightly]\ntask = "Look"\ncron = "0 3 1 1 *"\n',
  });
  const { token } = world.host;
  const ask = async (method: string, path: string, body?: unknown): ReturnType<typeof refusal> =>
    refusal(await world.ask(method, path, body === undefined ? { token } : { token, body }));
  await world.client.call(routes.createSchedule, { body: { id: "taken", ...look } });

  for (const id of ["nobody", "a%2Fb", "..%2Fschedule", "%20", "x".repeat(65)])
    for (const [method, path, body] of [
      ["GET", `/schedules/${id}`, undefined],
      ["PATCH", `/schedules/${id}`, { paused: true }],
      ["DELETE", `/schedules/${id}`, undefined],
      ["POST", `/schedules/${id}/run`, undefined],
      ["GET", `/schedules/${id}/runs`, undefined],
    ] as const)
      expect([method, path, await ask(method, path, body)]).toMatchObject([
        method,
        path,
        {
          status: 404,
          code: "SCHEDULE_UNKNOWN",
          message: `No schedule has the id "${decodeURIComponent(id)}"; GET /schedules lists them`,
          next: { action: "list-schedules" },
        },
      ]);
  expect(await ask("POST", "/schedules", { id: "taken", ...look })).toMatchObject({
    status: 409,
    code: "SCHEDULE_EXISTS",
    message: expect.stringContaining("delete it first, or use another id"),
  });
  expect(await ask("POST", "/schedules", { id: "nightly", ...look })).toMatchObject({ code: "SCHEDULE_EXISTS" });
  for (const [method, body] of [
    ["PATCH", { paused: true }],
    ["DELETE", undefined],
  ] as const)
    expect(await ask(method, "/schedules/nightly", body)).toMatchObject({
      status: 409,
      code: "SCHEDULE_CONFIGURED",
      message: expect.stringContaining("change [cron.jobs.nightly] there"),
    });
  for (const [path, field] of [
    ["/schedules?limit=0", "limit"],
    ["/schedules?cursor=a/b", "cursor"],
    ["/schedules/taken/runs?cursor=taken", "cursor"],
  ] as const)
    expect([path, await ask("GET", path)]).toMatchObject([
      path,
      { status: 400, message: expect.stringContaining(`"${field}"`) },
    ]);
  expect(await ask("PATCH", "/schedules/taken", { paused: "yes" })).toMatchObject({
    status: 400,
    message: expect.stringContaining('"paused"'),
  });
  expect((await world.client.call(routes.getSchedule, { params: { id: "taken" } })).schedule.paused).toBe(false);
});

test("[attack:tokens-plant-schedule] a token without the scope `admin` cannot create, change, run or delete schedules", async () => {
  await using world = await TokenWorld.start();
  await world.client.call(routes.createSchedule, { body: { id: "there", ...look } });
  const before = await world.snapshot();
  const { secret } = await world.make(["read", "converse", "prompt", "records"]);
  const { secret: admin } = await world.make(["admin"]);
  const asked = [
    ["POST", "/schedules", { id: "planted", task: "Look", every: "1s" }],
    ["PATCH", "/schedules/there", { paused: true }],
    ["POST", "/schedules/there/run", undefined],
    ["DELETE", "/schedules/there", undefined],
  ] as const;
  const ask = async (token: string): Promise<readonly Response[]> => {
    const answers: Response[] = [];
    for (const [method, path, body] of asked)
      answers.push(await world.ask(method, path, body === undefined ? { token } : { token, body }));
    return answers;
  };

  for (const response of await ask(secret))
    expect(await refusal(response)).toMatchObject({
      status: 403,
      code: "FORBIDDEN_SCOPE",
      details: { needs: "admin" },
    });
  expect({ ...Object(await world.snapshot()), tokens: [] }).toEqual({ ...Object(before), tokens: [] });
  expect((await ask(admin)).map(({ status }) => status)).toEqual([201, 200, 202, 200]);
});

test("schedule routes are rejected while schedules are off, with how to enable them", async () => {
  await using world = await TokenWorld.start({ config: "[cron]\nenabled = false\n" });
  const body = { id: "x", ...look };

  expect(await refusal(await world.ask("POST", "/schedules", { token: world.host.token, body }))).toMatchObject({
    status: 503,
    code: "SERVICE_UNAVAILABLE",
    message: "Schedules are off: cron.enabled is false in the configuration",
  });
  expect(await world.client.call(routes.listSchedules)).toEqual({ schedules: [] });
});
