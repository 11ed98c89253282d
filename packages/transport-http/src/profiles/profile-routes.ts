import {
  ServiceError,
  type FoundProfile,
  type FoundProfiles,
  type ProfilesService,
  type ProfileWriteCondition,
  type WrittenProfile,
} from "@incipit/service-contract";
import { routes, type Profile, type WrittenProfileResponse } from "@incipit/transport-contract";
import type { Context } from "hono";
import { answer } from "../answer/answer.ts";
import { withEtag } from "../answer/with-etag.ts";
import { modelProblem } from "../models/model-problem.ts";
import { parseEntityTags } from "../request/entity-tags.ts";
import { param, type Handlers } from "../request/handler.ts";
import { check, readBody } from "../request/read-body.ts";
import { need, type Services } from "../context/services.ts";

type ProfileRoute = "listProfiles" | "getProfile" | "putProfile" | "deleteProfile";

/** Without the extension for profile files, only configured profiles exist. */
export function profileHandlers({ defaults, profiles, providers, clock }: Services): Handlers<ProfileRoute> {
  const configured = (): FoundProfiles => ({
    profiles: defaults.profiles.map((profile) => ({
      profile,
      source: { tier: "configuration", path: null, line: null },
      shadowed: [],
      problems: [],
    })),
    problems: [],
  });
  const toProfile = ({ profile, source, shadowed, problems }: FoundProfile): Profile => ({
    name: profile.name,
    description: profile.description ?? null,
    model: profile.model ?? null,
    hasSystemPrompt: profile.systemPrompt !== undefined,
    problem: modelProblem(providers, profile.model ?? defaults.model),
    source,
    shadowed: [...shadowed],
    warnings: [...problems],
  });
  const toWritten = ({ text, etag, ...found }: WrittenProfile): WrittenProfileResponse => {
    const {
      systemPrompt = null,
      append = null,
      tools,
      mcpServers = null,
      skills = null,
      settings,
      budget,
    } = found.profile;
    const profile = {
      ...toProfile(found),
      systemPrompt,
      append,
      tools: tools ?? { allowed: null, asked: [], denied: [] },
      mcpServers: mcpServers === null ? null : [...mcpServers],
      skills: skills === null ? null : [...skills],
      settings: { ...settings },
      budget: budget ?? { maxUsdPerDay: null, maxTokensPerDay: null },
    };
    return { profile, text, etag };
  };
  const written = (): ProfilesService => need(profiles, "reader of agents");
  return {
    listProfiles: async (context, late) => {
      const { cwd = defaults.cwd } = check(routes.listProfiles.query, context.req.query());
      const signal = AbortSignal.any([context.req.raw.signal, late]);
      const found = (await profiles.current?.list({ cwd, signal })) ?? configured();
      return answer(routes.listProfiles, {
        profiles: found.profiles.map(toProfile),
        problems: [...found.problems],
      });
    },

    getProfile: async (context, late) => {
      const service = written();
      const { cwd = defaults.cwd } = check(routes.getProfile.query, context.req.query());
      const signal = AbortSignal.any([context.req.raw.signal, late]);
      const found = await service.read(param(context, "name"), { cwd, signal });
      return withEtag(answer(routes.getProfile, toWritten(found)), found);
    },

    // Continues after a disconnect, so that the file is written completely.
    putProfile: async (context, signal) => {
      const service = written();
      const body = await readBody(context.req.raw, routes.putProfile.body, { clock, signal });
      const { text, cwd = defaults.cwd, user } = body;
      const condition = conditionOf(context, user);
      const found = await service.write(param(context, "name"), { cwd, text, condition, signal });
      return withEtag(answer(routes.putProfile, toWritten(found)), found);
    },

    deleteProfile: async (context, signal) => {
      const service = written();
      const { cwd = defaults.cwd } = check(routes.deleteProfile.query, context.req.query());
      const ifMatch = context.req.header("if-match");
      if (ifMatch === undefined) throw unconditional("take an agent away", "");
      await service.remove(param(context, "name"), { cwd, signal, ifMatch: parseEntityTags("If-Match", ifMatch) });
      return answer(routes.deleteProfile, { deleted: true });
    },
  };
}

function conditionOf(context: Context, user: boolean | undefined): ProfileWriteCondition {
  const ifMatch = context.req.header("if-match");
  const ifNoneMatch = context.req.header("if-none-match");
  if (ifMatch !== undefined && ifNoneMatch === undefined) {
    if (user === undefined) return { kind: "change", ifMatch: parseEntityTags("If-Match", ifMatch) };
    const message = '"user" is only for new agents: an existing agent is saved in its own file; omit it';
    throw new ServiceError("INVALID_REQUEST", message, { details: [{ field: '"user"' }] });
  }
  if (ifMatch === undefined && ifNoneMatch?.trim() === "*")
    return { kind: "new", place: user === true ? "user" : "folder" };
  throw unconditional("write an agent", ", or If-None-Match: * for a new one");
}

function unconditional(what: string, other: string): ServiceError {
  const message = `Cannot ${what} unconditionally: send If-Match with the "ETag" of GET /profiles/NAME${other}, to prevent lost updates`;
  return new ServiceError("INVALID_REQUEST", message);
}
