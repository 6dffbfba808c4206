import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { InvoiceView, ConsoleData } from '../console-data.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { Code } from './elements.js';

/** The invoices of the seed: amounts by product, section and day, one currency at a time. */
export function BillingPage({ invoices }: ConsoleData) {
  return (
    <>
      <h1>Billing</h1>
      {invoices.length === 0 && <NoInvoices />}
      {invoices.map((invoice) => (
        <Invoice
          key={`${invoice.account} ${invoice.invoice} ${invoice.currency}`}
          invoice={invoice}
        />
      ))}
    </>
  );
}

const exampleSeed = `billing:
  - billingAccount: "1234"
    invoice: G000000001
    generate: { count: 300, seed: 1 }
`;

/** How transactions come into the sandbox. */
function NoInvoices() {
  return (
    <>
      <p class="lead">
        No transactions yet. They come from a seed, written out or generated: this is a file{' '}
        <code>billing.yaml</code> with an invoice of 300 of them.
      </p>
      <Code text={exampleSeed} />
      <p>
        <code>castellan sandbox seed billing.yaml</code> adds it to this sandbox.
      </p>
    </>
  );
}

/** An amount with its currency; without one where that is no code of ISO 4217. */
function moneyText(
  amount: number,
  currency: string,
  options: Intl.NumberFormatOptions = {},
): string {
  const style = /^[a-z]{3}$/i.test(currency) ? ({ style: 'currency', currency } as const) : {};
  return amount.toLocaleString(undefined, { ...style, ...options });
}

function Invoice({ invoice }: { invoice: InvoiceView }) {
  const formatMoney = (amount: number): string => moneyText(amount, invoice.currency);
  const total = invoice.byProduct.reduce((sum, { amount }) => sum + amount, 0);
  return (
    <section>
      <h2>
        {invoice.invoice}, {invoice.currency}
      </h2>
      <p class="note account">Account {invoice.account}</p>
      <p class="total">
        {formatMoney(total)} <span class="note">in {invoice.transactionCount} transactions</span>
      </p>
      {invoice.readCount < invoice.totalCount && (
        <p class="note">
          Only the first {invoice.readCount} of the invoice&apos;s {invoice.totalCount} transactions
          are read here; <code>castellan billing summary</code> sums up all.
        </p>
      )}
      <DailyAmountsChart invoice={invoice} />
      {(
        [
          ['Product', invoice.byProduct],
          ['Section', invoice.bySection],
        ] as const
      ).map(([title, sums]) => (
        <table key={title} class="money">
          <caption class="hidden">Amounts by {title.toLowerCase()}</caption>
          <colgroup>
            <col class="what" />
            <col class="amount" />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">{title}</th>
              <th scope="col" class="number">
                Amount
              </th>
              <th scope="col">Share of the total</th>
            </tr>
          </thead>
          <tbody>
            {sums.map(({ name, amount }) => (
              <tr key={name}>
                <th scope="row">{name === '' ? 'without a name' : name}</th>
                <td class="number" data-label="Amount">
                  {formatMoney(amount)}
                </td>
                <td data-label="Share">
                  <Share part={total === 0 ? 0 : amount / total} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td class="number" data-label="Amount">
                {formatMoney(total)}
              </td>
              <td />
            </tr>
          </tfoot>
        </table>
      ))}
    </section>
  );
}

/** A part of the total, as a bar that is full at 100 %. Credits have none. */
function Share({ part }: { part: number }) {
  const percent = 100 * part;
  return (
    <span class="share">
      <span class="meter" aria-hidden="true">
        <i style={`width:${Math.min(100, Math.max(0, percent)).toFixed(2)}%`} />
      </span>
      <span>{percent.toFixed(1)} %</span>
    </span>
  );
}

const daySeconds = 86_400;
/** The height of the chart in pixels. */
const chartHeight = 220;

/**
 * The data of the chart: every day from the first to the last, in seconds since 1970, and its
 * amount; null for a day without a transaction.
 */
function dailyAmounts({ byDay }: InvoiceView): [number[], (number | null)[]] {
  const amounts = new Map(byDay.map(({ name, amount }) => [Date.parse(name) / 1000, amount]));
  const times = [...amounts.keys()];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const days = Array.from(
    { length: Math.round((last - first) / daySeconds) + 1 },
    (_, index) => first + index * daySeconds,
  );
  return [days, days.map((each) => amounts.get(each) ?? null)];
}

/** The amounts by day as bars, with gaps; the tables say the same in figures. */
function DailyAmountsChart({ invoice }: { invoice: InvoiceView }) {
  const chartElement = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = chartElement.current;
    if (target === null || invoice.byDay.length < 2) return undefined;
    const barColour = getComputedStyle(target).getPropertyValue('--accent').trim();
    const axisColour = getComputedStyle(target).getPropertyValue('--muted').trim();
    const formatRounded = (amount: number): string =>
      moneyText(amount, invoice.currency, { maximumFractionDigits: 0 });
    const axis = { stroke: axisColour, grid: { stroke: axisColour, width: 0.2 } };
    const bars = uPlot.paths.bars?.({ size: [0.8, 28, 2], radius: 0.1 });
    const chart = new uPlot(
      {
        width: target.clientWidth,
        height: chartHeight,
        legend: { show: false },
        axes: [
          { ...axis, grid: { show: false } },
          {
            ...axis,
            size: 70,
            values: (_chart, ticks) => ticks.map((tick) => formatRounded(tick)),
          },
        ],
        scales: { y: { range: (_chart, low, high) => [Math.min(0, low * 1.1), high * 1.1] } },
        series: [
          {},
          {
            label: invoice.currency,
            fill: barColour,
            width: 0,
            points: { show: false },
            ...omitUndefined({ paths: bars }),
          },
        ],
      },
      dailyAmounts(invoice),
      target,
    );
    const resizeObserver = new ResizeObserver(() =>
      chart.setSize({ width: target.clientWidth, height: chartHeight }),
    );
    resizeObserver.observe(target);
    return () => {
      resizeObserver.disconnect();
      chart.destroy();
    };
  }, [invoice]);
  return (
    <div
      ref={chartElement}
      class="chart"
      role="img"
      aria-label={`Amounts of ${invoice.invoice} in ${invoice.currency} by day`}
    />
  );
}
