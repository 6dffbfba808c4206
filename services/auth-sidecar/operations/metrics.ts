/** Upper bounds of the duration buckets, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts that can be sent from a worker to its primary and added up. */
export interface MetricsSnapshot {
  readonly counters: Readonly<Record<string, number>>;
  readonly buckets: readonly number[];
  readonly seconds: number;
  readonly gauges: Readonly<Record<string, number>>;
}

/** Counts of one process. Plain numbers: a request costs some nanoseconds. */
export class Metrics {
  private readonly counters = new Map<string, number>();
  private readonly buckets = new Array<number>(bounds.length + 1).fill(0);
  private seconds = 0;
  /** Open connections, set by the server. */
  readonly gauges = new Map<string, () => number>();

  /** Counts an event. @param series with its labels, such as `sign_ins_total{provider="directory"}`. */
  count(series: string, by = 1): void {
    this.counters.set(series, (this.counters.get(series) ?? 0) + by);
  }

  /** Notes one handled request. */
  request(status: number, milliseconds: number): void {
    this.count(requestSeries[Math.floor(status / 100)] ?? requestSeries[5]);
    const seconds = milliseconds / 1000;
    this.seconds += seconds;
    let index = 0;
    while (index < bounds.length && seconds > (bounds[index] as number)) index++;
    (this.buckets[index] as number)++;
  }

  snapshot(): MetricsSnapshot {
    const gauges = Object.fromEntries([...this.gauges].map(([name, value]) => [name, value()]));
    return { counters: Object.fromEntries(this.counters), buckets: [...this.buckets], seconds: this.seconds, gauges };
  }
}

const requestSeries = ['1xx', '1xx', '2xx', '3xx', '4xx', '5xx'].map((status) => `requests_total{status="${status}"}`) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

const helps: Readonly<Record<string, string>> = {
  requests_total: 'Requests by class of their status.',
  sign_ins_total: 'Completed sign-ins by provider and flow.',
  sign_in_failures_total: 'Failed sign-ins by provider.',
  sign_outs_total: 'Sign-outs.',
  token_refreshes_total: 'Refreshes of provider tokens by outcome.',
  refusals_total: 'Requests that the sidecar answered itself, by status.',
  upstream_failures_total: 'Requests that the app failed to answer, by reason.',
  store_failures_total: 'Requests refused because the token store could not be reached.',
  reloads_total: 'Reloads of the configuration by outcome.',
  websockets_total: 'WebSocket connections.',
};

/** The Prometheus text of one or several processes' counts. */
export function exposition(snapshots: readonly MetricsSnapshot[]): string {
  const prefix = 'castellan_sidecar_';
  const counters = new Map<string, number>();
  const gauges = new Map<string, number>();
  for (const snapshot of snapshots) {
    for (const [series, value] of Object.entries(snapshot.counters)) counters.set(series, (counters.get(series) ?? 0) + value);
    for (const [name, value] of Object.entries(snapshot.gauges)) gauges.set(name, (gauges.get(name) ?? 0) + value);
  }
  const lines: string[] = [];
  const groups = new Map<string, string[]>();
  for (const [series, value] of [...counters].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = series.split('{')[0] as string;
    groups.set(name, [...(groups.get(name) ?? []), `${prefix}${series} ${value}`]);
  }
  for (const [name, series] of groups)
    lines.push(`# HELP ${prefix}${name} ${helps[name] ?? name}`, `# TYPE ${prefix}${name} counter`, ...series);
  lines.push(`# HELP ${prefix}request_duration_seconds Time from request to answer.`, `# TYPE ${prefix}request_duration_seconds histogram`);
  let total = 0;
  [...bounds, Infinity].forEach((bound, index) => {
    total += snapshots.reduce((sum, { buckets }) => sum + (buckets[index] ?? 0), 0);
    lines.push(`${prefix}request_duration_seconds_bucket{le="${bound === Infinity ? '+Inf' : bound}"} ${total}`);
  });
  const seconds = snapshots.reduce((sum, snapshot) => sum + snapshot.seconds, 0);
  lines.push(`${prefix}request_duration_seconds_sum ${seconds}`, `${prefix}request_duration_seconds_count ${total}`);
  for (const [name, value] of gauges) lines.push(`# TYPE ${prefix}${name} gauge`, `${prefix}${name} ${value}`);
  return `${lines.join('\n')}\n`;
}
