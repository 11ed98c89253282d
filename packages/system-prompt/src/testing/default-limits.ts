import { configuration, toSettings, type Settings } from "../context/configuration.ts";

export function defaultLimits(): Settings["limits"] {
  const read = configuration.schema["~standard"].validate({});
  if (read instanceof Promise || read.issues !== undefined) throw new Error("The defaults do not fit");
  return toSettings(read.value).limits;
}
