import {
  isPromptPath,
  profileBudgetSchema,
  profileFieldsSchema,
  turnSettingsSchema,
  type ProfileProblem,
  type TurnSettings,
} from "@incipit/schema";
import type { Profile } from "@incipit/service-contract";
import type * as z from "zod";
import { promptText } from "./agent-text.ts";
import { toolNamed } from "./tool-names.ts";

export interface ReadProfile {
  readonly profile: Profile;
  readonly problems: readonly { readonly code: ProfileProblem["code"]; readonly message: string }[];
}

type Keys = ReadonlyMap<string, unknown>;

/** Invalid values are omitted and reported; unknown keys belong to other programs and are ignored. */
export function profileOfKeys(
  keys: Keys,
  { name, prompt }: { readonly name: string; readonly prompt: string | undefined },
): ReadProfile {
  const reader = new KeyReader(keys);
  const { description, model, systemPrompt, append, mcpServers, skills } = profileFieldsSchema.shape;
  const isInherited = keys.get("prompt") === "inherit";
  const named = reader.text(["model"], model);
  const own =
    prompt === undefined
      ? withoutLineBreaksAround(reader.template(["systemPrompt", "system_prompt"], systemPrompt))
      : isInherited && prompt === ""
        ? undefined
        : prompt;
  if (prompt !== undefined && keys.has("prompt") && !(isInherited && prompt === ""))
    reader.say(
      "prompt",
      prompt === "" || !isInherited
        ? 'is only ever "inherit": the text of the agent stands behind its front matter'
        : 'is "inherit", and the file has a text of its own, which is used',
    );
  const said = reader.text(["description"], description);
  const appended = reader.template(["append"], append);
  const tools = reader.tools();
  const servers = reader.names(["mcpServers", "mcp_servers"], mcpServers);
  const skillNames = reader.names(["skills"], skills);
  const settings = reader.settings();
  const budget = reader.table("budget", profileBudgetSchema);
  const profile: Profile = {
    name,
    ...(said === undefined ? {} : { description: said }),
    ...(named === undefined || named === "inherit" ? {} : { model: named }),
    ...(own === undefined ? {} : { systemPrompt: own }),
    ...(appended === undefined ? {} : { append: appended }),
    ...(tools === undefined ? {} : { tools }),
    ...(servers === undefined ? {} : { mcpServers: servers }),
    ...(skillNames === undefined ? {} : { skills: skillNames }),
    ...(settings === undefined ? {} : { settings }),
    ...(budget === undefined ? {} : { budget }),
  };
  return { profile, problems: reader.problems };
}

class KeyReader {
  readonly problems: { code: ProfileProblem["code"]; message: string }[] = [];
  readonly #keys: Keys;

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  say(key: string, what: string, code: ProfileProblem["code"] = "not-a-value"): void {
    this.problems.push({ code, message: `The key "${key}" ${what}` });
  }

  text(names: readonly string[], schema: z.ZodType<string | null>): string | undefined {
    const [name, value] = this.#first(names);
    if (name === undefined || value === null) return undefined;
    // Unquoted numbers and booleans are meant as text.
    const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    if (names[0] === "model" && typeof text === "string" && /^\S+$/.test(text)) return text.slice(0, 1_000);
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data ?? undefined;
    this.say(name, `is left out: ${parsed.error.issues[0]?.message ?? "it is not text"}`);
    return undefined;
  }

  /** Accepts a template; rejects a path, which would otherwise be sent as the prompt. */
  template(names: readonly string[], schema: z.ZodType<string | null>): string | undefined {
    const text = this.text(names, schema);
    if (text === undefined || !isPromptPath(text)) return text;
    const name = this.#first(names)[0] ?? "";
    this.say(name, `is left out: it is a file path, not text; write "[file:PATH]" to read the file`);
    return undefined;
  }

  names(names: readonly string[], schema: z.ZodType<readonly string[]>): readonly string[] | undefined {
    const [name, value] = this.#first(names);
    if (name === undefined || value === null) return undefined;
    const parsed = schema.safeParse(namesOf(value));
    if (parsed.success) return parsed.data;
    this.say(name, `is left out: ${parsed.error.issues[0]?.message ?? "it is not a list of names"}`);
    return undefined;
  }

  table<Value>(key: string, schema: z.ZodType<Value>): Value | undefined {
    const value = this.#keys.get(key);
    if (value === undefined || value === null) return undefined;
    const parsed = schema.safeParse(inCamelCase(value));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const place = [key, ...(issue?.path ?? []).map(String)].join(".");
    this.say(place, `is left out: ${issue?.message ?? "it is not a table"}`);
    return undefined;
  }

  settings(): TurnSettings | undefined {
    const settings = this.table("settings", turnSettingsSchema);
    const effort = effortOf(this.#keys.get("effort"));
    if (effort === undefined || settings?.reasoningEffort !== undefined) return settings;
    return { ...settings, reasoningEffort: effort };
  }

  tools(): Profile["tools"] {
    const value = this.#keys.get("tools");
    const isTable = typeof value === "object" && value !== null && !Array.isArray(value);
    const table = isTable ? new Map<string, unknown>(Object.entries(value)) : new Map([["allowed", value]]);
    for (const key of table.keys())
      if (!["allowed", "asked", "denied"].includes(key))
        this.say(`tools.${key}`, 'is left out: there are "allowed", "asked" and "denied"');
    const alsoDenied = this.#keys.get("disallowedTools");
    const given = table.get("allowed");
    const allowed = given === undefined || given === null ? null : this.#tools("tools", given, "allow");
    const asked = this.#tools("tools.asked", table.get("asked") ?? [], "restrict");
    const denied = [
      ...this.#tools("tools.denied", table.get("denied") ?? [], "restrict"),
      ...this.#tools("disallowedTools", alsoDenied ?? [], "restrict"),
    ];
    if (allowed === null && asked.length === 0 && denied.length === 0) return undefined;
    return { allowed, asked, denied };
  }

  /** `allow`: partial permissions are dropped. `restrict`: partial restrictions apply to the whole tool. */
  #tools(key: string, value: unknown, use: "allow" | "restrict"): string[] {
    const written = namesOf(value);
    if (!Array.isArray(written) || !written.every((name) => typeof name === "string")) {
      this.say(key, "is left out: it must be a list of tools");
      return [];
    }
    const names = new Set<string>();
    for (const text of written.slice(0, 200)) {
      const tool = toolNamed(text);
      const quoted = JSON.stringify(text.slice(0, 200));
      if (tool.kind === "tool" || (tool.kind === "part" && use === "restrict")) names.add(tool.name);
      if (tool.kind === "none") this.say(key, `names ${quoted}, for which this host has no tool`, "unknown-tool");
      if (tool.kind === "no-name")
        this.say(key, `names ${quoted}, which is not the name of a tool`, "unknown-tool");
      if (tool.kind !== "part") continue;
      const becomes = use === "allow" ? "is left out" : `is taken as all of "${tool.name}"`;
      this.say(key, `names ${quoted}, which ${becomes}: this host knows whole tools only`, "unknown-tool");
    }
    if (written.length > 200) this.say(key, "has more than 200 names: only the first 200 are used");
    return [...names];
  }

  #first(names: readonly string[]): readonly [string | undefined, unknown] {
    const name = names.find((candidate) => this.#keys.has(candidate));
    return [name, name === undefined ? undefined : this.#keys.get(name)];
  }
}

/** Removes line breaks at both ends, since YAML block scalars end with an extra one. */
function withoutLineBreaksAround(text: string | undefined): string | undefined {
  return text === undefined ? undefined : promptText(text, { start: 0, end: text.length });
}

function namesOf(value: unknown): unknown {
  if (typeof value === "string")
    return value
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
  if (Array.isArray(value))
    return value.flatMap((entry: unknown) =>
      typeof entry === "object" && entry !== null && !Array.isArray(entry) ? Object.keys(entry) : [entry],
    );
  return typeof value === "object" && value !== null ? Object.keys(value) : value;
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

/** Converts Claude Code's `effort`; its `max` becomes the highest level here. */
function effortOf(value: unknown): TurnSettings["reasoningEffort"] {
  return value === "max" ? "xhigh" : efforts.find((effort) => effort === value);
}

function inCamelCase(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      inner,
    ]),
  );
}
