import type { RouteName, routes } from "@incipit/transport-contract";
import type * as z from "zod";

type Table = typeof routes;

type BodyOf<Target> = Target extends { readonly body: infer Body extends z.ZodType }
  ? { readonly body: z.input<Body> }
  : Target extends { readonly bodyLines: infer Line extends z.ZodType }
    ? { readonly body: readonly z.input<Line>[] }
    : { readonly body?: never };

type AnswerOf<Target extends { readonly response: z.ZodType }> = Target extends { readonly isLines: true }
  ? readonly z.input<Target["response"]>[]
  : z.input<Target["response"]>;

type AsyncAnswerOf<Target> = Target extends {
  readonly asyncAnswer: { readonly response: infer Answer extends z.ZodType };
}
  ? { readonly asyncAnswer: z.input<Answer> }
  : { readonly asyncAnswer?: never };

/** For a stream one event, for JSON Lines the values of the lines. */
export type RouteExample<Name extends RouteName> = BodyOf<Table[Name]> &
  AsyncAnswerOf<Table[Name]> & { readonly answer: AnswerOf<Table[Name]> };

export type RouteExamples = { readonly [Name in RouteName]?: RouteExample<Name> };
