import { compileTemplate, parseTemplate } from "@incipit/system-prompt";
import { Eta } from "eta";
import Handlebars from "handlebars";
import { Liquid } from "liquidjs";
import Mustache from "mustache";
import nunjucks from "nunjucks";
import { percentile, rates, ratios, timeMs } from "./measure.ts";
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

/** Seven values, one chosen branch, about 1 KB. */
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
  const of = (name: string): readonly number[] => measured.get(name) ?? [];
  const median = (name: string): number => percentile(of(name), 0.5);
  const libraries = ["eta", "liquidjs", "mustache", "nunjucks", "handlebars"];
  const fastest = libraries.toSorted((a, b) => median(b) - median(a))[0] ?? "";
  const ahead = ratios(of("incipit"), of(fastest));
  const ahead50 = percentile(ahead, 0.5);
  const share = ratios(of("incipit, compiled before"), of("template literal"));
  const share50 = percentile(share, 0.5);
  const perSecond = (name: string): string => `${Math.round(median(name)).toLocaleString("en")} a second`;
  const quartiles = (values: readonly number[], factor: number, digits: number): string =>
    [0.25, 0.75].map((at) => (percentile(values, at) * factor).toFixed(digits)).join(" to ");
  return [
    {
      subject: "rendering a template, parsed each time",
      measured: `${perSecond("incipit")}, ${ahead50.toFixed(1)} x ${fastest} (half of the rounds: ${quartiles(ahead, 1, 1)})`,
      target: "3.5 x the fastest library",
      isMet: ahead50 >= 3.5,
    },
    {
      subject: "rendering, compiled before",
      measured: `${perSecond("incipit, compiled before")}, ${Math.round(share50 * 100)} % of a literal (half of the rounds: ${quartiles(share, 100, 0)})`,
      target: "75 % of a template literal",
      isMet: share50 >= 0.75,
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

/** Divisors of the template's size, from a 16th to the whole template. */
const shares = [16, 8, 4, 2, 1];
const rounds = 5;

export function hostileTemplates(): readonly Row[] {
  const resolved = new Map([["a:b", "value"]]);
  return Object.entries(largest).map(([name, size]) => {
    const make = hostile[name] ?? String;
    const texts = shares.map((share) => make(Math.round(size / share)));
    const samples = texts.map((): number[] => []);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, text] of texts.entries()) {
        const tookMs = timeMs(() => parseTemplate(text, resolved));
        if (round > 0) samples[index]?.push(tookMs);
      }
    }
    const times = samples.map((values) => percentile(values, 0.5));
    const ratios = times.slice(1).map((time, index) => time / (times[index] ?? Number.NaN));
    const growth = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN) / (shares[0] ?? 1);
    const list = (values: readonly number[], digits: number): string =>
      values.map((value) => value.toFixed(digits)).join(", ");
    return {
      subject: `hostile template: ${size.toLocaleString("en")} x ${name}`,
      measured: `${list(times, 1)} ms from a 16th to all of it; x ${list(ratios, 2)} per doubling (${growth.toFixed(2)} x linear)`,
      target: "time grows as the size does",
      isMet: growth <= 1.6,
    };
  });
}
