import { staticVariables, type StaticVariable } from "@incipit/schema";
import type { Outcome } from "../types.ts";
import type { Asked, VariableContext, VariableFacts, VariableType } from "./variable-type.ts";

type NameOf<Type> = Extract<StaticVariable, { readonly type: Type }>["name"];

interface BuiltInVariable<Opened> extends VariableFacts {
  readonly read: (opened: Opened, asked: Asked) => Outcome | PromiseLike<Outcome>;
}

export interface TypeOptions<Type extends StaticVariable["type"], Opened> extends Pick<
  VariableType,
  "sharedLimit" | "isReadInTurn"
> {
  readonly type: Type;
  /** Source of names that are no variable. */
  readonly source: string;
  /** What the variables of one prompt share. */
  readonly open: (prompt: VariableContext) => Opened;
}

/** Every name that `staticVariables` lists of the type, and no other. */
export type NamedVariables<Type, Opened> = Readonly<Record<NameOf<Type>, BuiltInVariable<Opened>>>;

/**
 * Makes a type of the host's own variables. Where `staticVariables` says `dynamic`, the one entry stands for any name. In two
 * calls, so that the compiler knows what the variables share before it looks at them, and says which name is missing.
 */
export function defineVariables<Type extends StaticVariable["type"], Opened>({
  type,
  source,
  open,
  ...rest
}: TypeOptions<Type, Opened>): { readonly named: (variables: NamedVariables<Type, Opened>) => VariableType } {
  const anyName = staticVariables.find((listed) => listed.type === type && listed.dynamic === true)?.name;
  return {
    named(variables) {
      const known = new Map<string, BuiltInVariable<Opened>>(Object.entries(variables));
      const find = (name: string): BuiltInVariable<Opened> | undefined => known.get(anyName ?? name);
      return {
        ...rest,
        facts: find,
        open(prompt) {
          const opened = open(prompt);
          return (asked) =>
            find(asked.name)?.read(opened, asked) ?? { kind: "absent", reason: "not-found", source };
        },
      };
    },
  };
}
