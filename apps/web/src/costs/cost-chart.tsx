import type { Cost } from "@incipit/schema";
import type { JSX } from "preact";
import { amounts } from "../text/amounts.ts";
import { costsWords } from "../text/costs-words.ts";
import { sumOf, type CostSum } from "./cost-sum.ts";

export type Measure = "usd" | "tokens";

export interface Series {
  readonly label: string;
  readonly models: ReadonlySet<string>;
}

interface ChartProps {
  readonly costs: readonly Cost[];
  /** Oldest first. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly measure: Measure;
  readonly chosen: string | undefined;
  readonly onChoose: (day: string) => void;
}

/** In units of the view box, which is stretched. */
const height = 100;
const barWidth = 0.76;
const wastedWidth = 0.26;
const mostLabels = 6;

/** Hidden from screen readers: the table has the same data, with links. */
export function CostChart({ costs, days, series, measure, chosen, onChoose }: ChartProps): JSX.Element {
  const byDay = Map.groupBy(costs, ({ day }) => day);
  const sums = days.map((day) => sumOf(byDay.get(day) ?? []));
  const largest = Math.max(...sums.map((sum) => valueOf(sum, measure)));
  const scale = largest === 0 ? 0 : height / largest;
  const step = Math.ceil(days.length / mostLabels);
  return (
    <div class="cost-chart" aria-hidden="true">
      <p class="cost-scale">
        <span>{textOf(largest, measure)}</span>
        <span>{textOf(largest / 2, measure)}</span>
        <span>{textOf(0, measure)}</span>
      </p>
      <svg viewBox={`0 0 ${days.length} ${height}`} preserveAspectRatio="none">
        {[0, height / 2, height].map((y) => (
          <line key={y} class="cost-line" x1={0} x2={days.length} y1={y} y2={y} />
        ))}
        {days.map((day, index) => {
          const sum = sums[index] ?? sumOf([]);
          const wasted = measure === "usd" ? sum.usd.wasted * scale : 0;
          return (
            <g key={day} class="cost-day" data-chosen={day === chosen} onClick={() => onChoose(day)}>
              <title>{costsWords.barTitle(day, textOf(valueOf(sum, measure), measure))}</title>
              <rect class="cost-place" x={index} y={0} width={1} height={height} />
              <Bars
                x={index + (1 - barWidth) / 2}
                heights={series.map(
                  ({ models }) =>
                    valueOf(sumOf((byDay.get(day) ?? []).filter(({ model }) => models.has(model))), measure) *
                    scale,
                )}
              />
              {wasted > 0 && (
                <rect
                  data-series="wasted"
                  x={index + (1 - wastedWidth) / 2}
                  y={height - wasted}
                  width={wastedWidth}
                  height={wasted}
                />
              )}
            </g>
          );
        })}
      </svg>
      <p class="cost-days">
        {days.map(
          (day, index) =>
            (days.length - 1 - index) % step === 0 && (
              <span key={day} style={{ insetInlineStart: `${(((index + 1) / days.length) * 100).toFixed(2)}%` }}>
                {day.slice(5)}
              </span>
            ),
        )}
      </p>
    </div>
  );
}

function Bars({ x, heights }: { readonly x: number; readonly heights: readonly number[] }): JSX.Element {
  let top = height;
  return (
    <>
      {heights.map((own, index) => {
        top -= own;
        return own > 0 && <rect key={index} data-series={index} x={x} y={top} width={barWidth} height={own} />;
      })}
    </>
  );
}

export function CostLegend({
  series,
  hasWasted,
}: {
  readonly series: readonly Series[];
  readonly hasWasted: boolean;
}): JSX.Element {
  return (
    <ul class="cost-legend">
      {series.map(({ label }, index) => (
        <li key={label} dir="auto">
          <Swatch series={index} />
          {label}
        </li>
      ))}
      {hasWasted && (
        <li>
          <Swatch series="wasted" />
          {costsWords.wasted}
        </li>
      )}
    </ul>
  );
}

export function Swatch({ series }: { readonly series: number | "wasted" }): JSX.Element {
  return (
    <svg class="cost-swatch" viewBox="0 0 1 1" aria-hidden="true">
      <rect width={1} height={1} data-series={series} />
    </svg>
  );
}

export function valueOf({ usd, tokens }: CostSum, measure: Measure): number {
  return measure === "usd" ? usd.total : tokens.input;
}

function textOf(value: number, measure: Measure): string {
  return measure === "usd" ? amounts.dollars(value) : amounts.count(Math.round(value));
}
