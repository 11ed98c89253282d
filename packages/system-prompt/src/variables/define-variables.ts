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
  readonly source: string;
  readonly open: (prompt: VariableContext) => Opened;
}

/** Exactly the names that `staticVariables` lists for the type. */
export type NamedVariables<Type, Opened> = Readonly<Record<NameOf<Type>, BuiltInVariable<Opened>>>;

/**
 * A `dynamic` entry of `staticVariables` accepts any name. Two calls, so that the compiler infers the shared state
 * before the variables, and names missing ones.
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
