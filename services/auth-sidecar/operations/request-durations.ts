import type { MetricObjectWithValues, MetricValue } from 'prom-client';

const name = 'castellan_sidecar_request_duration_seconds';

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * How long requests took, as a histogram. The one of prom-client looks its labels up with each
 * value, of which there are none here.
 */
export class RequestDurations {
  /** By bound; the last one counts what took longer. */
  private readonly counts = [...bounds, Infinity].map(() => 0);
  private sum = 0;

  observe(seconds: number): void {
    let index = 0;
    while (index < bounds.length && seconds > (bounds[index] as number)) index++;
    this.counts[index] = (this.counts[index] as number) + 1;
    this.sum += seconds;
  }

  /** In the form in which prom-client gives its own. */
  metric(): MetricObjectWithValues<MetricValue<string>> {
    let total = 0;
    const buckets = this.counts.map((count, index) => {
      total += count;
      return {
        metricName: `${name}_bucket`,
        labels: { le: bounds[index] ?? '+Inf' },
        value: total,
      };
    });
    const values = [
      ...buckets,
      { metricName: `${name}_sum`, labels: {}, value: this.sum },
      { metricName: `${name}_count`, labels: {}, value: total },
    ];
    return {
      name,
      help: 'Time from request to answer.',
      type: 'histogram',
      values,
      aggregator: 'sum',
    } as unknown as MetricObjectWithValues<MetricValue<string>>;
  }
}
