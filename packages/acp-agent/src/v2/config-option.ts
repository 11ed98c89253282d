import {
  RequestError,
  type SessionConfigOption,
  type SetSessionConfigOptionRequest,
} from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type {
  SessionConfigOption as Option,
  SetSessionConfigOptionRequest as Choice,
} from "@agentclientprotocol/sdk/unstable";

/** Converts an option to version 2. */
export function configOptionOf({ id, ...option }: Option): SessionConfigOption {
  if (option.type === "boolean") return { ...option, configId: id };
  const { options, ...rest } = option;
  const groups = options.flatMap((one) => ("group" in one ? [one] : []));
  const values = options.flatMap((one) => ("group" in one ? [] : [one]));
  if (groups.length === 0) return { ...rest, configId: id, options: values };
  return { ...rest, configId: id, options: groups.map(({ group, ...one }) => ({ ...one, groupId: group })) };
}

/** Converts a choice to version 1. @throws {RequestError} Invalid params, for an unsupported type of value. */
export function choiceOf({ sessionId, configId, type, value }: SetSessionConfigOptionRequest): Choice {
  if (type === "id" && typeof value === "string") return { sessionId, configId, value };
  if (type === "boolean" && typeof value === "boolean") return { sessionId, configId, type: "boolean", value };
  throw RequestError.invalidParams({ configId, type }, `there are no values of the type "${type}"; write "id"`);
}
