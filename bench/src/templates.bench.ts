import { compileTemplate, parseTemplate } from "@incipit/system-prompt";
import { Eta } from "eta";
import Handlebars from "handlebars";
import { Liquid } from "liquidjs";
import Mustache from "mustache";
import nunjucks from "nunjucks";
import { rates, timeMs } from "./measure.ts";
import type { Row } from "./table.ts";

const names = [
  "system:time",
  "system:date",
  "prompt:cwd",
  "prompt:model",
  "git:branch",
  "git:status",
  "file:AGENTS.md",
];
const filler = "You are a careful assistant that reads before it writes, and says what it did. ";

/** One template in each language: seven values, one chosen branch, about 1 KB of text. */
function template(
  insert: (name: string, index: number) => string,
  open: string,
  otherwise: string,
  close: string,
): string {
  const body = names.map((name, index) => `${filler}${insert(name, index)}\n`).join("");
  return `${body}${open}The branch is ${insert("git:branch", 4)}.${otherwise}There is no branch.${close}\n${filler}`;
}

const values = [
  "2026-01-01T00:00:00.000Z",
  "2026-01-01",
  "/home/user/project",
  "openai/gpt",
  "main",
  " M file.ts",
  "Use tabs. Be brief.",
];

export function templates(): readonly Row[] {
  const ours = template((name) => `[${name}]`, "[if git:branch]", "[else]", "[endif]");
  const resolved = new Map(names.map((name, index) => [name, values[index] ?? ""]));
  const data = Object.fromEntries(values.map((value, index) => [`v${index}`, value]));
  const mustacheLike = template((_, index) => `{{v${index}}}`, "{{#v4}}", "{{/v4}}{{^v4}}", "{{/v4}}");
  const raw = template((_, index) => `{{{v${index}}}}`, "{{#if v4}}", "{{else}}", "{{/if}}");
  const etaText = template((_, index) => `<%~ it.v${index} %>`, "<% if (it.v4) { %>", "<% } else { %>", "<% } %>");
  const tagged = template((_, index) => `{{ v${index} }}`, "{% if v4 %}", "{% else %}", "{% endif %}");
  const eta = new Eta({ autoTrim: false, cache: false });
  const liquid = new Liquid();
  const jinja = new nunjucks.Environment(null, { autoescape: false });
  const compiled = compileTemplate(ours);
  const literal = (variables: ReadonlyMap<string, string>): string => {
    const at = (name: string): string => variables.get(name) ?? "";
    const branch = variables.get("git:branch");
    return `${filler}${at("system:time")}\n${filler}${at("system:date")}\n${filler}${at("prompt:cwd")}\n${filler}${at("prompt:model")}\n${filler}${at("git:branch")}\n${filler}${at("git:status")}\n${filler}${at("file:AGENTS.md")}\n${branch === undefined ? "There is no branch." : `The branch is ${branch}.`}\n${filler}`;
  };
  const expected = literal(resolved);
  const works = {
    incipit: () => parseTemplate(ours, resolved),
    "incipit, compiled before": () => compiled.render(resolved),
    "template literal": () => literal(resolved),
    eta: () => eta.renderString(etaText, data),
    liquidjs: () => liquid.parseAndRenderSync(tagged, data),
    mustache: () => {
      Mustache.clearCache();
      return Mustache.render(mustacheLike, data, {}, { escape: String });
    },
    nunjucks: () => jinja.renderString(tagged, data),
    handlebars: () => Handlebars.compile(raw, { noEscape: true })(data),
  };
  for (const [name, work] of Object.entries(works))
    if (work() !== expected) throw new Error(`${name} renders something else`);
  const measured = rates(works);
  const of = (name: string): number => measured.get(name) ?? Number.NaN;
  const libraries = ["eta", "liquidjs", "mustache", "nunjucks", "handlebars"];
  const fastest = libraries.toSorted((a, b) => of(b) - of(a))[0] ?? "";
  const ratio = of("incipit") / of(fastest);
  const share = of("incipit, compiled before") / of("template literal");
  const perSecond = (name: string): string => `${Math.round(of(name)).toLocaleString("en")} a second`;
  return [
    {
      subject: "rendering a template, parsed each time",
      measured: `${perSecond("incipit")}, ${ratio.toFixed(1)} x ${fastest}`,
      target: "3.5 x the fastest library",
      isMet: ratio >= 3.5,
    },
    {
      subject: "rendering, compiled before",
      measured: `${perSecond("incipit, compiled before")}, ${Math.round(share * 100)} % of a literal`,
      target: "75 % of a template literal",
      isMet: share >= 0.75,
    },
    ...[...libraries, "template literal"].map((name) => ({ subject: `– ${name}`, measured: perSecond(name) })),
  ];
}

const hostile: Readonly<Record<string, (size: number) => string>> = {
  "`[` alone": (size) => "[".repeat(size),
  "nested ifs": (size) => "[if a:b]".repeat(size) + "x" + "[endif]".repeat(size),
  variables: (size) => "[a:b]".repeat(size),
};
const largest = { "`[` alone": 1_048_576, "nested ifs": 100_000, variables: 1_000_000 } as const;

export function hostileTemplates(): readonly Row[] {
  const resolved = new Map([["a:b", "value"]]);
  return Object.entries(largest).map(([name, size]) => {
    const make = hostile[name] ?? String;
    const sizes = [size / 4, size / 2, size].map(Math.round);
    const times = sizes.map((count) => {
      const text = make(count);
      parseTemplate(text, resolved);
      return Math.min(...Array.from({ length: 5 }, () => timeMs(() => parseTemplate(text, resolved))));
    });
    const growth = ((times[2] ?? 0) / (times[0] ?? 1) / 4).toFixed(2);
    return {
      subject: `hostile template: ${size.toLocaleString("en")} x ${name}`,
      measured: `${times.map((time) => `${time.toFixed(1)} ms`).join(", ")} at a quarter, half and full size (${growth} x linear)`,
      target: "time grows as the size does",
      isMet: Number(growth) <= 1.6,
    };
  });
}
