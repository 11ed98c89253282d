import type { KnownHere } from "./lint-blocks.ts";
import type { LintFindings } from "./lint-findings.ts";
import type { KnownVariables } from "./known-variables.ts";
import { shown } from "./shown-name.ts";
import type { TemplateTag } from "../template/template-tag.ts";

export interface NameOptions {
  readonly variables: KnownVariables;
  readonly hasValueNow: (variable: string) => boolean;
  readonly findings: LintFindings;
}

/** Returns whether the tag needs no further checks. */
export function lintName(tag: TemplateTag, { hasValue }: KnownHere, options: NameOptions): boolean {
  const { variables, hasValueNow, findings } = options;
  const { variable, role } = tag;
  const separator = variable.indexOf(":");
  const type = variable.slice(0, separator);
  const name = variable.slice(separator + 1);
  const isInsert = role === "insert";

  if (isInsert && hasValue(variable) === false) {
    findings.add("warning", "always-blank", tag, () => ({
      message: `[${shown(variable)}] is in the branch that is taken when it has no value: it is always blank`,
      fix: "Move it to the other branch, or take it away",
      replacement: "",
    }));
    return true;
  }
  if (variables.has(type, name) || hasValueNow(variable)) return false;
  if (isInsert && hasValue(variable) === true) return true; // Reported at its condition.

  if (variables.hasType(type)) {
    const severity = variables.isBuiltIn(type) ? "error" : "warning";
    findings.add(severity, "unknown-variable", tag, () => {
      const nearest = variables.nearest(type, name);
      const names = variables.namesOf(type).map((known) => `${type}:${known}`);
      return {
        message: `There is no variable "${shown(variable)}": it is always ${isInsert ? "blank" : "absent"}`,
        fix:
          nearest === undefined
            ? `Of that type there are ${names.join(", ")}; for the text itself write ${shown(`\\[${variable}]`)}`
            : `Did you mean "${shown(nearest)}"?`,
        ...(nearest === undefined ? {} : { replacement: written(tag, nearest) }),
      };
    });
    return true;
  }

  if (isInsert && variables.nearestType(type) === undefined && isProse(type, name)) {
    findings.add("warning", "blank-text", tag, () => ({
      message: `[${shown(variable)}] is read as a variable of the type "${shown(type)}", which there is not: it goes blank`,
      fix: "For the text itself, write a backslash before the bracket",
      replacement: `\\[${variable}]`,
    }));
    return true;
  }
  findings.add(
    isInsert || variables.nearestType(type) !== undefined ? "error" : "warning",
    "unknown-type",
    tag,
    () => {
      const nearest = variables.nearest(type, name);
      const known = `known types are ${variables.types.join(", ")}`;
      return {
        message: `No loaded extension has variables of the type "${shown(type)}": "${shown(variable)}" is always ${isInsert ? "blank" : "absent"}`,
        fix:
          nearest === undefined
            ? `Load the extension that has them (${known}); for the text itself write a backslash before the bracket`
            : `Did you mean "${shown(nearest)}"?`,
        ...(nearest === undefined ? {} : { replacement: written(tag, nearest) }),
      };
    },
  );
  return true;
}

function written({ role, isNegated }: TemplateTag, variable: string): string {
  return role === "insert" ? `[${variable}]` : `[if ${isNegated ? "!" : ""}${variable}]`;
}

function isProse(type: string, name: string): boolean {
  return /^\d+$/.test(type) || /\s/.test(name) || /^[A-Z]/.test(type);
}
