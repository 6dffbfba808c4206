import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { ShownInvoice, Snapshot } from '../snapshot.js';
import { Table } from './table.js';

/** The invoices of the seed: amounts by product, section and day, one currency at a time. */
export function BillingPage({ invoices }: Snapshot) {
  return (
    <>
      <h1>Billing</h1>
      {invoices.length === 0 && (
        <p class="empty">
          The seed of this sandbox has no transactions (<code>billing:</code>).
        </p>
      )}
      {invoices.map((invoice) => (
        <Invoice
          key={`${invoice.account} ${invoice.invoice} ${invoice.currency}`}
          invoice={invoice}
        />
      ))}
    </>
  );
}

function Invoice({ invoice }: { invoice: ShownInvoice }) {
  const money = (amount: number): string =>
    amount.toLocaleString(undefined, { style: 'currency', currency: invoice.currency || 'USD' });
  return (
    <section>
      <h2>
        {invoice.invoice}, account {invoice.account}, {invoice.currency}
      </h2>
      <p class="note">
        {invoice.count} transactions in {invoice.currency}.
      </p>
      <Days invoice={invoice} />
      {(
        [
          ['Product', invoice.byProduct],
          ['Section', invoice.bySection],
        ] as const
      ).map(([title, sums]) => (
        <Table
          key={title}
          caption={`Amounts by ${title.toLowerCase()}`}
          empty="No transactions."
          columns={[title, 'Amount', 'Share']}
          rows={sums.map(({ name, amount }) => [
            name,
            money(amount),
            <meter value={amount} max={sums[0]?.amount ?? 1} aria-label={`Share of ${name}`} />,
          ])}
        />
      ))}
    </section>
  );
}

/** The amounts by day, as a line; the tables say the same in figures. */
function Days({ invoice }: { invoice: ShownInvoice }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = place.current;
    if (target === null || invoice.byDay.length < 2) return undefined;
    const colour = getComputedStyle(target).getPropertyValue('--mark').trim();
    const ink = getComputedStyle(target).getPropertyValue('--soft').trim();
    const axis = { stroke: ink, grid: { stroke: ink, width: 0.2 } };
    const chart = new uPlot(
      {
        ...{
          width: target.clientWidth,
          height: 220,
          legend: { show: false },
          axes: [axis, { ...axis, size: 70 }],
        },
        series: [{}, { label: invoice.currency, stroke: colour, width: 2 }],
      },
      [
        invoice.byDay.map(({ name }) => Date.parse(name) / 1000),
        invoice.byDay.map(({ amount }) => amount),
      ],
      target,
    );
    const resized = new ResizeObserver(() =>
      chart.setSize({ width: target.clientWidth, height: 220 }),
    );
    resized.observe(target);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [invoice]);
  return (
    <div
      ref={place}
      class="chart"
      role="img"
      aria-label={`Amounts of ${invoice.invoice} in ${invoice.currency} by day`}
    />
  );
}
