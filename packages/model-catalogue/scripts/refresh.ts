import { $ } from "bun";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reasoningEffortSchema } from "@incipit/schema";
import * as z from "zod";
import { correctEntry, corrections, correctionsDate, type CatalogueEntry } from "./corrections.ts";

/**
 * Generates `src/catalogue.json` from two packages of public data, both MIT, and `corrections.ts`; needs npm and the network.
 *
 * Models, limits, prices and inputs are from `@earendil-works/pi-ai`, which is generated from models.dev. It limits
 * some context windows to the part before a higher price; those are taken from `@pydantic/genai-prices`, or from
 * the vendor's page if that package does not list the model. Prints other differences between the packages, and
 * newer versions of them: update the version here and run the script again.
 */
const sources = {
  models: { name: "@earendil-works/pi-ai", version: "1.6.0" },
  windows: { name: "@pydantic/genai-prices", version: "0.1.8" },
} as const;

const costSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});
const modelSchema = z.object({
  id: z.string(),
  type: z.string(),
  input: z.array(z.enum(["text", "image"])),
  cost: costSchema.extend({ tiers: z.array(costSchema.extend({ inputTokensAbove: z.int() })).default([]) }),
  contextWindow: z.int().nullish(),
  maxTokens: z.int().nullish(),
  reasoning: z.boolean().default(false),
  /** `null`: level not supported. The last two levels are supported only if present, the others unless `null`. */
  thinkingLevelMap: z.record(z.string(), z.string().nullable()).default({}),
});
type Model = z.infer<typeof modelSchema>;
/** By protocol, then by an internal key. */
const fileSchema = z.record(z.string(), z.record(z.string(), z.unknown()));
const pricedSchema = z.object({
  model: z.object({ context_window: z.number().optional() }),
  model_price: z.object({ input_mtok: z.unknown(), output_mtok: z.unknown() }),
});

const vendors = ["anthropic", "deepseek", "google", "openai"] as const;
type Vendor = (typeof vendors)[number];

/** Listed models that do not support conversations. */
const leftOut = /^deep-research/;

/**
 * File types other than images, which the data lacks.
 * https://platform.openai.com/docs/guides/pdf-files, https://docs.claude.com/en/docs/build-with-claude/pdf-support,
 * https://ai.google.dev/gemini-api/docs/document-processing
 */
function filesOf(vendor: Vendor, { id, input }: Model): CatalogueEntry["inputs"] {
  if (!input.includes("image") || vendor === "deepseek") return [];
  if (vendor === "google") return /^gemini-(?!.*computer-use)/.test(id) ? ["pdf", "audio", "video"] : [];
  return id.startsWith("gpt-4-turbo") ? [] : ["pdf"];
}

function pricesOf(cost: z.infer<typeof costSchema>): NonNullable<CatalogueEntry["prices"]> {
  const { input, output, cacheRead, cacheWrite } = cost;
  return { input, output, cacheRead: orUnknown(cacheRead), cacheWrite: orUnknown(cacheWrite) };
}

/** The source uses 0 for a missing price. */
function orUnknown(price: number): number | null {
  return price === 0 ? null : price;
}

/** The source has `off` for `none`, and an additional level `max`. */
function effortsOf({
  reasoning,
  thinkingLevelMap: levels,
}: Model): NonNullable<CatalogueEntry["reasoningEfforts"]> {
  if (!reasoning) return [];
  return reasoningEffortSchema.options.filter((effort) => {
    const level = levels[effort === "none" ? "off" : effort];
    return effort === "xhigh" ? typeof level === "string" : level !== null;
  });
}

interface Source {
  readonly name: string;
  readonly version: string;
}

async function unpack(
  { name, version }: Source,
  folder: string,
): Promise<{ readonly path: string; readonly date: string }> {
  const times = z.record(z.string(), z.string()).parse(await $`npm view ${name} time --json`.quiet().json());
  const newest = z.string().parse(await $`npm view ${name} version --json`.quiet().json());
  const packed = (await $`npm pack ${name}@${version} --silent`.cwd(folder).quiet().text()).trim();
  const path = join(folder, name.replaceAll(/\W/g, "-"));
  await $`mkdir ${path} && tar -xzf ${join(folder, packed)} -C ${path} --strip-components=1`;
  const date = times[version]?.slice(0, 10) ?? "";
  process.stdout.write(`${name} ${version} of ${date}${newest === version ? "" : `; ${newest} is newer`}\n`);
  return { path, date };
}

const folder = await mkdtemp(join(tmpdir(), "catalogue-"));
const written: string[] = [];
try {
  const models = await unpack(sources.models, folder);
  const windows = await unpack(sources.windows, folder);
  const { calcPrice }: { readonly calcPrice: (usage: object, model: string, options: object) => unknown } =
    await import(join(windows.path, "dist/index.js"));
  const known = (vendor: Vendor, id: string): z.infer<typeof pricedSchema> | undefined =>
    pricedSchema.safeParse(calcPrice({ input_tokens: 1 }, id, { providerId: vendor })).data;

  for (const vendor of vendors) {
    const corrected = new Map(Object.entries(corrections[vendor] ?? {}));
    const file = fileSchema.parse(await Bun.file(join(models.path, `dist/providers/data/${vendor}.json`)).json());
    const listed = Object.values(file)
      .flatMap((entries) => Object.values(entries))
      .flatMap((entry) => modelSchema.safeParse(entry).data ?? [])
      .filter(({ id, type }) => type === "chat" && !leftOut.test(id))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const entries = listed.map((model): [string, CatalogueEntry] => {
      const { id, cost, contextWindow, maxTokens } = model;
      const [higher] = cost.tiers;
      const other = known(vendor, id);
      const isCut = higher !== undefined && contextWindow === higher.inputTokensAbove;
      const window = isCut ? Math.max(contextWindow, other?.model.context_window ?? 0) : contextWindow;
      for (const [what, ours, theirs] of [
        ["input price", cost.input, other?.model_price.input_mtok],
        ["output price", cost.output, other?.model_price.output_mtok],
        ["window", window, other?.model.context_window],
      ] as const)
        if (typeof theirs === "number" && ours !== theirs)
          process.stdout.write(`${id}: ${what} ${ours}, and ${theirs} in ${sources.windows.name}\n`);
      const isPriced = cost.input > 0 && cost.output > 0;
      const longInput =
        higher === undefined ? {} : { longInput: { aboveTokens: higher.inputTokensAbove, ...pricesOf(higher) } };
      const entry: CatalogueEntry = {
        contextWindow: window ?? null,
        maxOutputTokens: maxTokens ?? null,
        inputs: [...model.input, ...filesOf(vendor, model)],
        reasoningEfforts: effortsOf(model),
        prices: isPriced ? { ...pricesOf(cost), ...longInput } : null,
      };
      const correction = corrected.get(id);
      corrected.delete(id);
      return [
        id,
        correctEntry(entry, correction, () =>
          process.stdout.write(`${id}: its correction is not needed any more\n`),
        ),
      ];
    });
    if (corrected.size > 0)
      throw new Error(
        `No model of ${vendor} is listed as ${[...corrected.keys()].join(", ")}; delete its correction`,
      );
    const lines = entries.map(([id, entry]) => `      ${JSON.stringify(id)}: ${JSON.stringify(entry)}`);
    written.push(`    "${vendor}": {\n${lines.join(",\n")}\n    }`);
  }
  // One model per line, so that a change of the data is easy to review.
  const date = models.date > correctionsDate ? models.date : correctionsDate;
  await Bun.write(
    join(import.meta.dir, "../src/catalogue.json"),
    `{\n  "date": "${date}",\n  "vendors": {\n${written.join(",\n")}\n  }\n}\n`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
