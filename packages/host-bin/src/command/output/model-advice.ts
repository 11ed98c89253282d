import { knownVendors, vendorOf, type KnownProvider } from "../../config/known-providers.ts";
import { suggestModel } from "../../config/suggest-model.ts";

const named = /^(?:Cannot (?:call|reach|use model) )?"([^"/]+)/;

interface ModelFailure {
  readonly code: string | undefined;
  readonly message: string;
}

export function modelAdvice({ code, message }: ModelFailure, model?: string): string | undefined {
  if (code === "MODEL_UNKNOWN") return unknownAdvice(/^Cannot use model "([^"]*)"/.exec(message)?.[1] ?? "");
  const name = named.exec(message)?.[1];
  const vendor = knownVendors.find((known) => known.name === name);
  if (vendor === undefined) return undefined;
  if (code === "NOT_CONFIGURED") return keyAdvice(vendor, message);
  if (code === "UNAUTHORIZED") return refusedKeyAdvice(vendor);
  if (code === "UNREACHABLE" && vendor.start !== undefined)
    return `Is ${vendor.title.split(",")[0]} running? This starts it: ${vendor.start} (${vendor.page})`;
  if (!/^"[^"]*" answered 404\b/.test(message) || model === undefined) return undefined;
  const meant = suggestModel(model);
  return meant === undefined ? undefined : `Did you mean "${meant}"?`;
}

function keyAdvice({ keyVariables, page }: KnownProvider, message: string): string | undefined {
  const variable = keyVariables.find((one) => message.includes(`set ${one} to the key`));
  if (variable === undefined) return undefined;
  return `Get a key at ${page}, then: export ${variable}=…, and run the command again. If a host is already running, restart it with that variable`;
}

function refusedKeyAdvice({ name, title, keyVariables, page, model = "MODEL" }: KnownProvider): string | undefined {
  if (keyVariables.length === 0) return undefined;
  return `Check that ${keyVariables.join(" or ")} holds a complete key of ${title}. New keys: ${page}. To test it: incipit doctor -m ${name}/${model}`;
}

function unknownAdvice(model: string): string | undefined {
  const vendor = vendorOf(model);
  if (vendor !== undefined && model.includes("/"))
    return `This host was started without ${vendor.title}: name a model of it with -m. If a host runs already, end it before, or start it anew with: incipit serve --model ${vendor.name}/MODEL`;
  if (vendor !== undefined)
    return `"${model}" is a vendor: add a model, as in -m ${model}/${vendor.model ?? "MODEL"}`;
  const meant = suggestModel(model);
  return meant === undefined ? undefined : `Did you mean "${meant}"?`;
}
