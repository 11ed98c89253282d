import type { FoundProfile, FoundProfiles } from "@incipit/service-contract";
import { routes, type Profile } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { modelProblem } from "../models/model-problem.ts";
import type { Handlers } from "../request/handler.ts";
import { check } from "../request/read-body.ts";
import type { Services } from "../context/services.ts";

type ProfileRoute = "listProfiles";

/** Without the extension that knows those of files, there are those of the configuration. */
export function profileHandlers({ defaults, profiles, providers }: Services): Handlers<ProfileRoute> {
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
  };
}
