import type * as z from "zod";

/** Violations with their place; for a union, those of the best-matching variant. */
export function requestIssues({ issues }: z.ZodError): readonly string[] {
  return issues.flatMap((issue) => flatten(issue).map(({ path, message }) => `${path.join(".")}: ${message}`));
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function flatten(issue: z.core.$ZodIssue): readonly Issue[] {
  const { path } = issue;
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const forms = issue.errors.map((errors) => errors.flatMap(flatten));
  const deepest = (form: readonly Issue[]): number => Math.max(0, ...form.map((inner) => inner.path.length));
  const [best = []] = forms.toSorted((a, b) => deepest(b) - deepest(a));
  return best.map((inner) => ({ path: [...path, ...inner.path], message: inner.message }));
}
