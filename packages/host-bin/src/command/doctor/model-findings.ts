import { type Config, isTable, valueAt } from "@incipit/host/configuration";
import { vendorOf } from "../../config/known-providers.ts";
import { suggestModel, unlistedModelNote } from "../../config/suggest-model.ts";
import type { Finding } from "./finding.ts";

export interface ModelPlaces {
  readonly named: string | undefined;
  readonly file: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Written {
  readonly model: string;
  readonly where: string | undefined;
  readonly mend: (model: string) => string;
}

export function modelFindings(config: Config, places: ModelPlaces): readonly Finding[] {
  const { named } = places;
  const ofCommand = named === undefined ? [] : [atCommand(named)];
  // A model given with the command is fixed there, even if the configuration has the same one.
  const all = config.model === named ? ofCommand : [ofNewConversations(config.model, places), ...ofCommand];
  return all.flatMap((written) => modelFinding(written, config) ?? []);
}

function atCommand(model: string): Written {
  return { model, where: undefined, mend: (meant) => `name it: -m ${meant}` };
}

function ofNewConversations(model: string, { file, env }: ModelPlaces): Written {
  const variable = "INCIPIT_MODEL";
  if (env[variable] === model) return { model, where: variable, mend: (meant) => `export ${variable}=${meant}` };
  return { model, where: file, mend: (meant) => `change it to model = "${meant}"` };
}

function modelFinding({ model, where, mend }: Written, config: Config): Finding | undefined {
  const meant = suggestModel(model) ?? firstModelOf(model);
  const fix = meant === undefined ? "incipit models" : mend(meant);
  if (!/^[^/\s]+\/\S+$/.test(model))
    return { check: "configuration", status: "wrong", what: `"${model}" is not PROVIDER/MODEL`, where, fix };
  const [name = ""] = model.split("/", 1);
  const providers = valueAt(config, ["providers"]);
  const isWritten = isTable(providers) && Object.hasOwn(providers, name);
  // Extensions may add providers of any name, so only near misses of known ones are reported.
  if (!isWritten && vendorOf(model) === undefined)
    return meant === undefined
      ? undefined
      : { check: "configuration", status: "note", what: `no provider is called "${name}"`, where, fix };
  const words = unlistedModelNote(model);
  return words === undefined ? undefined : { check: "configuration", status: "note", what: words, where, fix };
}

function firstModelOf(written: string): string | undefined {
  const vendor = written.includes("/") ? undefined : vendorOf(written);
  return vendor?.model === undefined ? undefined : `${vendor.name}/${vendor.model}`;
}
