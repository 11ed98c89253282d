import type { Cost } from "@incipit/schema";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { routes } from "@incipit/transport-contract";
import { Button } from "../controls/fields.tsx";
import { Room, Section } from "../controls/layout.tsx";
import { Pending } from "../controls/problem.tsx";
import { addressOf, goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad, type Loaded } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { costsWords } from "../text/costs-words.ts";
import { words } from "../text/words.ts";
import { CostChart, CostLegend, Swatch, valueOf, type Measure, type Series } from "./cost-chart.tsx";
import { sumOf, sumsBy, type CostSum, type NamedSum } from "./cost-sum.ts";
import { costText, CostTable } from "./cost-table.tsx";
import { lastDays, beginningOf, ownZone } from "./days.ts";

const said = costsWords;
const ranges = [7, 30, 90] as const;
const mostSeries = 5;

export function CostsView({ day }: { readonly day: string | undefined }): JSX.Element {
  const [range, setRange] = useState<(typeof ranges)[number]>(30);
  const [chosenMeasure, setMeasure] = useState<Measure>();
  const days = useMemo(() => lastDays(range, new Date()), [range]);
  const { loaded, known: costs } = useCosts(days[0] ?? "");
  const total = sumOf(costs);
  // Without any price, tokens are more useful.
  const measure = chosenMeasure ?? (total.usd.total > 0 ? "usd" : "tokens");
  return (
    <Room class="costs" title={said.title} intro={said.intro}>
      <div class="row">
        <Choice label={said.range} options={ranges} chosen={range} text={said.days} onChoose={setRange} />
        <Choice
          label={said.shows}
          options={["usd", "tokens"] as const}
          chosen={measure}
          text={(option) => said.measures[option]}
          onChoose={setMeasure}
        />
      </div>
      <p role="status" class="quiet">
        {loaded.state === "loading" && (total.calls === 0 ? words.state.loading : said.adding(total.calls))}
      </p>
      {loaded.state === "failed" && <Pending of={loaded} />}
      {loaded.state === "ready" && total.calls === 0 && <p>{said.none}</p>}
      {total.calls > 0 && <Sums costs={costs} days={days} day={day} measure={measure} total={total} />}
    </Room>
  );
}

interface SumsProps {
  readonly costs: readonly Cost[];
  readonly days: readonly string[];
  readonly day: string | undefined;
  readonly measure: Measure;
  readonly total: CostSum;
}

function Sums({ costs, days, day, measure, total }: SumsProps): JSX.Element {
  const byModel = sumsBy(costs, { key: ({ model }) => model, name: ({ model }) => model }).toSorted(
    (a, b) => valueOf(b, measure) - valueOf(a, measure) || b.calls - a.calls,
  );
  const series = seriesOf(byModel);
  const byDay = sumsBy(costs, { key: (cost) => cost.day, name: (cost) => cost.day }).toSorted((a, b) =>
    a.name < b.name ? 1 : -1,
  );
  const ofDay = day === undefined ? costs : costs.filter((cost) => cost.day === day);
  return (
    <>
      <Totals total={total} />
      <Section id="costs-by-day" title={said.chart}>
        {valueOf(total, measure) === 0 ? (
          <p>{said.nothing[measure]}</p>
        ) : (
          <>
            <CostLegend series={series} hasWasted={measure === "usd" && total.usd.wasted > 0} />
            <CostChart
              costs={costs}
              days={days}
              series={series}
              measure={measure}
              chosen={day}
              onChoose={(chosen) => goTo({ view: "costs", day: chosen === day ? undefined : chosen })}
            />
          </>
        )}
        <CostTable
          label={said.tables.days}
          name={said.columns.day}
          shownAtOnce={7}
          rows={byDay.map(({ name, ...sum }) => ({
            key: name,
            isChosen: name === day,
            head: (
              <a href={addressOf({ view: "costs", day: name })} aria-current={name === day ? "true" : undefined}>
                {name}
              </a>
            ),
            ...sum,
          }))}
        />
      </Section>
      <Section id="costs-by-source" title={day === undefined ? said.bySource : said.bySourceOn(day)}>
        {day !== undefined && <a href={addressOf({ view: "costs", day: undefined })}>{said.allDays}</a>}
        <CostTable
          key={day}
          label={said.tables.sources}
          name={said.columns.source}
          rows={sumsBy(ofDay, {
            key: ({ conversation }) => conversation?.id ?? "",
            name: ({ conversation }) => conversation,
          })
            .toSorted((a, b) => valueOf(b, measure) - valueOf(a, measure) || b.calls - a.calls)
            .map(({ name, ...sum }) => ({ key: name?.id ?? "", head: <Source conversation={name} />, ...sum }))}
        />
      </Section>
      <Section id="costs-by-model" title={said.byModel}>
        <CostTable
          label={said.tables.models}
          name={said.columns.model}
          rows={byModel.map(({ name, ...sum }) => ({
            key: name,
            head: (
              <>
                <Swatch series={series.findIndex(({ models }) => models.has(name))} />
                {name}
              </>
            ),
            ...sum,
          }))}
        />
      </Section>
    </>
  );
}

function Source({ conversation }: Pick<Cost, "conversation">): JSX.Element {
  if (conversation === null)
    return <a href={addressOf({ view: "calls", id: undefined })}>{said.withoutConversation}</a>;
  const { id, title } = conversation;
  return <a href={addressOf({ view: "told", id, stepId: undefined })}>{title ?? words.conversations.untitled}</a>;
}

function Totals({ total }: { readonly total: CostSum }): JSX.Element {
  const { totals } = said;
  const { calls, broken, tokens, usd, unpriced, unreported } = total;
  const figures: readonly (readonly [string, string, string?])[] = [
    [totals.cost, costText(total)],
    [totals.calls, amounts.count(calls)],
    [totals.tokens, amounts.count(tokens.input), totals.read(tokens.cacheRead)],
    [totals.written, amounts.count(tokens.output)],
    [totals.wasted, unpriced === calls ? "–" : amounts.dollars(usd.wasted), totals.broken(broken)],
  ];
  return (
    <section aria-label={totals.label}>
      <dl class="cost-totals">
        {figures.map(([name, value, more]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{value}</strong>
              {more !== undefined && <span class="quiet">{more}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {unpriced > 0 && <p class="quiet">{said.unpriced(unpriced)}</p>}
      {usd.isAtMost === true && <p class="quiet">{said.estimated}</p>}
      {unreported > 0 && <p class="quiet">{said.unreported(unreported)}</p>}
    </section>
  );
}

function seriesOf(byModel: readonly NamedSum<string>[]): readonly Series[] {
  const names = byModel.map(({ name }) => name);
  const isAll = names.length <= mostSeries + 1;
  const own = isAll ? names : names.slice(0, mostSeries);
  const rest = names.slice(own.length);
  return [
    ...own.map((name) => ({ label: name, models: new Set([name]) })),
    ...(rest.length === 0 ? [] : [{ label: said.others(rest.length), models: new Set(rest) }]),
  ];
}

interface ChoiceProps<Option> {
  readonly label: string;
  readonly options: readonly Option[];
  readonly chosen: Option;
  readonly text: (option: Option) => string;
  readonly onChoose: (option: Option) => void;
}

function Choice<Option extends string | number>(props: ChoiceProps<Option>): JSX.Element {
  const { label, options, chosen, text, onChoose } = props;
  return (
    <div class="choice" role="group" aria-label={label}>
      <span aria-hidden="true" class="quiet">
        {label}
      </span>
      {options.map((option) => (
        <Button
          text={text(option)}
          key={option}
          aria-pressed={option === chosen}
          onClick={() => onChoose(option)}
        />
      ))}
    </div>
  );
}

interface Costs {
  readonly loaded: Loaded<readonly Cost[]>;
  readonly known: readonly Cost[];
}

/** Returns each page as it arrives. */
function useCosts(firstDay: string): Costs {
  const [known, setKnown] = useState<readonly Cost[]>([]);
  const loaded = useLoad(
    async (signal) => {
      const costs: Cost[] = [];
      const since = beginningOf(firstDay).toISOString();
      let cursor: string | undefined;
      do {
        const query = { since, zone: ownZone(), cursor };
        const page = await api.call(routes.listCosts, { query, signal });
        costs.push(...page.costs);
        cursor = page.nextCursor;
        if (!signal.aborted) setKnown([...costs]);
      } while (cursor !== undefined);
      return costs;
    },
    [firstDay],
  );
  return { loaded, known };
}
