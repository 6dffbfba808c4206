import {
  AggregatorRegistry,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

const prefix = 'castellan_sidecar_';

/** The counters, each with its labels. */
const counters = {
  sign_ins_total: ['Completed sign-ins by provider and flow.', 'provider', 'flow'],
  sign_in_failures_total: ['Failed sign-ins by provider.', 'provider'],
  sign_outs_total: ['Sign-outs.'],
  token_refreshes_total: ['Refreshes of provider tokens by outcome.', 'outcome'],
  refusals_total: ['Requests that the sidecar answered itself, by status.', 'status'],
  upstream_failures_total: ['Requests that the app failed to answer, by reason.', 'reason'],
  store_failures_total: ['Requests refused because the token store could not be reached.'],
  reloads_total: ['Reloads of the configuration by outcome.', 'outcome'],
  websockets_total: ['WebSocket connections.'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/** Counts that a worker can send to its primary, to be added up. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Counts of one process. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly counters: Readonly<Record<keyof typeof counters, Counter>>;
  private readonly durations: Histogram;
  /** Handled requests by the first digit of their status: added up when they are read. */
  private readonly requests = [0, 0, 0, 0, 0, 0];

  constructor() {
    const registers = [this.registry];
    const { requests } = this;
    new Counter({
      name: `${prefix}requests_total`,
      help: 'Requests by class of their status.',
      labelNames: ['status'],
      registers,
      collect() {
        this.reset();
        requests.forEach((count, digit) => {
          if (count > 0) this.inc({ status: `${digit}xx` }, count);
        });
      },
    });
    const entries = Object.entries(counters).map(([name, [help, ...labelNames]]) => [
      name,
      new Counter({ name: prefix + name, help, labelNames, registers }),
    ]);
    this.counters = Object.fromEntries(entries) as Record<keyof typeof counters, Counter>;
    this.durations = new Histogram({
      name: `${prefix}request_duration_seconds`,
      help: 'Time from request to answer.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    });
  }

  /** Counts an event. */
  count(name: keyof typeof counters, labels: Readonly<Record<string, string | number>> = {}): void {
    this.counters[name].inc(labels);
  }

  /** Notes one handled request. */
  countRequest(status: number, milliseconds: number): void {
    const digit = Math.min(Math.floor(status / 100), 5);
    this.requests[digit] = (this.requests[digit] ?? 0) + 1;
    this.durations.observe(milliseconds / 1000);
  }

  /** Sets a gauge that is read whenever the metrics are. */
  addGauge(
    name: 'connections' | 'websockets' | 'upstream_connections',
    help: string,
    value: () => number,
  ): void {
    const collect = function (this: Gauge): void {
      this.set(value());
    };
    new Gauge({ name: prefix + name, help, registers: [this.registry], collect });
  }

  snapshot(): Promise<MetricsSnapshot> {
    return this.registry.getMetricsAsJSON();
  }
}

/** The Prometheus text of one or several processes' counts. */
export function renderMetrics(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate(snapshots as MetricsSnapshot[]).metrics();
}
