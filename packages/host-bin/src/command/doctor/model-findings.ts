import { type Config, isTable, valueAt } from "@incipit/host/configuration";
import { vendorOf } from "../../config/known-vendors.ts";
import { meantModel, unlistedModelWords } from "../../config/meant-model.ts";
import type { Finding } from "./finding.ts";

/** Whether the models that are named are ones: that of new conversations, and that of the command. */
export function modelFindings(config: Config, named: string | undefined): readonly Finding[] {
  return [...new Set([config.model, ...(named === undefined ? [] : [named])])].flatMap((model) => {
    const finding = modelFinding(model, config);
    return finding === undefined ? [] : [finding];
  });
}

function modelFinding(model: string, config: Config): Finding | undefined {
  const meant = meantModel(model);
  const fix = meant === undefined ? "incipit models" : `name it: -m ${meant}`;
  if (!/^[^/\s]+\/\S+$/.test(model))
    return { check: "configuration", status: "wrong", what: `"${model}" is not PROVIDER/MODEL`, fix };
  const [name = ""] = model.split("/", 1);
  const providers = valueAt(config, ["providers"]);
  const isWritten = isTable(providers) && Object.hasOwn(providers, name);
  // An extension may bring a provider of any name: only what is near a vendor's is looked at.
  if (!isWritten && vendorOf(model) === undefined)
    return meant === undefined
      ? undefined
      : { check: "configuration", status: "note", what: `no provider is called "${name}"`, fix };
  const words = unlistedModelWords(model);
  return words === undefined ? undefined : { check: "configuration", status: "note", what: words, fix };
}
