import {
  ServiceError,
  type FoundProfile,
  type FoundProfiles,
  type ProfileWriteCondition,
  type WrittenProfile,
} from "@incipit/service-contract";
import { type Profile, type WrittenProfileResponse } from "@incipit/transport-contract";
import { withEtag } from "../answer/with-etag.ts";
import { modelProblem } from "../models/model-problem.ts";
import { parseEntityTags } from "../request/entity-tags.ts";
import type { AnyCall, Handlers } from "../request/route-call.ts";
import { need, type Services } from "../context/services.ts";

/** Without the extension for profile files, only configured profiles exist. */
export function profileHandlers({ defaults, profiles, providers }: Services) {
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
  const written = () => need(profiles, "reader of agents");
  return {
    listProfiles: async (call) => {
      const { cwd = defaults.cwd } = call.query();
      const signal = call.signal;
      const found = (await profiles.current?.list({ cwd, signal })) ?? configured();
      return call.answer({
        profiles: found.profiles.map(toProfile),
        problems: [...found.problems],
      });
    },

    getProfile: async (call) => {
      const service = written();
      const { cwd = defaults.cwd } = call.query();
      const signal = call.signal;
      const found = await service.read(call.param("name"), { cwd, signal });
      return withEtag(call.answer(toWritten(found)), found);
    },

    // Continues after a disconnect, so that the file is written completely.
    putProfile: async (call) => {
      const service = written();
      const body = await call.body();
      const { text, cwd = defaults.cwd, user } = body;
      const condition = conditionOf(call, user);
      const found = await service.write(call.param("name"), { cwd, text, condition, signal: call.late });
      return withEtag(call.answer(toWritten(found)), found);
    },

    deleteProfile: async (call) => {
      const service = written();
      const { cwd = defaults.cwd } = call.query();
      const ifMatch = call.header("if-match");
      if (ifMatch === undefined) throw unconditional("take an agent away", "");
      await service.remove(call.param("name"), {
        cwd,
        signal: call.late,
        ifMatch: parseEntityTags("If-Match", ifMatch),
      });
      return call.answer({ deleted: true });
    },
  } satisfies Partial<Handlers>;
}

function conditionOf(call: AnyCall, user: boolean | undefined): ProfileWriteCondition {
  const ifMatch = call.header("if-match");
  const ifNoneMatch = call.header("if-none-match");
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
